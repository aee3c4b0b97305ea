-- Restores what Redis has lost and a replica still knows: removes again the entries that were removed, and lists again
-- those that were listed, in their old places. Only a state older than that of the replica is replaced, so any number
-- of replicas can restore at once, in any order, with the same result.
-- GSLS gives each change of an IP a version of its own. So a record with another IP at a version that a replica knows,
-- or an older one, was forged, and the replica restores what it knows. A claim is restored at any version.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   record_prefix
--   known_version      up to which the replica knew everything
--   replica            its name
--   holds              1 if the registry has to wait until this replica has sent all: see declare-whole.lua
--   tombstone_count, parked_count, entry_count
-- ARGV for each tombstone
--   id, removed_version
--   revival            1 if a ping can revive it, 2 if it is claimed as well; else ''
-- ARGV for each parked
--   id, removed_version, parked_until, registered_version
--   ip, host, name, port, players, max_players, details, client, reachability, seen
--   network            of the client, as a number
-- ARGV for each entry
--   id, told_version, registered_version
--   ip, host, name, port, players, max_players, details, claimed, client, reachability, seen
--   network            of the client, as a number
--   place              of its address: see lib/addresses.lua
--   lifetime           of an entry of another protocol: see lib/lifetimes.lua; else ''
--   links              of such an entry, separated by commas
--   document           of such an entry; '' if the replica does not have it
-- Returns the ids that are listed again
--
-- Fields that a restored record has in addition:
--   restored_from               version the replica knew: until the entry changes, it counts as old as that
--   restored_until              ms: the deadline it got, if it was listed again
--   restored_tombstone_version  version of the tombstone it got, if it was removed again
--#include keys clock lifetimes versions records removal addresses quotas
--#begin
known_version, tombstone_count = tonumber(known_version), tonumber(tombstone_count)
parked_count, entry_count = tonumber(parked_count), tonumber(entry_count)
open_state(new_epoch)

if holds == '1' then
  -- By this name replicas know that Redis has lost nothing since they wrote back.
  if is_whole then note_loss('held.' .. new_epoch) end
  call('HSET', state, 'restorer:' .. replica, text(now))
end

-- Whether the state of the id in Redis is older than this version; and its record. A record that lacks something counts
-- as none, and so does one that has another IP or claim at this very version: GSLS wrote neither.
local function is_news(told_version, id, ip, claimed, ttl)
  local deadline, tombstone_version = number_of(call('ZSCORE', servers, id)), number_of(call('ZSCORE', tombstones, id))
  local record = read_record(record_prefix .. id, 'restored_from', 'restored_until', 'restored_tombstone_version',
    'claimed', unpack(RECORD_FIELDS))
  local restored_from = number_of(record.restored_from)
  if deadline and ip then
    if not is_sound(record) then return true, record end
    -- A claim is never taken back: a later state without it, of Redis or of a replica, does not come from the owner.
    if claimed == '1' and not record.claimed and told_version > (restored_from or 0) then return true, record end
    local differs = record.ip ~= ip or (record.claimed or '') ~= claimed
    if differs and version_of(record.version) <= told_version then return true, record end
    if record.claimed and claimed ~= '1' then return false, record end
  end
  local present, restored = tombstone_version, number_of(record.restored_tombstone_version)
  if deadline then present, restored = deadline, number_of(record.restored_until) end
  if restored_from and present and present == restored then return told_version > restored_from, record end
  if not deadline then return told_version > (tombstone_version or 0), record end
  -- A game server that has pinged since is alive after all, and has sent all there is to know.
  local last_change = number_of(call('ZSCORE', changes, id)) or 0
  return told_version > last_change and deadline <= told_version / 1000 + (ttl or ttl_of(id)), record
end

local function note_restored(key, told_version, field, value)
  call('HDEL', key, 'restored_until', 'restored_tombstone_version')
  call('HSET', key, 'restored_from', told_version, field, value)
end

-- Whether the entry may take the address. Of two entries the one that registered last has it, unless the other is
-- claimed: then Redis had lost the claimed one when the later one came.
local function may_take(address, id, registered_version, claimed)
  local holder = holder_of(address)
  if not holder or holder == id or is_unlisted(id) then return true end
  local record = read_record(record_prefix .. holder, 'registered_at', 'claimed')
  local is_later = tonumber(registered_version) > (number_of(record.registered_at) or 0)
  if IS_SOURCE_VERIFIED then return is_later end
  if is_later then return not record.claimed end
  return claimed == '1'
end

-- New versions are above all that the replica knew.
raise_version(known_version)

for _ = 1, tombstone_count do
  --#take tombstone
  local is_newer, old = is_news(tonumber(removed_version), id)
  if is_newer then
    local key = record_prefix .. id
    local was_listed = unlist_with_tombstone(id, address_of(old.host, old.ip, old.port))
    if not was_listed then
      call('ZADD', tombstones, removed_version, id)
      raise_version(tonumber(removed_version))
    end
    if revival == '' then
      forget(id, key)
    elseif old.ip then
      if revival == '2' then call('HSET', key, 'claimed', '1') end
      if was_listed then
        keep_for_revival(id, key, text(now))
        note_restored(key, removed_version, 'restored_tombstone_version', version_text)
      end
    end
  end
end

local floor = trim_tombstones(version_of(call('HGET', state, 'floor')) or 0)
local listed_again = {}
-- A replica behind the floor may know an entry as listed or parked whose tombstone was dropped.
if known_version < floor then parked_count, entry_count = 0, 0 end
for _ = 1, parked_count do
  --#take parked
  local key = record_prefix .. id
  local is_newer, old = is_news(tonumber(removed_version), id)
  -- Redis may have lost the record alone.
  if is_newer or not old.ip and number_of(call('ZSCORE', tombstones, id)) == tonumber(removed_version) then
    local was_listed = unlist_with_tombstone(id, address_of(old.host, old.ip, old.port))
    if not was_listed then
      call('ZADD', tombstones, removed_version, id)
      raise_version(tonumber(removed_version))
    end
    call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
      'max_players', max_players, 'registered_at', registered_version, 'version', removed_version)
    write_standing(key, '1', client, reachability, seen)
    write_field(key, 'details', details)
    count_client(id, network)
    keep_parked(id, key, tonumber(parked_until))
    if was_listed then note_restored(key, removed_version, 'restored_tombstone_version', version_text) end
  end
end
for _ = 1, entry_count do
  --#take entry
  local key, address = record_prefix .. id, address_of(host, ip, port)
  compare_at(address, place)
  local ttl = ttl_in(lifetime)
  local is_newer, old = is_news(tonumber(told_version), id, ip, claimed, ttl)
  local takes = is_newer and may_take(address, id, registered_version, claimed)
  if is_newer and (takes or not IS_ADDRESS_UNIQUE) then
    local last_change = call('ZSCORE', changes, id)
    if old.ip then release_address(address_of(old.host, old.ip, old.port), id) end
    if takes then take_address(address, id, key) end
    local deadline = last_change and call('ZSCORE', servers, id) or text(now + ttl)
    call('ZADD', servers, deadline, id)
    end_revival(id, key)
    call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
      'max_players', max_players, 'registered_at', registered_version,
      'version', publish(id, version_of(last_change) or 0), 'kept_until', text(now + LEAK_GUARD_MS))
    write_standing(key, claimed, client, reachability, seen)
    write_field(key, 'details', details)
    if lifetime ~= '' then
      call('ZADD', lifetimes, lifetime, id)
      write_field(key, 'links', links_until(links, text(now + ttl)))
      if document ~= '' then call('HSET', key, 'document', document) end
    end
    count_client(id, network)
    count_document(id, key, network)
    note_restored(key, told_version, 'restored_until', deadline)
    call('PEXPIRE', key, LEAK_GUARD_MS)
    if not last_change then listed_again[#listed_again + 1] = id end
  end
end
save_versions()
return listed_again
