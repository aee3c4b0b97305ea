-- Lists a group of new game servers, one after the other. A broadcast that is repeated with the same id, or is run late,
-- changes nothing.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings. From 10 on follow the records, one for each broadcast
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 deadline (ms by the clock of Redis)
--       From 4 on follow, for each broadcast: id, ip, host, name, port, players, max_players, details, '1' if it claims
--       the entry, client, network (of the client, as a number; both '' if not known), '1' if no quota holds for the
--       client, predecessor (id of the entry in whose place it comes; '' if there is none), proof for that ('token' or
--       'wrong'), form of the id ('former' if releases before 0.9 make it, 'over' if no entry gets it any more as far as the
--       replica knows, else ''), place (of its address: see lib/addresses.lua)
-- Returns for each the version of this broadcast, 1 if it was listed before and has changed since, 0 if it was listed
-- before and no longer is, {1, record} listed before and claimed by this, {2, ms} a claimed entry has the address for so
-- long, {3, 1 for the quota of all or 2 for that of the network, limit, count}, -1 nobody has the id, and no entry gets
-- one of its form any more, -4 the caller is not entitled to the predecessor, -5 only a whole registry can tell, or its
-- error. Where others had to go for it {4, one of the first two}, or {1, record}, is followed by their ids, each with the
-- version of its tombstone, '' if it had expired
--   record   values of TOLD_FIELDS, id, version
--#include keys clock versions records removal addresses quotas
local test_now, new_epoch, deadline = unpack(ARGV, 1, 3)
local FIRST_RECORD, FIRST_BROADCAST = 10, 4
local OUTDATED_ID, NOT_ENTITLED = -1, -4
read_clock(test_now)
local late = late_error(deadline)
if late then return late end
open_history(new_epoch)

local function is_outdated(form)
  return form == 'over' or form == 'former' and call('HEXISTS', settings, 'oldestRelease') == 1
end

-- The record and the address of an entry, listed or not yet lapsed; nil if there is none.
local function find_entry(id, key)
  local ip, host, port, expired_at = unpack(read_record(key, 'ip', 'host', 'port', 'expired_at'))
  local is_there = ip and (not expired_at or now < (number_of(expired_at) or now) + REVIVE_WINDOW_MS)
  return is_there and { id = id, key = key, address = address_of(host, ip, port) } or nil
end

local ARGS = 16
local function broadcast(key, id, ip, host, name, port, players, max_players, details, claims, client, network,
    is_exempt, predecessor_id, proof, form, place)
  local predecessor = predecessor_id ~= '' and find_entry(predecessor_id, record_of(predecessor_id, id, key))
  if predecessor and proof ~= 'token' then return NOT_ENTITLED end
  local gone = {}
  local function remove_predecessor()
    if not predecessor then return end
    local was_listed = remove_for_good(predecessor.id, predecessor.key, predecessor.address)
    gone[1], gone[2] = predecessor.id, was_listed and version_text or ''
  end
  local function with_gone(reply)
    if #gone == 0 then return reply end
    if type(reply) ~= 'table' then reply = { 4, reply } end
    for _, each in ipairs(gone) do reply[#reply + 1] = each end
    return reply
  end

  local registered_version, expired_at, claimed = unpack(read_record(key, 'registered_at', 'expired_at', 'claimed'))
  local last_change = call('ZSCORE', changes, id)
  if last_change and registered_version then
    remove_predecessor()
    if claims == '1' and not claimed then
      local new_version = publish(id, version_of(last_change) or 0)
      call('HSET', key, 'claimed', '1', 'version', new_version)
      call('ZADD', servers, text(now + TTL_MS), id)
      local told = read_record(key, unpack(TOLD_FIELDS))
      told[#TOLD_FIELDS + 1], told[#TOLD_FIELDS + 2] = id, new_version
      return with_gone({ 1, told })
    end
    return with_gone(last_change == registered_version and last_change or 1)
  end
  if not last_change and (expired_at or call('ZSCORE', tombstones, id)) then return 0 end
  -- A tombstone may be lost, an entry at the address, one that counts, or this very id.
  if not is_whole then return NOT_WHOLE end
  if not last_change and is_outdated(form) then return OUTDATED_ID end

  local address = address_of(host, ip, port)
  compare_at(address, place)
  local refused = refuse_address(address, id, key)
  if refused then return refused end
  if is_exempt ~= '1' then
    local leaving = { predecessor and predecessor.id or nil }
    leaving[#leaving + 1] = rival_at(address, id, key)
    local exceeded = exceeded_by_all(leaving) or exceeded_by_network(network, leaving)
    if exceeded then return exceeded end
  end
  remove_predecessor()
  local rival, tombstone_version = take_address(address, id, key)
  if rival then gone[#gone + 1], gone[#gone + 2] = rival, tombstone_version end
  local broadcast_version = publish(id, version_of(last_change) or 0)
  call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'registered_at', broadcast_version, 'version', broadcast_version,
    'kept_until', text(now + LEAK_GUARD_MS))
  write_standing(key, claims, client, '')
  write_field(key, 'details', details)
  count_client(id, network)
  call('PEXPIRE', key, LEAK_GUARD_MS)
  call('ZADD', servers, text(now + TTL_MS), id)
  return with_gone(broadcast_version)
end

local replies, version_at_first = {}, version
for i = FIRST_RECORD, #KEYS do
  local first = FIRST_BROADCAST + ARGS * (i - FIRST_RECORD)
  replies[#replies + 1] = broadcast(KEYS[i], unpack(ARGV, first, first + ARGS - 1))
end
if version ~= version_at_first then save_versions() end
return replies
