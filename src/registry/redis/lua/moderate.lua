-- Stores the decisions of moderators, if the replica knew all decisions before them. This is a visible change: each
-- version of the list goes by one state of the decisions.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   known_version      of the decisions that the replica knew
--   moderation         see settings.lua
-- Returns the version of the change, 0 if another replica was quicker, or the registry is not whole
--#include keys clock versions
--#begin
open_state(new_epoch)
local moderation_version = version_of(call('HGET', settings, 'moderationVersion')) or 0
if not is_whole then return 0 end
-- The new version is above the one before, even if another program wrote that. A replica that does not know the one
-- before adopts it now.
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
