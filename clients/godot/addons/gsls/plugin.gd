@tool
extends EditorPlugin
## Makes gsls.gd the autoload `Gsls` of the project, as long as the plugin is enabled.

const _AUTOLOAD := "Gsls"


func _enable_plugin() -> void:
	add_autoload_singleton(_AUTOLOAD, "res://addons/gsls/gsls.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(_AUTOLOAD)
