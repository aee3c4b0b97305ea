# Godot 3. Gives the answers of res://turns.json to an announcer, and prints what it makes of each as a line of JSON.
extends SceneTree

const Announcer = preload("res://announcer.gd")


func _init() -> void:
	var file := File.new()
	if file.open("res://turns.json", File.READ) != OK:
		quit(1)
		return
	var given: Dictionary = parse_json(file.get_as_text())
	var announcer: Reference = Announcer.new()
	announcer.token = given["token"]
	announcer.key = given["key"]
	for turn in given["turns"]:
		var request: Reference = announcer.next(given["fields"])
		var answer: Reference = Announcer.Answer.new()
		answer.status = int(turn["status"])
		answer.headers = turn["headers"]
		answer.body = turn["body"]
		answer.reason = turn["reason"]
		var pause: float = announcer.take(answer, turn["chance"])
		if announcer.is_to_measure:
			announcer.latency = {"fra": 8}
		var removal: Reference = announcer.remove(given["fields"], true)
		print("TURN ", to_json({
			"path": request.path,
			"headers": request.headers,
			"body": request.body,
			"pause": pause,
			"id": announcer.id,
			"problem": announcer.problem,
			"verification": announcer.verification,
			"measures": announcer.is_to_measure,
			"beacons": Announcer.beacons_of(answer),
			"removal": removal.body if removal != null else null,
		}))
	quit()
