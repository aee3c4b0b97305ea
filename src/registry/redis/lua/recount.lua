-- Checks a part of the entries against their records, and corrects which can be revived, and for which network each
-- counts. Damaged keys may have left both wrong.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   record_prefix
--   rank               at which the part begins
-- ARGV for each miscounted
--   id, client, network  of an entry that counts wrongly by the reply to an earlier call; the network as a number
-- Returns {1 if the part was the last, entries}: id, client and number of the network for which it counts ('' for none)
-- of each entry of the part, in turn
--#include keys clock records
--#begin
rank = tonumber(rank)

local is_last = true
local function read_part(key)
  local part = call('ZRANGE', key, rank, rank + RECOUNT_LIMIT - 1)
  if #part == RECOUNT_LIMIT then is_last = false end
  return part
end

-- The time until which the entry can come back, ms; nil if it cannot, or is listed.
local function lapse_of_entry(id)
  if call('ZSCORE', servers, id) then return nil end
  local fields = redis.pcall('HMGET', record_prefix .. id, 'ip', 'expired_at', 'parked_until')
  if fields.err or not fields[1] or not number_of(fields[2]) then return nil end
  local lapses_at = lapse_of(fields[2], fields[3])
  return lapses_at > now and lapses_at or nil
end

for _, id in ipairs(read_part(expired)) do
  if not lapse_of_entry(id) then call('ZREM', expired, id) end
end
local counting = read_part(changes)
for _, id in ipairs(read_part(tombstones)) do
  local lapses_at = lapse_of_entry(id)
  if lapses_at then
    call('ZADD', expired, text(lapses_at), id)
    counting[#counting + 1] = id
  end
end

local function counts(id) return call('ZSCORE', servers, id) or call('ZSCORE', expired, id) end
local function client_of(id)
  local client = redis.pcall('HGET', record_prefix .. id, 'client')
  return type(client) == 'string' and client or nil
end

while next_argument <= #ARGV do
  --#take miscounted
  -- The entry may have moved to another client since.
  if counts(id) and client_of(id) == client then call('ZADD', clients, network, id) end
end
for _, id in ipairs(read_part(clients)) do
  if not counts(id) then call('ZREM', clients, id) end
end
for _, id in ipairs(read_part(documents)) do
  if not call('ZSCORE', servers, id) then call('ZREM', documents, id) end
end

local found = {}
for _, id in ipairs(counting) do
  local client = client_of(id)
  if client then
    found[#found + 1], found[#found + 2], found[#found + 3] = id, client, call('ZSCORE', clients, id) or ''
  end
end
return { is_last and 1 or 0, found }
