class_name GslsTokenFile
extends RefCounted
## Keeps the server token where the game server finds it again, so that a restart keeps the id. Only the user of the
## game server may read the file.

## A file of more bytes holds no token.
const _MOST_BYTES := 4096

## What is wrong with the file, and which one it is; empty if all is well.
var problem: String = ""

var _path: String


func _init(path: String) -> void:
	_path = path


## The token; empty if the file has none.
func read() -> String:
	problem = ""
	if not FileAccess.file_exists(_path):
		return ""
	var file: FileAccess = FileAccess.open(_path, FileAccess.READ)
	if file == null:
		problem = "%s cannot be read: %s" % [_path, error_string(FileAccess.get_open_error())]
		return ""
	var text: String = file.get_buffer(_MOST_BYTES + 1).get_string_from_ascii().strip_edges()
	if text.length() > _MOST_BYTES or RegEx.create_from_string("[^ -~]").search(text) != null:
		problem = "%s holds no token" % _path
		return ""
	return text


## Writes it beside the file, and renames that, so that the file is never half written.
func write(token: String) -> void:
	problem = ""
	var beside: String = _path + ".new"
	var file: FileAccess = FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		problem = "%s cannot be written: %s" % [beside, error_string(FileAccess.get_open_error())]
		return
	# Before the token is in it. Windows and browsers have no such permissions.
	FileAccess.set_unix_permissions(beside, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	file.store_string(token)
	var error: Error = file.get_error()
	file.close()
	if error == OK:
		error = DirAccess.rename_absolute(beside, _path)
	if error != OK:
		problem = "%s cannot be written: %s" % [_path, error_string(error)]
