-- Lists a group of new game servers, one after the other. A broadcast that is repeated with the same id, or is run late,
-- changes nothing.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       From 7 on follow the records, one for each broadcast
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)
--       From 3 on follow, for each broadcast: id, ip, host, name, port, players, max_players
-- Returns for each the version of this broadcast, 1 if it was listed before and has changed since, 0 if it was listed
-- before and no longer is, or its error
--#include keys clock versions records removal addresses
local test_now, new_epoch = unpack(ARGV, 1, 2)
local FIRST_RECORD, FIRST_BROADCAST = 7, 3
read_clock(test_now)
open_history(new_epoch)

local function broadcast(key, id, ip, host, name, port, players, max_players)
  local registered_version, expired_at = unpack(read_record(key, 'registered_at', 'expired_at'))
  local last_change = call('ZSCORE', changes, id)
  if last_change and registered_version then return last_change == registered_version and last_change or 1 end
  if not last_change and (expired_at or call('ZSCORE', tombstones, id)) then return 0 end

  claim_address(address_of(host, ip, port), id, key)
  local broadcast_version = publish(id, version_of(last_change) or 0)
  call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'registered_at', broadcast_version, 'version', broadcast_version,
    'kept_until', text(now + LEAK_GUARD_MS))
  call('PEXPIRE', key, LEAK_GUARD_MS)
  call('ZADD', servers, text(now + TTL_MS), id)
  return broadcast_version
end

local replies, version_at_first = {}, version
for i = FIRST_RECORD, #KEYS do
  local first = FIRST_BROADCAST + 7 * (i - FIRST_RECORD)
  replies[#replies + 1] = broadcast(KEYS[i], unpack(ARGV, first, first + 6))
end
if version ~= version_at_first then save_versions() end
return replies
