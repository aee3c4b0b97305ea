-- Lists a new game server. Repeated with the same id, or run late, it changes nothing.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 id  4 ip  5 host  6 name  7 port  8 players
--       9 max_players  10 ttl, ms  11 leak guard, ms  12 '1' if the address is unique  13 prefix of records
-- Returns the version of this broadcast, 1 if it was listed before and has changed since, or 0 if it has left
--#include keys time versions records removal addresses
local record, id = KEYS[6], ARGV[3]
local ip, host, port = ARGV[4], ARGV[5], ARGV[7]
local ttl, leak_guard, unique, record_prefix = ARGV[10], ARGV[11], ARGV[12] == '1', ARGV[13]

local before = read_record(record, 'registered_at', 'expired_at')
local last_change = call('ZSCORE', changes, id)
if last_change and before[1] then return last_change == before[1] and last_change or 1 end
if not last_change and (before[2] or call('ZSCORE', removed, id)) then return 0 end

claim_address(address_of(host, ip, port), id, unique, record_prefix)
local registered_at = show(id, version_of(last_change) or 0)
call('HSET', record, 'ip', ip, 'host', host, 'name', ARGV[6], 'port', port, 'players', ARGV[8],
  'max_players', ARGV[9], 'registered_at', registered_at, 'version', registered_at,
  'kept_until', text(now + leak_guard))
call('PEXPIRE', record, leak_guard)
call('ZADD', servers, text(now + ttl), id)
save_versions()
return version_text
