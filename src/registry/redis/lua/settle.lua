-- Says that the registry is whole: all replicas have told what they knew of before the last loss. Not before each of
-- those that are at it has said so, or has been silent for too long.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 epoch the replica means  4 loss the replica means
--       5 what is to be added to the digest, as the replica's copy tells  6 name of the replica, who has told all
--       7 longest silence of a replica that restores, ms
-- Returns 1 if it is whole, 0 if not yet
--#include keys time versions
local RESTORER = 'restorer:'
call('HDEL', state, RESTORER .. ARGV[6])
if epoch ~= ARGV[3] or loss ~= ARGV[4] then return 0 end
if is_whole then return 1 end
local fields = call('HGETALL', state)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, #RESTORER) == RESTORER then
    local heard_at = number_of(fields[i + 1]) or 0
    if heard_at <= now and now - heard_at < ARGV[7] + 0 then return 0 end
    call('HDEL', state, fields[i])
  end
end
digest = (digest + ARGV[5]) % DIGEST_MODULUS
save_versions()
call('HSET', state, 'wholeAt', text(now))
return 1
