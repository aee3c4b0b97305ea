-- Stores the result of an attempt to reach a listed game server.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   id, ip, port       of the attempt
--   reachability
--   seen               see lib/records.lua; '' if no number of players was seen
-- Returns 1
--#include keys clock versions
--#begin
local last_change = call('ZSCORE', changes, id)
local old_ip, old_port, old_reachability, old_seen =
  unpack(call('HMGET', record, 'ip', 'port', 'reachability', 'seen'))
if not last_change or old_ip ~= ip or old_port ~= port then return 1 end
if old_reachability == reachability and (old_seen or '') == seen then return 1 end
open_state(new_epoch)
call('HSET', record, 'reachability', reachability, 'version', publish(id, version_of(last_change) or 0))
if seen == '' then call('HDEL', record, 'seen') else call('HSET', record, 'seen', seen) end
save_versions()
return 1
