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

## Seconds that a stop may take.
const STOP_SECONDS := 2.0

const _URL := "(?i)^https?://([^\\s:/?#@\\[\\]]+|\\[[\\w:.]+\\])(:\\d{1,5})?(/[^\\s?#]*)?$"

## Of the service, such as [code]http://localhost:53600[/code].
@export var url: String = ""
## What the list is to show, in the words of the API. Change it by [method update].
@export var fields: Dictionary = {}
## Of the service, where it asks for one. Whoever has the game can read what a scene says.
@export var key: String = ""
## Where the token outlives the game server, such as [code]user://server-token[/code]; each has a file of its own.
@export var token_file: String = ""
## Seconds for one request.
@export_range(0.1, 60.0) var timeout: float = 5.0
## Takes any certificate: for a test at home.
@export var insecure: bool = false

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
## What went wrong last, in words; empty while all is well.
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
var _is_stopping: bool = false
var _is_over: bool = false
## What was logged last, by topic.
var _told: Dictionary = {}


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


## Takes over these fields; the next ping tells them.
func update(changed: Dictionary) -> void:
	fields.merge(changed, true)


## Takes the entry off the list. `await` it before the game ends: it is over within 2 s.
func stop() -> void:
	if _is_over or http == null:
		return
	if _is_stopping:
		await stopped
		return
	_is_stopping = true
	set_process(false)
	http.cancel("it was given up")
	# What HTTPRequest has put off until the end of this frame is about the request before.
	await get_tree().process_frame
	var removal: GslsAnnouncer.Request = _announcer.remove(fields)
	if removal != null:
		var answer: GslsAnnouncer.Answer = await http.post(removal, STOP_SECONDS)
		var words: String = "the entry is removed" if answer.status == 200 else "the entry is left to expire"
		_tell("state", words)
	_is_over = true
	stopped.emit()


## Why the URL or the key cannot be right; empty if they can.
func find_fault() -> String:
	if RegEx.create_from_string(_URL).search(url) == null:
		return "\"%s\" is no URL of a service, such as http://localhost:53600" % url
	if RegEx.create_from_string("[\\x00-\\x1f\\x7f]").search(key) != null:
		return "the key has characters that no header can have"
	return ""


func _announce() -> void:
	var answer: GslsAnnouncer.Answer = await http.post(_announcer.next(fields), timeout)
	if _is_stopping:
		return
	var known_id: String = id
	var known_problem: String = problem
	var known_token: String = _announcer.token
	var pause: float = _announcer.take(answer, randf())
	_due_msec = Time.get_ticks_msec() + ceili(1000.0 * pause)
	if _announcer.token != known_token:
		_keep_token()
	if not verification.is_empty():
		_tell("verification", "Server-Verification: " + verification)
	if not join_code.is_empty():
		_tell("join code", "Server-Join-Code: " + join_code)
	if not problem.is_empty():
		_tell("state", problem, "; again in %.0f s" % pause)
		if problem != known_problem:
			failing.emit(problem)
	else:
		_tell("state", "the service has the entry")
		if id != known_id or not known_problem.is_empty():
			listed.emit(id)


func _read_token() -> void:
	_file = GslsTokenFile.new(token_file)
	var kept: String = _file.read()
	if not kept.is_empty():
		_announcer.token = kept
	if not _file.problem.is_empty():
		_tell("token", _file.problem + ": a new entry is claimed")


func _keep_token() -> void:
	if _announcer.token == GslsAnnouncer.NO_TOKEN:
		var whose: String = "of the entry" if _file == null else "in " + token_file
		_tell("token", "the token %s is not valid: a new entry is claimed" % whose)
	elif _file != null:
		_file.write(_announcer.token)
		_tell("token", "the token is kept" if _file.problem.is_empty() else _file.problem)


## Logs what is new about the topic.
func _tell(topic: String, text: String, more: String = "") -> void:
	if _told.get(topic) == text:
		return
	_told[topic] = text
	if logged.get_connections().is_empty():
		print("GSLS: ", text, more)
	else:
		logged.emit(text + more)
