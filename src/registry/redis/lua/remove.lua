-- Takes a game server off the list for good: no ping brings it back.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 id  4 ip  5 revive window, ms
--       6 '1' if an attempt before may have been carried out
-- Returns 1 removed (it had expired before, or an attempt before removed it), -1 the IP is another,
-- -2 the record is damaged, {1, version} removed, {0, loss, 1 if the registry is whole} unknown
--#include keys time
local record, id, ip = KEYS[6], ARGV[3], ARGV[4]
local before = call('HMGET', record, 'ip', 'host', 'port', 'expired_at')
if not before[1] then
  local removed_as = ARGV[6] == '1' and call('ZSCORE', removed, id)
  if removed_as then return { 1, removed_as } end
  if call('ZSCORE', servers, id) then return -2 end
  --#include unknown
end
if before[4] and now >= (number_of(before[4]) or now) + ARGV[5] then
  --#include unknown
end
if before[1] ~= ip then return -1 end

--#include versions removal addresses
local was_listed = hide(id, address_of(before[2], before[1], before[3]))
call('DEL', record)
save_versions()
return was_listed and { 1, version_text } or 1
