class_name GslsTokenFile
extends RefCounted
## Keeps the server token where the game server finds it again, so that a restart keeps the id. Only the user of the
## game server may read the file.

## A file of more bytes holds no token.
const _MOST_BYTES := 4096
const _CLAIMS := "The broadcast claims a new id."

## What is wrong with the file, and which one it is, in sentences; empty if all is well.
var problem: String = ""
## Whether the token is in it.
var is_kept: bool = false

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
		problem = "The token file %s cannot be read: %s. %s" % [_path, error_string(FileAccess.get_open_error()), _CLAIMS]
		return ""
	var text: String = file.get_buffer(_MOST_BYTES + 1).get_string_from_ascii().strip_edges()
	if text.is_empty() or text.length() > _MOST_BYTES or RegEx.create_from_string("[^ -~]").search(text) != null:
		problem = "The token file %s holds no token. %s" % [_path, _CLAIMS]
		return ""
	is_kept = true
	return text


## Writes it beside the file, and renames that, so that the file is never half written.
func write(token: String) -> void:
	problem = ""
	is_kept = false
	var beside: String = _path + ".new"
	# What is there may be a link to another file.
	DirAccess.remove_absolute(beside)
	var file: FileAccess = FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		_tell_failure(FileAccess.get_open_error())
		return
	# Before the token is in it. Windows and browsers have no such permissions.
	FileAccess.set_unix_permissions(beside, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	file.store_string(token)
	var error: Error = file.get_error()
	file.close()
	if error == OK:
		error = DirAccess.rename_absolute(beside, _path)
	is_kept = error == OK
	if error != OK:
		_tell_failure(error)


func _tell_failure(error: Error) -> void:
	var words: String = "The token file %s cannot be written: %s. The next start gets another id."
	problem = words % [_path, error_string(error)]
