class_name GslsHttp
extends HTTPRequest
## Sends requests of an announcer, one at a time. Each is bounded in time and size, and follows no redirect, which
## would take the token to another place. Knows no endpoint.

signal _answered(answer: GslsAnnouncer.Answer)

## Of an answer, in bytes.
const MOST_BYTES := 1_048_576

const _CAUSES: Dictionary = {
	RESULT_CANT_CONNECT: "no connection: is the service there?",
	RESULT_CANT_RESOLVE: "the name of the host is not known",
	RESULT_TLS_HANDSHAKE_ERROR: "the TLS connection failed: is the certificate trusted?",
	RESULT_BODY_SIZE_LIMIT_EXCEEDED: "the answer is too large",
}

## Of the service, with or without a slash at its end.
var url: String = ""

## By Time.get_ticks_msec(); 0 while no request is under way.
var _deadline_msec: int = 0
## That the request under way may take.
var _seconds: float = 0.0


func _init() -> void:
	max_redirects = 0
	body_size_limit = MOST_BYTES
	# The answers are small, and nothing has to be unpacked.
	accept_gzip = false
	request_completed.connect(_on_request_completed)


# Not HTTPRequest.timeout, which follows Engine.time_scale: in slow motion the service would be given too long.
func _process(_delta: float) -> void:
	if is_busy() and Time.get_ticks_msec() >= _deadline_msec:
		cancel("nothing came within %s s" % String.num(_seconds))


## Whether a request is under way.
func is_busy() -> bool:
	return _deadline_msec > 0


## Sends it, a GET if its body is empty, and waits for the answer for so many seconds. The answer has status 0 if there is none.
func post(posted: GslsAnnouncer.Request, seconds: float) -> GslsAnnouncer.Answer:
	var sent: PackedStringArray = []
	for header: String in posted.headers:
		sent.append("%s: %s" % [header, posted.headers[header]])
	var target: String = url.rstrip("/") + posted.path
	var is_read: bool = posted.body.is_empty()
	var method: HTTPClient.Method = HTTPClient.METHOD_GET if is_read else HTTPClient.METHOD_POST
	var error: Error = request(target, sent, method, "" if is_read else JSON.stringify(posted.body))
	if error != OK:
		return _no_answer(error_string(error))
	_seconds = seconds
	_deadline_msec = Time.get_ticks_msec() + int(1000.0 * seconds)
	return await _answered


## Gives up the request that is under way. Who waits for its answer is told the reason.
func cancel(reason: String) -> void:
	if is_busy():
		cancel_request()
		_finish(_no_answer(reason))


func _on_request_completed(
	result: int, response_code: int, response_headers: PackedStringArray, response_body: PackedByteArray
) -> void:
	if not is_busy():
		return
	if result != RESULT_SUCCESS and result != RESULT_REDIRECT_LIMIT_REACHED:
		_finish(_no_answer(_CAUSES.get(result, "the connection was cut off (%d)" % result)))
		return
	var answer: GslsAnnouncer.Answer = GslsAnnouncer.Answer.new()
	answer.status = response_code
	for header: String in response_headers:
		var colon: int = header.find(":")
		answer.headers[header.left(colon).to_lower()] = header.substr(colon + 1).strip_edges()
	answer.body = _members_of(response_body)
	_finish(answer)


func _finish(answer: GslsAnnouncer.Answer) -> void:
	_deadline_msec = 0
	_answered.emit(answer)


static func _no_answer(reason: String) -> GslsAnnouncer.Answer:
	var answer: GslsAnnouncer.Answer = GslsAnnouncer.Answer.new()
	answer.reason = reason
	return answer


static func _members_of(bytes: PackedByteArray) -> Dictionary:
	# Godot complains of each byte that is no text: the page of a proxy, or a file, is not even read as one.
	if bytes.is_empty() or bytes[0] != "{".unicode_at(0):
		return {}
	var json: JSON = JSON.new()
	var is_json: bool = json.parse(bytes.get_string_from_utf8()) == OK
	return json.data if is_json and json.data is Dictionary else {}
