# Keeps a game server listed in GSLS. Godot 4; nothing to install.
#
# Attach it to a Node, or make it an autoload. It runs beside the game: the game never waits for it. With a token file
# of its own, such as user://server-token, in a folder that other users cannot read, a game server that crashed and
# starts again keeps its id.
extends Node

@export var url := "http://localhost:53600"
@export var key := ""  # only where the service asks for one
@export var token_file := ""
var fields := {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777,
	"server_ip": "auto",  # the address that the requests come from; or the public address itself
	"players": 3, "max_players": 16,
	"map": "de_dust2", "mode": "bomb defusal"}  # the game keeps all current; map, mode and more are optional

var _id := ""
var _idempotency_key := _new_key()
var _interval := 20.0
var _failures := 0
var _may_claim := true
var _token := "claim"  # proves that the entry is ours: never show or log it
var _told := {}  # what was printed last, by topic

func _ready() -> void:
	if not _matches("(?i)^https?://([^\\s:/?#@\\[\\]]+|\\[[\\w:.]+\\])(:\\d{1,5})?(/[^\\s?#]*)?$", url):
		push_error("GSLS: \"%s\" is no URL of a service, such as http://localhost:53600" % url)
		return
	if not _matches("^[ -~]*$", key):
		push_error("GSLS: the key has characters that no header can have")
		return
	get_tree().auto_accept_quit = false  # time for a remove; see _notification
	if token_file != "" and FileAccess.file_exists(token_file):
		var kept := FileAccess.get_file_as_string(token_file).strip_edges()
		_token = kept if kept != "" else "claim"
		if not _matches("^[ -~]*$", _token):
			_claim_anew()
	while true:
		await get_tree().create_timer(await _broadcast_or_ping()).timeout

func _notification(what: int) -> void:
	if what != NOTIFICATION_WM_CLOSE_REQUEST:
		return
	if _id != "":
		await _send("/remove", {"server_id": _id, "server_ip": fields["server_ip"]})
	get_tree().quit()

# Returns the seconds to wait before the next request.
func _broadcast_or_ping() -> float:
	var answer: Dictionary
	if _id == "":
		answer = await _send("/broadcast", fields, PackedStringArray(["Idempotency-Key: " + _idempotency_key]))
	else:
		var current := fields.duplicate()
		current["server_id"] = _id
		answer = await _send("/ping", current)
	var status: int = answer["status"]
	var body: Dictionary = answer["body"]
	var code: String = body.get("code", "")
	for header in ["Server-Verification", "Server-Join-Code"]:
		if answer["headers"].has(header.to_lower()):
			_tell(header, "%s: %s" % [header, answer["headers"][header.to_lower()]])
	if status == 200 and (_id != "" or body.has("server_id")):
		_may_claim = _may_claim or _id != ""
		_id = body.get("server_id", _id)
		_failures = 0
		_keep_token(answer["headers"].get("server-token", _token))
		_interval = maxf(1.0, answer["headers"].get("server-ping-interval", "20").to_float())
		_tell("state", "the service has our entry")
		return _interval * randf_range(0.9, 1.1)
	# What no service has issued, such as a file that another program wrote.
	var is_token_damaged := code == "invalid_request" and _id == "" and _token != "claim"
	var pause := 300.0  # a person has to correct something
	if code in ["unknown_server", "idempotency_key_used", "ip_mismatch"]:
		_id = ""  # broadcast again: our token keeps the id, unless the entry was removed
		_idempotency_key = _new_key()
		pause = _interval * randf()
	elif code in ["not_owner", "server_token_required"] or is_token_damaged:
		_claim_anew()
		if _may_claim:
			pause = _interval * randf()  # soon, but once until a ping succeeds
		_may_claim = false
		_id = ""
		_idempotency_key = _new_key()
	elif status in [0, 408, 429] or status >= 500 or code == "address_taken":
		pause = minf(_interval, pow(2, _failures)) * randf_range(0.5, 1.0)
		pause = maxf(pause, answer["headers"].get("retry-after", "0").to_float())
		_failures += 1  # a problem that passes: the same request again, later each time
	_tell("state", "%s: %s" % [str(status) if status > 0 else "no answer", body["error"]], "; again in %.0f s" % pause)
	return pause

# Returns status, headers (names in lower case) and body of the answer; status 0 without an answer.
func _send(path: String, content: Dictionary, headers := PackedStringArray()) -> Dictionary:
	var request := HTTPRequest.new()
	request.timeout = 5.0
	request.max_redirects = 0
	add_child(request)
	headers.append("Server-Token: " + _token)
	if key != "":
		headers.append("Authorization: Bearer " + key)
	var error := request.request(url.rstrip("/") + path, headers, HTTPClient.METHOD_POST, JSON.stringify(content))
	var result: Array = [HTTPRequest.RESULT_CANT_CONNECT, 0, PackedStringArray(), PackedByteArray()]
	if error == OK:
		result = await request.request_completed
	request.queue_free()
	var answer := {"status": result[1], "headers": {}, "body": {"error": "this is no answer of GSLS"}}
	for header in result[2]:
		answer["headers"][header.get_slice(":", 0).to_lower()] = header.substr(header.find(":") + 1).strip_edges()
	if result[1] == 0:
		answer["body"]["error"] = ClassDB.class_get_enum_constants("HTTPRequest", "Result")[result[0]]
	elif answer["headers"].has("location"):
		answer["body"]["error"] = "this leads to " + answer["headers"]["location"]
	var json := JSON.new()
	if json.parse(result[3].get_string_from_utf8()) == OK and json.data is Dictionary:
		answer["body"].merge(json.data, true)
	return answer

func _keep_token(issued: String) -> void:
	if issued == _token:
		return
	_token = issued
	if token_file == "":
		return
	var file := FileAccess.open(token_file, FileAccess.WRITE)
	if file == null:
		_tell("token", "the token is not kept: %s" % error_string(FileAccess.get_open_error()))
		return
	file.store_string(_token)
	file.close()

func _claim_anew() -> void:
	_token = "claim"
	var whose := "of our entry" if token_file == "" else "in " + token_file
	_tell("token", "the token %s is not valid: a new entry is claimed" % whose)

# Prints only what is new about the topic.
func _tell(topic: String, text: String, more := "") -> void:
	if _told.get(topic) != text:
		push_warning("GSLS: " + text + more)
	_told[topic] = text

func _matches(pattern: String, text: String) -> bool:
	return RegEx.create_from_string(pattern).search(text) != null

func _new_key() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()
