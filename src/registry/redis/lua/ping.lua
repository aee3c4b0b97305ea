-- Renews a game server, listed or lately expired, and takes over what it says of itself.
-- A ping that changes nothing visible moves the deadline and touches nothing else.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 record
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 id  4 ip  5 host  6 name
--       7 port  8 players  9 max_players
-- Returns 1 renewed, -1 the IP is another, -2 the record is damaged,
-- {1, version, version of the broadcast} renewed and changed, {0, loss, 1 if the registry is whole} unknown
--#include keys clock unknown
local test_now, new_epoch, id, ip, host, name, port, players, max_players = unpack(ARGV)
read_clock(test_now)
local old_ip, old_host, old_name, old_port, old_players, old_max_players, kept_until, old_version, registered_version =
  unpack(call('HMGET', record, 'ip', 'host', 'name', 'port', 'players', 'max_players',
    'kept_until', 'version', 'registered_at'))
if not (old_ip and old_host and old_name and old_port and old_players and old_max_players
  and number_of(old_version) and number_of(registered_version)) then
  if old_ip or call('ZSCORE', servers, id) then return -2 end
  return unknown_reply()
end

-- XX CH answers 1 if the deadline of a listed id moved; 0 also if it is the very same millisecond's.
local deadline = text(now + TTL_MS)
local moved = old_ip == ip and call('ZADD', servers, 'XX', 'CH', deadline, id) == 1
local listed = moved or call('ZSCORE', servers, id)
if not listed then
  local expired_at = number_of(call('HGET', record, 'expired_at')) or now
  if now >= expired_at + REVIVE_WINDOW_MS then return unknown_reply() end
end
if old_ip ~= ip then return -1 end

-- The record's own expiry is a leak guard, far away: renewed once it is half used up, not with each ping.
if not listed or (number_of(kept_until) or 0) - now < LEAK_GUARD_MS / 2 then
  call('HSET', record, 'kept_until', text(now + LEAK_GUARD_MS))
  call('PEXPIRE', record, LEAK_GUARD_MS)
end

local same_address = old_host == host and old_port == port
local only_players = same_address and old_name == name and old_max_players == max_players
if listed and only_players and old_players == players then return 1 end

-- Most pings end before this line: to define these functions for nothing would cost each of them a quarter more.
--#include versions removal addresses
open_history(new_epoch)
if not listed or not same_address then
  release_address(address_of(old_host, old_ip, old_port), id)
  claim_address(address_of(host, ip, port), id, record)
end
if not listed then
  call('ZADD', servers, deadline, id)
  call('ZREM', tombstones, id)
  call('HDEL', record, 'expired_at')
end
local new_version = publish(id, listed and tonumber(old_version) or 0)
if only_players then
  call('HSET', record, 'players', players, 'version', new_version)
else
  call('HSET', record, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'version', new_version)
end
save_versions()
return { 1, new_version, registered_version }
