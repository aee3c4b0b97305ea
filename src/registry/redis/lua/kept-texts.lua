-- Stores texts that are kept beside the entries, each if Redis has the one that the replica knows, and returns some of
-- them. They are bytes that Redis does not read: the replica that stores one has joined it to that of Redis.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
--       (here the texts, a hash of bytes by id)
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   cursor             of a scan; '' for none
--   kept_ms            for how long the texts stay without another write; '' for ever
-- ARGV for each kept_text
--   id
--   known_sum          the SHA-1 of the text that the replica knows; '' for none. Any other value reads the text
--   kept               '' to delete it
-- Returns {ms, the next cursor, id and text in turn, as far as the scan found them, id and text in turn of those that
--   Redis has otherwise, '' for none}
--#include keys clock
--#begin
local texts = record
local type_of_key = call('TYPE', texts).ok
if type_of_key ~= 'hash' and type_of_key ~= 'none' then call('DEL', texts) end

local others = {}
while next_argument <= #ARGV do
  --#take kept_text
  local stored = call('HGET', texts, id) or ''
  if known_sum ~= (stored ~= '' and redis.sha1hex(stored) or '') then
    others[#others + 1] = id
    others[#others + 1] = stored
  elseif kept == '' then
    call('HDEL', texts, id)
  else
    call('HSET', texts, id, kept)
    if kept_ms ~= '' then call('PEXPIRE', texts, kept_ms) end
  end
end
local next_cursor, found = '0', {}
if cursor ~= '' then next_cursor, found = unpack(call('HSCAN', texts, cursor, 'COUNT', KEPT_TEXT_BATCH)) end
return { text(now), next_cursor, found, others }
