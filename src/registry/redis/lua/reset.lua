-- Empties the registry, a part at each call. Every follower of the feed is then behind the floor, so it loads
-- everything anew and does not mistake the reset for a loss. The settings stay.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   record_prefix
-- Returns {how many entries, how many tombstones were deleted}; {0, 0} when there is nothing left
--#include keys clock versions removal
--#begin
open_state(new_epoch)

local listed = call('ZRANGE', servers, 0, BATCH_LIMIT - 1)
for _, id in ipairs(listed) do
  unlist(id)
  forget(id, record_prefix .. id)
end
local remembered = 0
-- The tombstone of a parked entry may have been dropped.
for _, key in ipairs({ tombstones, expired }) do
  for _, id in ipairs(call('ZRANGE', key, 0, BATCH_LIMIT - 1)) do
    call('ZREM', key, id)
    forget(id, record_prefix .. id)
    remembered = remembered + 1
  end
end
if #listed < BATCH_LIMIT then call('DEL', addresses, player_log, clients, lifetimes, documents) end
local reset_version = next_version()
call('HSET', state, 'floor', reset_version, 'resetAs', reset_version)
save_versions()
return { #listed, remembered }
