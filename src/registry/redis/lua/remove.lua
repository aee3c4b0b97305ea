-- Removes a game server for good: no ping brings it back.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 record
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   id
--   ip                 '' for any
--   proof              '', 'token' or 'wrong'
--   is_repetition      1 if an earlier attempt may have run
-- Returns
--   {REMOVED, version}      removed
--   DONE                    removed: it had expired before
--   OTHER_IP                the IP is another
--   DAMAGED                 the record is damaged
--   NOT_ENTITLED            the caller is not entitled
--   {UNKNOWN, loss, whole}  see lib/unknown.lua
--#include keys clock versions unknown records removal addresses
--#begin
local FIELDS = { 'ip', 'host', 'port', 'expired_at', 'claimed' }
local found = by_name(FIELDS, call('HMGET', record, unpack(FIELDS)))
if not found.ip then
  local tombstone_version = is_repetition == '1' and call('ZSCORE', tombstones, id)
  if tombstone_version then return { REMOVED, tombstone_version } end
  if call('ZSCORE', servers, id) then return DAMAGED end
  return unknown_reply()
end
if found.expired_at and now >= (number_of(found.expired_at) or now) + REVIVE_WINDOW_MS then return unknown_reply() end
if not is_entitled(proof, found.claimed) then return NOT_ENTITLED end
if ip ~= '' and found.ip ~= ip then return OTHER_IP end

open_state(new_epoch)
local was_listed = remove_for_good(id, record, address_of(found.host, found.ip, found.port))
save_versions()
return was_listed and { REMOVED, version_text } or DONE
