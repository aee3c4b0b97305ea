-- Looks at a part of the entries, and corrects which of them count for a client and which can be revived, by their
-- records. A replica of a release without quotas keeps no such count, and keys may have been damaged.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (not used)  3 record_prefix
--       4 rank (at which the part begins)
--       From 5 on follow ids that did not count, as an earlier call found, each with the number of its client's network
-- Returns {1 if the part was the last, id and client of each entry that does not count, in turn}
--#include keys clock
local test_now, new_epoch, record_prefix, rank = unpack(ARGV, 1, 4)
local FIRST_UNCOUNTED = 5
rank = tonumber(rank)
read_clock(test_now)

local is_last = true
local function read_part(key)
  local part = call('ZRANGE', key, rank, rank + RECOUNT_LIMIT - 1)
  if #part == RECOUNT_LIMIT then is_last = false end
  return part
end

-- Until when a ping can revive the entry, ms; nil if none can, or the entry is listed.
local function lapse_of(id)
  if call('ZSCORE', servers, id) then return nil end
  local fields = redis.pcall('HMGET', record_prefix .. id, 'ip', 'expired_at')
  local expired_at = not fields.err and fields[1] and number_of(fields[2])
  local lapses_at = expired_at and expired_at + REVIVE_WINDOW_MS
  return lapses_at and lapses_at > now and lapses_at or nil
end

for _, id in ipairs(read_part(expired)) do
  if not lapse_of(id) then call('ZREM', expired, id) end
end
local counting = read_part(changes)
for _, id in ipairs(read_part(tombstones)) do
  local lapses_at = lapse_of(id)
  if lapses_at then
    call('ZADD', expired, text(lapses_at), id)
    counting[#counting + 1] = id
  end
end

local function counts(id) return call('ZSCORE', servers, id) or call('ZSCORE', expired, id) end
for i = FIRST_UNCOUNTED, #ARGV, 2 do
  if counts(ARGV[i]) then call('ZADD', clients, ARGV[i + 1], ARGV[i]) end
end
for _, id in ipairs(read_part(clients)) do
  if not counts(id) then call('ZREM', clients, id) end
end

local uncounted = {}
for _, id in ipairs(counting) do
  local client = not call('ZSCORE', clients, id) and redis.pcall('HGET', record_prefix .. id, 'client')
  if type(client) == 'string' then
    uncounted[#uncounted + 1], uncounted[#uncounted + 2] = id, client
  end
end
return { is_last and 1 or 0, uncounted }
