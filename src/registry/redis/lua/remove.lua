-- Takes a game server off the list for good: no ping brings it back.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 id  3 ip  4 revive window, ms  5 '1' if an attempt before may have been carried out
-- Returns the version if it is removed, 1 if it is and had expired before, 0 unknown, -1 the IP is another
--#include keys time
local record, id, ip = KEYS[6], ARGV[2], ARGV[3]
local before = call('HMGET', record, 'ip', 'host', 'port', 'expired_at')
if not before[1] then return ARGV[5] == '1' and call('ZSCORE', removed, id) or 0 end
if before[4] and now >= tonumber(before[4]) + ARGV[4] then return 0 end
if before[1] ~= ip then return -1 end

--#include versions removal addresses
local was_listed = hide(id, address_of(before[2], before[1], before[3]))
call('DEL', record)
save_versions()
return was_listed and version_text or 1
