-- Notes what came of an attempt to reach a listed game server.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 record
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)  3 deadline (ms by the clock of Redis)
--       4 id  5 ip  6 port (at which it was tried)  7 reachability
-- Returns 1
--#include keys clock versions
local test_now, new_epoch, deadline, id, ip, port, reachability = unpack(ARGV)
read_clock(test_now)
local late = late_error(deadline)
if late then return late end
local last_change = call('ZSCORE', changes, id)
local old_ip, old_port, old_reachability = unpack(call('HMGET', record, 'ip', 'port', 'reachability'))
if not last_change or old_ip ~= ip or old_port ~= port or old_reachability == reachability then return 1 end
open_history(new_epoch)
call('HSET', record, 'reachability', reachability, 'version', publish(id, version_of(last_change) or 0))
save_versions()
return 1
