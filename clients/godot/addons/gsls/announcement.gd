@icon("res://addons/gsls/icon.svg")
class_name GslsAnnouncement
extends Node
## Keeps one game server listed at one service until it is stopped, beside the game and never in its way.
## [code]Gsls.announce[/code] makes one; or add it to a scene, and set its properties there.

## There is an entry, and all is well.
signal listed(id: String)
## Something is wrong, or something else than before. It goes on by itself.
signal failing(problem: String)
## The stop is over.
signal stopped
## A line of its log. Without anybody connected it is printed.
signal logged(line: String)

## How an announcement is.
enum State {
	## There is no answer yet.
	STARTING,
	## There is an entry, and all is well.
	LISTED,
	## Something is wrong: see [member problem].
	FAILING,
	## It was stopped, or its URL or key cannot be right.
	STOPPED,
}

## Seconds that a stop may take: of two, with what else is at the end of a game.
const STOP_SECONDS := 1.8
## Seconds after which it measures again, 10 % sooner or later.
const MEASURING_SECONDS := 3600.0

const _URL := "(?i)^https?://([^\\s:/?#@\\[\\]]+|\\[[\\w:.]+\\])(:\\d{1,5})?(/[^\\s?#]*)?$"

## Of the service, such as [code]http://localhost:53600[/code].
@export var url: String = ""
## What the list is to show, in the words of the API. Without `server_ip` it is `auto`. Change it by [method update].
@export var fields: Dictionary = {}
## Of the service, where it asks for one. Whoever has the game can read what a scene says.
@export var key: String = ""
## Where the token outlives the game server, such as [code]user://server-token[/code]; each has a file of its own.
@export var token_file: String = ""
## Seconds for one request.
@export_range(0.1, 60.0) var timeout: float = 5.0
## Takes any certificate: for a test at home.
@export var insecure: bool = false
## Measures how far the beacons of the service are, where it has some, and tells it: so players find what is near.
@export var measure: bool = true

## How it is.
var state: State:
	get:
		if _is_over:
			return State.STOPPED
		if not problem.is_empty():
			return State.FAILING
		return State.STARTING if id.is_empty() else State.LISTED
## Of the entry; empty while there is none.
var id: String:
	get:
		return _announcer.id
## What went wrong last, in a sentence; empty while all is well.
var problem: String:
	get:
		return _announcer.problem
## What the service says of whether the game server can be reached; empty if it says nothing.
var verification: String:
	get:
		return _announcer.verification
## Of an unlisted server; empty if it has none.
var join_code: String:
	get:
		return _announcer.join_code

## Sends the requests, once this is in the tree: its proxy can be set, as of any HTTPRequest.
var http: GslsHttp

var _announcer: GslsAnnouncer = GslsAnnouncer.new()
var _file: GslsTokenFile
## When the next request is due, by Time.get_ticks_msec(), which nobody sets.
var _due_msec: int = 0
# What measures, once there was something to measure, and when that is due.
var _meter: GslsMeter
var _asker: GslsHttp
var _measure_due_msec: int = 0
var _is_measuring: bool = false
var _measured_mark: String = ""
var _is_stopping: bool = false
var _is_over: bool = false
## What was logged last, by topic.
var _told: Dictionary = {}
## The id that was listed last.
var _listed: String = ""


func _ready() -> void:
	# A game that is paused is still there.
	process_mode = Node.PROCESS_MODE_ALWAYS
	http = GslsHttp.new()
	add_child(http)
	var fault: String = find_fault()
	if not fault.is_empty():
		push_error("GSLS: " + fault)
		_is_over = true
	set_process(not _is_over)
	http.url = url
	_announcer.key = key
	if insecure:
		http.set_tls_options(TLSOptions.client_unsafe())


# The first time a frame after it was added, so that the game can connect to the signals.
func _process(_delta: float) -> void:
	if _file == null and not token_file.is_empty():
		_read_token()
	if not http.is_busy() and Time.get_ticks_msec() >= _due_msec:
		_announce()
	if measure and not _announcer.mark.is_empty() and not _is_measuring and Time.get_ticks_msec() >= _measure_due_msec:
		_measure()


## Takes over these fields; the next ping tells them.
func update(changed: Dictionary) -> void:
	fields.merge(changed, true)


## Takes the entry off the list. `await` it before the game ends: it is over within 2 s. With a token file the id is kept
## for the next start, unless [param keep_id] is false.
func stop(keep_id: bool = true) -> void:
	if _is_over or http == null:
		return
	if _is_stopping:
		await stopped
		return
	_is_stopping = true
	set_process(false)
	http.cancel("it was given up")
	if _meter != null:
		_meter.queue_free()
		_asker.queue_free()
	# What HTTPRequest has put off until the end of this frame is about the request before.
	await get_tree().process_frame
	var keeps_id: bool = keep_id and _file != null and _file.is_kept
	var removal: GslsAnnouncer.Request = _announcer.remove(fields, keeps_id)
	if removal != null:
		_tell_removal(await http.post(removal, STOP_SECONDS), keeps_id)
	_is_over = true
	stopped.emit()


## Why the URL or the key cannot be right; empty if they can.
func find_fault() -> String:
	if RegEx.create_from_string(_URL).search(url) == null:
		return "\"%s\" is no URL of a service, such as http://localhost:53600" % url
	if RegEx.create_from_string("[\\x00-\\x1f\\x7f]").search(key) != null:
		return "the key has characters that no header can have"
	return ""


func _tell_removal(answer: GslsAnnouncer.Answer, keeps_id: bool) -> void:
	var entry: String = _announcer.as_part(id)
	if answer.status == 200 and answer.body.get("status") is String and answer.body["status"] == "success":
		var gone: String = "its token keeps the id %s" if keeps_id else "the id %s is given up"
		_tell("state", "The game server left the list, and %s." % (gone % entry))
	elif _announcer.code_of(answer) == "unknown_server":
		_tell("state", "The game server had left the list before.")
	else:
		_warn("state", _announcer.problem_of(answer, "remove"), "The entry %s stays until it expires." % entry)


func _announce() -> void:
	var answer: GslsAnnouncer.Answer = await http.post(_announcer.next(fields), timeout)
	if _is_stopping:
		return
	var known_id: String = id
	var known_problem: String = problem
	var known_token: String = _announcer.token
	var pause: float = _announcer.take(answer, randf())
	_due_msec = Time.get_ticks_msec() + ceili(1000.0 * pause)
	if _announcer.is_to_measure:
		_measure_due_msec = Time.get_ticks_msec() + int(1000.0 * _announcer.ping_interval * randf())
	if _announcer.token != known_token:
		_keep_token()
	if not verification.is_empty():
		var words: String = "The service says of its look at the game server: "
		_tell("verification", words + _announcer.as_end(verification))
	if not join_code.is_empty():
		_tell("join code", "Players find the game server by the join code " + _announcer.as_end(join_code))
	if not problem.is_empty():
		_warn("state", problem, "%s in %d s." % [_announcer.following, ceili(pause)])
		if problem != known_problem:
			failing.emit(problem)
	elif id != known_id or not known_problem.is_empty():
		var how: String = "again, with the new id"
		if _listed == id or _listed.is_empty():
			how = "as" if _listed.is_empty() else "again as"
		_listed = id
		_tell("state", "The game server is listed %s %s" % [how, _announcer.as_end(id)])
		listed.emit(id)


## Beside the pings. What comes of it counts unless there are other beacons by then.
func _measure() -> void:
	if _meter == null:
		_asker = GslsHttp.new()
		_asker.url = url
		_meter = GslsMeter.new()
		_meter.tls_options = TLSOptions.client_unsafe() if insecure else null
		if insecure:
			_asker.set_tls_options(TLSOptions.client_unsafe())
		add_child(_asker)
		add_child(_meter)
		_meter.measured.connect(_on_measured)
	_is_measuring = true
	_measured_mark = _announcer.mark
	_measure_due_msec = Time.get_ticks_msec() + int(1000.0 * MEASURING_SECONDS * randf_range(0.9, 1.1))
	var answer: GslsAnnouncer.Answer = await _asker.post(_announcer.ask_beacons(), timeout)
	_meter.measure(GslsAnnouncer.beacons_of(answer))


func _on_measured(latency: Dictionary) -> void:
	_is_measuring = false
	if _announcer.mark == _measured_mark:
		_announcer.latency = latency


func _read_token() -> void:
	_file = GslsTokenFile.new(token_file)
	var kept: String = _file.read()
	if not kept.is_empty():
		_announcer.token = kept
	if not _file.problem.is_empty():
		_warn("token", _file.problem)


func _keep_token() -> void:
	if _announcer.token == GslsAnnouncer.NO_TOKEN:
		if _file != null:
			_file.is_kept = false
		var whose: String = "of " + _announcer.as_part(_listed) if _file == null else "in " + token_file
		_warn("token", "The service refused the token %s. The next broadcast claims a new id." % whose)
	elif _file != null:
		_file.write(_announcer.token)
		if _file.problem.is_empty():
			_told.erase("token")
		else:
			_warn("token", _file.problem)


## Logs what is new about the topic.
func _tell(topic: String, text: String) -> void:
	if _is_new(topic, text):
		_log(text, false)


## Logs a warning that is new about the topic; [param next] is a sentence that follows, and is no news by itself.
func _warn(topic: String, text: String, next: String = "") -> void:
	if _is_new(topic, text):
		_log(text if next.is_empty() else text + " " + next, true)


func _is_new(topic: String, text: String) -> bool:
	var is_new: bool = _told.get(topic) != text
	_told[topic] = text
	return is_new


func _log(line: String, is_warning: bool) -> void:
	if not logged.get_connections().is_empty():
		logged.emit(line)
	elif is_warning:
		push_warning("GSLS: " + line)
	else:
		print("GSLS: ", line)
