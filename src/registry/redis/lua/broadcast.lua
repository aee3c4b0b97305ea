-- Lists a group of new game servers, one after the other. A broadcast that is repeated with the same id, or is run
-- late, changes nothing.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents. From 12 on the records, one for each broadcast
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
-- ARGV for each broadcast
--   id, ip, host, name, port, players, max_players, details
--   claims             1 if it claims the entry
--   client, network    of the client; the network as a number; both '' if not known
--   is_exempt          1 if no quota holds for the client
--   predecessor_id     of the entry that it replaces; '' if there is none
--   predecessor_proof  'token' or 'wrong'
--   place              of its address: see lib/addresses.lua
-- Returns for each broadcast
--   its version                                this broadcast lists it, or did so before
--   DONE                                       it was listed before and has changed since
--   UNLISTED                                   it was listed before and no longer is
--   {CLAIMED, record}                          it was listed before, and this claims it: see lib/records.lua
--   {WITH_GONE, one of these, ids}             it replaced others: each id is followed by the version of its
--                                              tombstone, '' if it had expired
--   {ADDRESS_TAKEN, ms}                        a claimed entry has the address for so long
--   {QUOTA_EXCEEDED, which, limit, count}      1 for the quota of all, 2 for that of the network
--   NOT_ENTITLED                               the caller is not entitled to the predecessor
--   NOT_WHOLE                                  only a whole registry can decide
--   an error                                   that concerns this one alone
--#include keys clock versions records removal addresses quotas
--#begin
open_state(new_epoch)

-- The key of the record and the address of an entry that is listed or can be revived; nil if there is none.
local function find_entry(id, key)
  local found = read_record(key, 'ip', 'host', 'port', 'expired_at', 'parked_until')
  local is_there = found.ip and (not found.expired_at or now < lapse_of(found.expired_at, found.parked_until))
  return is_there and { id = id, key = key, address = address_of(found.host, found.ip, found.port) } or nil
end

local function broadcast(key)
  --#take broadcast
  local predecessor = predecessor_id ~= '' and find_entry(predecessor_id, record_of(predecessor_id, id, key))
  if predecessor and predecessor_proof ~= 'token' then return NOT_ENTITLED end
  local gone = {}
  local function remove_predecessor()
    if not predecessor then return end
    local has_tombstone = remove_for_good(predecessor.id, predecessor.key, predecessor.address)
    gone[1], gone[2] = predecessor.id, has_tombstone and version_text or ''
  end
  local function with_gone(reply)
    return #gone > 0 and { WITH_GONE, reply, gone } or reply
  end

  local old = read_record(key, 'registered_at', 'expired_at', 'claimed')
  local last_change = call('ZSCORE', changes, id)
  if last_change and old.registered_at then
    remove_predecessor()
    if claims == '1' and not old.claimed then
      local new_version = publish(id, version_of(last_change) or 0)
      call('HSET', key, 'claimed', '1', 'version', new_version)
      call('ZADD', servers, text(now + TTL_MS), id)
      return with_gone({ CLAIMED, tell(read_values(key, unpack(TOLD_FIELDS)), id, new_version) })
    end
    return with_gone(last_change == old.registered_at and last_change or DONE)
  end
  if not last_change and (old.expired_at or call('ZSCORE', tombstones, id)) then return UNLISTED end
  -- Redis may have lost a tombstone, an entry at the address, one that counts for a quota, or this very id.
  if not is_whole then return NOT_WHOLE end

  local address = address_of(host, ip, port)
  compare_at(address, place)
  local refused = refuse_address(address, id, key)
  if refused then return refused end
  if is_exempt ~= '1' then
    local leaving = { predecessor and predecessor.id or nil }
    leaving[#leaving + 1] = rival_at(address, id, key)
    local exceeded = exceeded_by_entry(id, false, network, leaving)
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
for i = FIRST_RECORD, #KEYS do replies[#replies + 1] = broadcast(KEYS[i]) end
if version ~= version_at_first then save_versions() end
return replies
