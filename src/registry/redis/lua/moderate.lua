-- Takes over what moderators have decided, if the replica knew all that had been decided before. This is a visible
-- change: the list of any version is that of one moderation.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   known_version      of the moderation that the replica knew
--   moderation         see settings.lua
-- Returns the version of the change, 0 if another replica was quicker, or the registry is not whole
--#include keys clock versions
--#begin
open_state(new_epoch)
local moderation_version = version_of(call('HGET', settings, 'moderationVersion')) or 0
if not is_whole then return 0 end
-- Above the one before, also if another program wrote that. If the replica does not know that one, it takes it over
-- now.
raise_version(moderation_version)
local new_version = next_version()
if moderation_version ~= tonumber(known_version) then
  save_versions()
  return 0
end
call('HSET', settings, 'moderation', moderation, 'moderationVersion', new_version,
  'moderationAfter', new_version .. ':' .. text(moderation_version))
save_versions()
return new_version
