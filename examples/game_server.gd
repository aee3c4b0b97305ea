# Keeps a game server listed in GSLS. Godot 4; nothing to install.
#
# Attach it to a Node, or make it an autoload. It runs beside the game: the game never waits for it.
extends Node

@export var url := "http://localhost:53600"
@export var key := ""  # only where the service asks for one
var fields := {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777,
	"server_ip": "203.0.113.7", "players": 3, "max_players": 16}  # the game keeps them current

var _id := ""
var _idempotency_key := _new_key()
var _interval := 20.0
var _failures := 0

func _ready() -> void:
	get_tree().auto_accept_quit = false  # time for a remove; see _notification
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
	if status == 200:
		_id = body.get("server_id", _id)
		_failures = 0
		_interval = answer["headers"].get("server-ping-interval", "20").to_float()
		return _interval * randf_range(0.9, 1.1)
	if body.get("code") in ["unknown_server", "idempotency_key_used"]:
		_id = ""  # the entry is gone: broadcast again
		_idempotency_key = _new_key()
		return _interval * randf()
	if status in [0, 408, 429] or status >= 500:
		var pause := minf(_interval, pow(2, _failures)) * randf_range(0.5, 1.0)
		_failures += 1  # a problem that passes: the same request again, later each time
		return maxf(pause, answer["headers"].get("retry-after", "0").to_float())
	push_error("GSLS refuses this game server: %s" % body.get("error", status))
	return 300.0  # a person has to correct something

# Returns status, headers (names in lower case) and body of the answer; status 0 without an answer.
func _send(path: String, content: Dictionary, headers := PackedStringArray()) -> Dictionary:
	var request := HTTPRequest.new()
	request.timeout = 5.0
	add_child(request)
	if key != "":
		headers.append("Authorization: Bearer " + key)
	var error := request.request(url + path, headers, HTTPClient.METHOD_POST, JSON.stringify(content))
	var result: Array = [HTTPRequest.RESULT_CANT_CONNECT, 0, PackedStringArray(), PackedByteArray()]
	if error == OK:
		result = await request.request_completed
	request.queue_free()
	var answer := {"status": result[1], "headers": {}, "body": {}}
	for header in result[2]:
		answer["headers"][header.get_slice(":", 0).to_lower()] = header.substr(header.find(":") + 1).strip_edges()
	var json := JSON.new()
	if json.parse(result[3].get_string_from_utf8()) == OK and json.data is Dictionary:
		answer["body"] = json.data
	return answer

func _new_key() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()
