-- Renews a game server, listed or lately expired, and takes over what it says of itself.
-- A ping that changes nothing visible moves the deadline and touches nothing else.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 id  3 ip  4 host  5 name  6 port  7 players  8 max_players  9 ttl, ms
--       10 leak guard, ms  11 '1' if the address is unique  12 prefix of records  13 revive window, ms
-- Returns 1 refreshed, 0 unknown, -1 the IP is another
--#include keys time
local record, id, ip, leak_guard = KEYS[6], ARGV[2], ARGV[3], ARGV[10]
local before = call('HMGET', record, 'ip', 'host', 'name', 'port', 'players', 'max_players',
  'kept_until', 'version')
if not before[1] then return 0 end

-- XX CH answers 1 if the deadline of a listed id moved; 0 also if it is the very same millisecond's.
local deadline = text(now + ARGV[9])
local moved = before[1] == ip and call('ZADD', servers, 'XX', 'CH', deadline, id) == 1
local listed = moved or call('ZSCORE', servers, id)
if not listed then
  local expired_at = tonumber(call('HGET', record, 'expired_at') or deadline)
  if now >= expired_at + ARGV[13] then return 0 end
end
if before[1] ~= ip then return -1 end

-- The record's own expiry is a leak guard, far away: renewed once it is half used up, not with each ping.
if not listed or (tonumber(before[7]) or 0) - now < leak_guard / 2 then
  call('HSET', record, 'kept_until', text(now + leak_guard))
  call('PEXPIRE', record, leak_guard)
end

local same_address = before[2] == ARGV[4] and before[4] == ARGV[6]
if listed and same_address and before[3] == ARGV[5] and before[5] == ARGV[7] and before[6] == ARGV[8] then
  return 1
end

--#include versions
if not listed or not same_address then
  --#include removal addresses
  release_address(address_of(before[2], before[1], before[4]), id)
  claim_address(address_of(ARGV[4], ip, ARGV[6]), id, ARGV[11] == '1', ARGV[12])
end
if not listed then
  call('ZADD', servers, deadline, id)
  call('ZREM', removed, id)
  call('HDEL', record, 'expired_at')
end
local version_now = show(id, listed and tonumber(before[8]) or 0)
if same_address and before[3] == ARGV[5] and before[6] == ARGV[8] then
  call('HSET', record, 'players', ARGV[7], 'version', version_now)
else
  call('HSET', record, 'host', ARGV[4], 'name', ARGV[5], 'port', ARGV[6], 'players', ARGV[7],
    'max_players', ARGV[8], 'version', version_now)
end
save_versions()
return 1
