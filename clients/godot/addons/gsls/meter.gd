class_name GslsMeter
extends Node
## Measures how far beacons are: over one connection to each, one after the other, and a step in each frame.

## All that were given are measured: in ms by their ids, those that have answered.
signal measured(latency: Dictionary)

## To each: one that opens the connection, and those of which the median counts.
const REQUESTS := 6
## Of one of them, in ms, and the longest latency.
const LONGEST_MSEC := 2000
## Of an answer.
const MOST_BYTES := 4096

## For beacons by https.
var tls_options: TLSOptions

# Those that follow, and the one that is asked, as GslsAnnouncer.beacons_of() has them.
var _left: Array = []
var _beacon: Array = []
var _found: Dictionary = {}
# Null while nothing is measured.
var _client: HTTPClient
var _times: Array[int] = []
var _is_sent: bool = false
var _has_head: bool = false
var _bytes: int = 0
var _began_usec: int = 0
# When there was no answer yet.
var _looked_usec: int = 0


func _process(_delta: float) -> void:
	if _client == null:
		return
	var now: int = Time.get_ticks_usec()
	_client.poll()
	var has_head: bool = _client.get_status() in [HTTPClient.STATUS_BODY, HTTPClient.STATUS_CONNECTED]
	if _is_sent and not _has_head and has_head:
		_has_head = true
		# It came between the last frame and this one.
		_times.append(roundi(((_looked_usec + now) / 2.0 - _began_usec) / 1000.0))
	_looked_usec = now
	if now - _began_usec > 1000 * LONGEST_MSEC:
		_next()
	elif not _has_head:
		_send()
	elif _client.get_response_code() < 200 or _client.get_response_code() > 299 or _bytes > MOST_BYTES:
		_next()
	elif _client.get_status() == HTTPClient.STATUS_BODY:
		_bytes += _client.read_response_body_chunk().size()
	elif _times.size() < REQUESTS:
		_ask()
	else:
		var counted: Array = _times.slice(1)
		counted.sort()
		_found[_beacon[0]] = mini(counted[floori(counted.size() / 2.0)], LONGEST_MSEC)
		_next()


## Measures these beacons of [method GslsAnnouncer.beacons_of]; [signal measured] follows.
func measure(beacons: Array) -> void:
	_left = beacons
	_found = {}
	_next()


## Gives it up, and tells nothing.
func cancel() -> void:
	_client = null


func _next() -> void:
	cancel()
	if _left.is_empty():
		measured.emit(_found)
		return
	_beacon = _left.pop_front()
	_client = HTTPClient.new()
	_times.clear()
	_ask()


func _ask() -> void:
	_is_sent = false
	_has_head = false
	_bytes = 0
	_began_usec = Time.get_ticks_usec()
	_looked_usec = _began_usec
	if _client.get_status() != HTTPClient.STATUS_CONNECTED:
		_client.close()
		var is_secure: bool = _beacon[1].to_lower() == "https"
		var port: int = _beacon[3].to_int() if not _beacon[3].is_empty() else 443 if is_secure else 80
		if _client.connect_to_host(_beacon[2], port, tls_options if is_secure else null) != OK:
			_next()
	else:
		_send()


## Sends the request once there is a connection.
func _send() -> void:
	var status: HTTPClient.Status = _client.get_status()
	if status == HTTPClient.STATUS_CONNECTED and not _is_sent:
		_is_sent = true
		if _client.request(HTTPClient.METHOD_GET, _beacon[4], []) != OK:
			_next()
	elif not status in [HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING]:
		_next()
