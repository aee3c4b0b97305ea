-- Removes a game server for good: no ping brings it back. Or parks it: a broadcast with its token does, for a while.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   id
--   ip                 '' for any
--   proof              '', 'token' or 'wrong'
--   parks              1 to park it
--   is_repetition      1 if an earlier attempt may have run
-- Returns
--   {REMOVED, version}      removed
--   {PARKED, version, until, record}  parked, until then: see lib/records.lua
--   DONE                    removed: it had expired before; or it is parked already
--   OTHER_IP                the IP is another
--   DAMAGED                 the record is damaged
--   NOT_ENTITLED            the caller is not entitled
--   {UNKNOWN, loss, whole}  see lib/unknown.lua
--#include keys clock versions unknown records removal addresses
--#begin
local FIELDS = { 'ip', 'host', 'port', 'expired_at', 'parked_until', 'claimed' }
local found = by_name(FIELDS, call('HMGET', record, unpack(FIELDS)))
if not found.ip then
  local tombstone_version = is_repetition == '1' and call('ZSCORE', tombstones, id)
  if tombstone_version then return { REMOVED, tombstone_version } end
  if call('ZSCORE', servers, id) then return DAMAGED end
  return unknown_reply()
end
if found.expired_at and now >= lapse_of(found.expired_at, found.parked_until) then return unknown_reply() end
if not is_entitled(proof, found.claimed) then return NOT_ENTITLED end
if ip ~= '' and found.ip ~= ip then return OTHER_IP end
if parks == '1' and found.parked_until and is_repetition ~= '1' then return DONE end

open_state(new_epoch)
local address = address_of(found.host, found.ip, found.port)
if parks ~= '1' then
  local has_tombstone = remove_for_good(id, record, address)
  save_versions()
  return has_tombstone and { REMOVED, version_text } or DONE
end

local parked_until = number_of(found.parked_until)
if not parked_until then
  check_types(id)
  parked_until = now + KEEP_ID_MS
  -- Replicas have to learn of one that had expired as well.
  if not unlist_with_tombstone(id, address) then call('ZADD', tombstones, next_version(), id) end
  keep_parked(id, record, parked_until)
  save_versions()
end
local parked_version = call('ZSCORE', tombstones, id) or version_text
local told = tell(read_values(record, unpack(TOLD_FIELDS)), id, parked_version)
return { PARKED, parked_version, text(parked_until), told }
