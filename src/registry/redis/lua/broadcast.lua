-- Lists a new game server. Repeated with the same id, or run late, it changes nothing.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 record
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 id  4 ip  5 host  6 name
--       7 port  8 players  9 max_players
-- Returns the version of this broadcast, 1 if it was listed before and has changed since, or 0 if it was listed
-- before and no longer is
--#include keys clock versions records removal addresses
local test_now, new_epoch, id, ip, host, name, port, players, max_players = unpack(ARGV)
read_clock(test_now)
open_history(new_epoch)

local registered_version, expired_at = unpack(read_record(record, 'registered_at', 'expired_at'))
local last_change = call('ZSCORE', changes, id)
if last_change and registered_version then return last_change == registered_version and last_change or 1 end
if not last_change and (expired_at or call('ZSCORE', tombstones, id)) then return 0 end

claim_address(address_of(host, ip, port), id, record)
local broadcast_version = publish(id, version_of(last_change) or 0)
call('HSET', record, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
  'max_players', max_players, 'registered_at', broadcast_version, 'version', broadcast_version,
  'kept_until', text(now + LEAK_GUARD_MS))
call('PEXPIRE', record, LEAK_GUARD_MS)
call('ZADD', servers, text(now + TTL_MS), id)
save_versions()
return version_text
