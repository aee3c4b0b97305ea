-- Puts in order what somebody else did to the keys of the registry, as far as it can be told from the keys, and begins
-- a new history: every replica then compares its copy, and tells what is missing. An entry counts as listed if servers
-- or changes has its id; what a removal of ours leaves is an entry in neither.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 ttl, ms
--       4 prefix of records; from 5 on follow, for each record that may be damaged: id, '1' if it surely is. What is
--       damaged is taken off, without a tombstone, for a replica to restore it
-- Returns 1
local wrong_types = {}
for i, expected in ipairs({ 'zset', 'zset', 'zset', 'hash', 'hash' }) do
  local found = redis.call('TYPE', KEYS[i])['ok']
  if found ~= expected and found ~= 'none' then
    wrong_types[#wrong_types + 1] = KEYS[i]
    redis.call('DEL', KEYS[i])
  end
end
--#include keys time versions records removal
begin_history()
call('HSET', state, 'mendedAs', epoch)
for _, key in ipairs(wrong_types) do note_wrong_type(key) end

for i = 5, #ARGV, 2 do
  local record = ARGV[4] .. ARGV[i]
  if not is_sound(read_record(record, unpack(RECORD_FIELDS))) or ARGV[i + 1] == '1' then
    call('DEL', record)
    forget(ARGV[i])
  end
end

local function set_all(key, ids, score_of)
  for _, id in ipairs(ids) do call('ZADD', key, score_of(), id) end
end
local function deadline() return text(now + ARGV[3]) end

local beyond = '(' .. text(version)
set_all(changes, call('ZRANGEBYSCORE', changes, '-inf', '0'), next_version)
set_all(changes, call('ZRANGEBYSCORE', changes, beyond, '+inf'), next_version)
set_all(changes, call('ZDIFF', '2', servers, changes), next_version)
set_all(servers, call('ZDIFF', '2', changes, servers), deadline)
call('ZREMRANGEBYSCORE', removed, '-inf', '0')
set_all(removed, call('ZRANGEBYSCORE', removed, beyond, '+inf'), next_version)
for _, id in ipairs(call('ZINTER', '2', removed, changes)) do call('ZREM', removed, id) end
save_versions()
return 1
