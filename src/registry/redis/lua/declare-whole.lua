-- Declares the registry whole: all replicas have written back what they knew before the last loss. It waits for each
-- replica that is restoring, until that has sent all as well, or has been silent for too long.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   known_epoch, known_loss  those from which the replica has recovered
--   digest_offset      what to add to the digest so that it agrees with the copy of the replica
--   replica            its name; it has sent all
-- Returns 1 if the registry is whole, 0 if not yet
--#include keys clock versions
--#begin
open_state(new_epoch)

local RESTORER = 'restorer:'
call('HDEL', state, RESTORER .. replica)
if epoch ~= known_epoch or loss ~= known_loss then return 0 end
if is_whole then return 1 end
local fields = call('HGETALL', state)
for i = 1, #fields, 2 do
  local field, heard_at = fields[i], fields[i + 1]
  if string.sub(field, 1, #RESTORER) == RESTORER then
    heard_at = number_of(heard_at) or 0
    if heard_at <= now and now - heard_at < LONGEST_RESTORER_SILENCE_MS then return 0 end
    call('HDEL', state, field)
  end
end
digest = (digest + digest_offset) % DIGEST_MODULUS
save_versions()
call('HSET', state, 'wholeAt', text(now))
return 1
