extends Node
## The autoload `Gsls`: keeps game servers listed, and takes them off the list when the game is closed.

## What [method announce] may be told besides.
const OPTIONS: Array[String] = ["key", "token_file", "timeout", "insecure", "measure"]

## Whether it ends the game when its window is closed, after the stop.
var _quits: bool = false


## Keeps a game server listed until it is stopped, in the background. [param fields] are those of a broadcast, in the
## words of the API; [param options] are properties of the announcement: [constant OPTIONS].
## Returns null, after an error that says why, for a URL, a key or an option that cannot be right.
func announce(url: String, fields: Dictionary, options: Dictionary = {}) -> GslsAnnouncement:
	var announcement: GslsAnnouncement = GslsAnnouncement.new()
	announcement.url = url
	announcement.fields = fields.duplicate(true)
	for option: String in options:
		if not option in OPTIONS:
			return _refuse(announcement, "there is no option \"%s\"" % option)
		announcement.set(option, options[option])
	var fault: String = announcement.find_fault()
	if not fault.is_empty():
		return _refuse(announcement, fault)
	add_child(announcement)
	# Time for the remove: see _notification. Other autoloads may announce before this one is in the tree.
	var tree: SceneTree = Engine.get_main_loop() as SceneTree
	if tree.auto_accept_quit:
		tree.auto_accept_quit = false
		_quits = true
	return announcement


## Stops all that were announced here, side by side. `await` it before `get_tree().quit()`: it is over within 2 s. With a
## token file the id is kept for the next start, unless [param keep_id] is false.
func stop(keep_id: bool = true) -> void:
	var announcements: Array[Node] = get_children()
	for announcement: GslsAnnouncement in announcements:
		announcement.stop(keep_id)
	for announcement: GslsAnnouncement in announcements:
		await announcement.stop()


func _notification(what: int) -> void:
	if what == NOTIFICATION_WM_CLOSE_REQUEST and _quits:
		await stop()
		get_tree().quit()


func _refuse(announcement: GslsAnnouncement, fault: String) -> GslsAnnouncement:
	push_error("GSLS: " + fault)
	announcement.free()
	return null
