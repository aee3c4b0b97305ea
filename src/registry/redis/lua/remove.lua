-- Takes a game server off the list for good: no ping brings it back.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 record
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 deadline (ms by the clock of Redis)
--       4 id  5 ip ('' for whatever it is)  6 proof ('', 'token' or 'wrong')
--       7 is_repetition ('1' if an attempt before may have been carried out)
-- Returns 1 removed (it had expired before, or an attempt before removed it), -1 the IP is another,
-- -2 the record is damaged, -4 the caller is not entitled, {1, version} removed, {0, loss, 1 if the registry is whole} unknown
--#include keys clock versions unknown records removal addresses
local test_now, new_epoch, deadline, id, ip, proof, is_repetition = unpack(ARGV)
read_clock(test_now)
local late = late_error(deadline)
if late then return late end
local registered_ip, host, port, expired_at, claimed =
  unpack(call('HMGET', record, 'ip', 'host', 'port', 'expired_at', 'claimed'))
if not registered_ip then
  local tombstone_version = is_repetition == '1' and call('ZSCORE', tombstones, id)
  if tombstone_version then return { 1, tombstone_version } end
  if call('ZSCORE', servers, id) then return -2 end
  return unknown_reply()
end
if expired_at and now >= (number_of(expired_at) or now) + REVIVE_WINDOW_MS then return unknown_reply() end
if not is_entitled(proof, claimed) then return -4 end
if ip ~= '' and registered_ip ~= ip then return -1 end

open_history(new_epoch)
local was_listed = remove_for_good(id, record, address_of(host, registered_ip, port))
save_versions()
return was_listed and { 1, version_text } or 1
