-- Lists a group of new game servers, one after the other. A broadcast that is repeated with the same id, or is run late,
-- changes nothing.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings. From 10 on follow the records, one for each broadcast
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 deadline (ms by the clock of Redis)
--       From 4 on follow, for each broadcast: id, ip, host, name, port, players, max_players, details, '1' if it claims
--       the entry, client, network (of the client, as a number; both '' if not known), '1' if no quota holds for the client,
--       oldest_release (as the replica knows it: see settings.lua)
-- Returns for each the version of this broadcast, 1 if it was listed before and has changed since, 0 if it was listed
-- before and no longer is, {1, record} listed before and claimed by this, {2, ms} a claimed entry has the address for so
-- long, {3, 1 for the quota of all or 2 for that of the network, limit, count}, {4, version of this broadcast, id of the
-- entry that had to go for it}, -1 nobody has the id, and no entry gets one of its form any more, or its error
--   record   values of TOLD_FIELDS, id, version
--#include keys clock versions records removal addresses quotas
local test_now, new_epoch, deadline = unpack(ARGV, 1, 3)
local FIRST_RECORD, FIRST_BROADCAST = 10, 4
read_clock(test_now)
local late = late_error(deadline)
if late then return late end
open_history(new_epoch)

-- Whether the id is an unlisted one of the form that releases before 0.9 make, and none of these is left.
local function is_outdated(id, oldest_release)
  if not is_unlisted(id) or string.find(id, '^~[0-9A-HJKMNP-TV-Z]+$') and #id == 27 then return false end
  return oldest_release ~= '' or call('HEXISTS', settings, 'oldestRelease') == 1
end

local ARGS = 13
local function broadcast(key, id, ip, host, name, port, players, max_players, details, claims, client, network,
    is_exempt, oldest_release)
  local registered_version, expired_at, claimed = unpack(read_record(key, 'registered_at', 'expired_at', 'claimed'))
  local last_change = call('ZSCORE', changes, id)
  if last_change and registered_version then
    if claims == '1' and not claimed then
      local new_version = publish(id, version_of(last_change) or 0)
      call('HSET', key, 'claimed', '1', 'version', new_version)
      call('ZADD', servers, text(now + TTL_MS), id)
      local told = read_record(key, unpack(TOLD_FIELDS))
      told[#TOLD_FIELDS + 1], told[#TOLD_FIELDS + 2] = id, new_version
      return { 1, told }
    end
    return last_change == registered_version and last_change or 1
  end
  if not last_change and (expired_at or call('ZSCORE', tombstones, id)) then return 0 end
  if not last_change and is_outdated(id, oldest_release) then return -1 end

  local address = address_of(host, ip, port)
  local taken_for = ms_until_free(address, id, key)
  if taken_for then return { 2, taken_for } end
  if is_exempt ~= '1' then
    local rival = rival_at(address, id, key)
    local exceeded = exceeded_by_all(rival) or exceeded_by_network(network, rival)
    if exceeded then return exceeded end
  end
  local replaced = take_address(address, id, key)
  local broadcast_version = publish(id, version_of(last_change) or 0)
  call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'registered_at', broadcast_version, 'version', broadcast_version,
    'kept_until', text(now + LEAK_GUARD_MS))
  write_standing(key, claims, client, '')
  write_field(key, 'details', details)
  count_client(id, network)
  call('PEXPIRE', key, LEAK_GUARD_MS)
  call('ZADD', servers, text(now + TTL_MS), id)
  return replaced and { 4, broadcast_version, replaced } or broadcast_version
end

local replies, version_at_first = {}, version
for i = FIRST_RECORD, #KEYS do
  local first = FIRST_BROADCAST + ARGS * (i - FIRST_RECORD)
  replies[#replies + 1] = broadcast(KEYS[i], unpack(ARGV, first, first + ARGS - 1))
end
if version ~= version_at_first then save_versions() end
return replies
