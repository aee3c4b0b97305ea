-- Finds the commands that the user of this connection may not run on the keys of the registry. A right that is missing
-- would else show only in the script that needs it, or pass for a damaged record.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
-- ARGV for each command
--   command            that scripts call
-- Returns the names of those that are missing; none where Redis cannot tell (before 7.0)
--#include keys clock
--#begin
local missing = {}
while redis.acl_check_cmd and next_argument <= #ARGV do
  --#take command
  if not redis.acl_check_cmd(command, servers) then missing[#missing + 1] = command end
end
return missing
