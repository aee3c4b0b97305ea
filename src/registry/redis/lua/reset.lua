-- Empties the registry, a part at each call. Whoever follows the feed is behind the floor afterwards, so loads
-- everything anew and does not take it for a loss.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 prefix of records
--       4 how many game servers to take off at the most
-- Returns {how many were taken off, how many tombstones were}; {0, 0} when there is nothing left
--#include keys time versions removal
local record_prefix, last = ARGV[3], ARGV[4] - 1
local ids, left = call('ZRANGE', servers, 0, last), call('ZRANGE', removed, 0, last)
for _, id in ipairs(ids) do
  forget(id)
  call('DEL', record_prefix .. id)
end
for _, id in ipairs(left) do
  call('ZREM', removed, id)
  call('DEL', record_prefix .. id)
end
if #ids < ARGV[4] + 0 then call('DEL', addresses) end
local reset_as = next_version()
call('HSET', state, 'floor', reset_as, 'resetAs', reset_as)
save_versions()
return { #ids, #left }
