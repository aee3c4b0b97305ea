-- Lists a new game server. Repeated with the same id, or run late, it changes nothing.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses  6 the record
-- ARGV  1 now, ms, or ''  2 id  3 ip  4 host  5 name  6 port  7 players  8 max_players  9 ttl, ms
--       10 leak guard, ms  11 '1' if the address is unique  12 prefix of records  13 epoch, should there be none
-- Returns the version of its last visible change, or 0 if it was listed before and has left
--#include keys time versions removal addresses
local record, id = KEYS[6], ARGV[2]
local ip, host, port = ARGV[3], ARGV[4], ARGV[6]
local ttl, leak_guard, unique, record_prefix = ARGV[9], ARGV[10], ARGV[11] == '1', ARGV[12]

if call('EXISTS', record) == 1 then return call('ZSCORE', changes, id) or 0 end
if call('ZSCORE', removed, id) then return 0 end

call('HSETNX', state, 'epoch', ARGV[13])
claim_address(address_of(host, ip, port), id, unique, record_prefix)
local registered_at = show(id, 0)
call('HSET', record, 'ip', ip, 'host', host, 'name', ARGV[5], 'port', port, 'players', ARGV[7],
  'max_players', ARGV[8], 'registered_at', registered_at, 'version', registered_at,
  'kept_until', text(now + leak_guard))
call('PEXPIRE', record, leak_guard)
call('ZADD', servers, text(now + ttl), id)
save_versions()
return version_text
