-- Renews a game server, listed or lately expired, and takes over what it says of itself.
-- A ping that changes nothing visible moves the deadline and touches nothing else.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 id  4 ip  5 host  6 name  7 port  8 players
--       9 max_players  10 ttl, ms  11 leak guard, ms  12 '1' if the address is unique  13 prefix of records
--       14 revive window, ms
-- Returns 1 renewed, -1 the IP is another, -2 the record is damaged,
-- {1, version, registered_at} renewed and changed, {0, loss, 1 if the registry is whole} unknown
--#include keys time
local record, id, ip, leak_guard = KEYS[6], ARGV[3], ARGV[4], ARGV[11]
local before = call('HMGET', record, 'ip', 'host', 'name', 'port', 'players', 'max_players',
  'kept_until', 'version', 'registered_at')
if not (before[1] and before[2] and before[3] and before[4] and before[5] and before[6]
  and number_of(before[8]) and number_of(before[9])) then
  if before[1] or call('ZSCORE', servers, id) then return -2 end
  --#include unknown
end

-- XX CH answers 1 if the deadline of a listed id moved; 0 also if it is the very same millisecond's.
local deadline = text(now + ARGV[10])
local moved = before[1] == ip and call('ZADD', servers, 'XX', 'CH', deadline, id) == 1
local listed = moved or call('ZSCORE', servers, id)
if not listed then
  local expired_at = number_of(call('HGET', record, 'expired_at')) or now
  if now >= expired_at + ARGV[14] then
    --#include unknown
  end
end
if before[1] ~= ip then return -1 end

-- The record's own expiry is a leak guard, far away: renewed once it is half used up, not with each ping.
if not listed or (number_of(before[7]) or 0) - now < leak_guard / 2 then
  call('HSET', record, 'kept_until', text(now + leak_guard))
  call('PEXPIRE', record, leak_guard)
end

local same_address = before[2] == ARGV[5] and before[4] == ARGV[7]
if listed and same_address and before[3] == ARGV[6] and before[5] == ARGV[8] and before[6] == ARGV[9] then
  return 1
end

--#include versions
if not listed or not same_address then
  --#include removal addresses
  release_address(address_of(before[2], before[1], before[4]), id)
  claim_address(address_of(ARGV[5], ip, ARGV[7]), id, ARGV[12] == '1', ARGV[13])
end
if not listed then
  call('ZADD', servers, deadline, id)
  call('ZREM', removed, id)
  call('HDEL', record, 'expired_at')
end
local version_now = show(id, listed and tonumber(before[8]) or 0)
if same_address and before[3] == ARGV[6] and before[6] == ARGV[9] then
  call('HSET', record, 'players', ARGV[8], 'version', version_now)
else
  call('HSET', record, 'host', ARGV[5], 'name', ARGV[6], 'port', ARGV[7], 'players', ARGV[8],
    'max_players', ARGV[9], 'version', version_now)
end
save_versions()
return { 1, version_now, before[9] }
