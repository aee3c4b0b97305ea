# Godot 3. Measures the beacons of res://beacons.json, and prints what it finds.
extends SceneTree

const Meter = preload("res://meter.gd")


func _init() -> void:
	var file := File.new()
	if file.open("res://beacons.json", File.READ) != OK:
		quit(1)
		return
	var meter: Node = Meter.new()
	get_root().add_child(meter)
	if meter.connect("measured", self, "_tell") == OK:
		meter.measure(parse_json(file.get_as_text()))


func _tell(latency: Dictionary) -> void:
	print("FOUND ", to_json(latency))
	quit()
