-- Looks at a part of the entries, and corrects which of them count: as expired, what is not listed and has a record; for
-- a client, what is listed or has expired. A replica of a release without quotas keeps no such counts, and keys may have
-- been damaged.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (not used)  3 record_prefix
--       4 rank (at which the part begins)
--       From 5 on follow ids that did not count, as an earlier call found, each with the number of its client's network
-- Returns {1 if the part was the last, id and client of each listed entry that does not count, in turn}
--#include keys clock
local test_now, new_epoch, record_prefix, rank = unpack(ARGV, 1, 4)
local FIRST_UNCOUNTED = 5
rank = tonumber(rank)
read_clock(test_now)

for i = FIRST_UNCOUNTED, #ARGV, 2 do
  if call('ZSCORE', servers, ARGV[i]) then call('ZADD', clients, ARGV[i + 1], ARGV[i]) end
end

local unlisted = call('ZRANGE', expired, rank, rank + RECOUNT_LIMIT - 1)
for _, id in ipairs(unlisted) do
  if call('ZSCORE', servers, id) or call('EXISTS', record_prefix .. id) == 0 then call('ZREM', expired, id) end
end

local counted = call('ZRANGE', clients, rank, rank + RECOUNT_LIMIT - 1)
for _, id in ipairs(counted) do
  local lapses_at = number_of(call('ZSCORE', expired, id))
  if not call('ZSCORE', servers, id) and not (lapses_at and lapses_at > now) then call('ZREM', clients, id) end
end

local uncounted = {}
local listed = call('ZRANGE', changes, rank, rank + RECOUNT_LIMIT - 1)
for _, id in ipairs(listed) do
  local client = not call('ZSCORE', clients, id) and redis.pcall('HGET', record_prefix .. id, 'client')
  if type(client) == 'string' then
    uncounted[#uncounted + 1], uncounted[#uncounted + 2] = id, client
  end
end
return { #unlisted + #counted + #listed < RECOUNT_LIMIT and 1 or 0, uncounted }
