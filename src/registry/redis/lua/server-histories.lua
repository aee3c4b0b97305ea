-- Stores histories of game servers, each if Redis has the one that the replica knows, and returns some of them. They
-- are bytes that Redis does not read: the replica that stores one has joined it to that of Redis.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
--       (here the histories, a hash of bytes by id)
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   cursor             of a scan; '' for none
-- ARGV for each server_history
--   id                 '' for the record of when replicas looked at the list
--   known_sum          the SHA-1 of the history that the replica knows; '' for none. Another text reads the history
--   history            '' to delete it
-- Returns {ms, the next cursor, id and history in turn, as far as the scan found them, id and history in turn of those
--   that Redis has otherwise, '' for none}
--#include keys clock
--#begin
local histories = record
local type_of_key = call('TYPE', histories).ok
if type_of_key ~= 'hash' and type_of_key ~= 'none' then call('DEL', histories) end

local others = {}
while next_argument <= #ARGV do
  --#take server_history
  local stored = call('HGET', histories, id) or ''
  if known_sum ~= (stored ~= '' and redis.sha1hex(stored) or '') then
    others[#others + 1] = id
    others[#others + 1] = stored
  elseif history == '' then
    call('HDEL', histories, id)
  else
    call('HSET', histories, id, history)
  end
end
local next_cursor, found = '0', {}
if cursor ~= '' then next_cursor, found = unpack(call('HSCAN', histories, cursor, 'COUNT', SERVER_HISTORY_BATCH)) end
return { text(now), next_cursor, found, others }
