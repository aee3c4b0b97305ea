-- Repairs the keys of the registry after other programs wrote to them, as far as the keys allow, and begins a new
-- epoch: every replica then compares its copy, and writes back what is missing. An entry counts as listed if servers or
-- changes has its id; a removal by GSLS leaves it in neither.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   record_prefix
-- ARGV for each suspect
--   id                 of a record that may be damaged. A damaged one is unlisted, so that a replica restores it
--   damaged_epoch      the epoch in which it surely was; '' if that is not known. In a later one another replica
--                      may have restored it: the one that found the damage may have been paused since
-- Returns 1
--#include keys clock lifetimes versions records removal
--#begin

local wrong_types = {}
local TYPES = { 'zset', 'zset', 'zset', 'hash', 'hash', 'string', 'zset', 'zset', 'hash', 'zset', 'zset' }
for i, expected in ipairs(TYPES) do
  local found = call('TYPE', KEYS[i])['ok']
  if found ~= expected and found ~= 'none' then
    wrong_types[#wrong_types + 1] = KEYS[i]
    call('DEL', KEYS[i])
  end
end
local epoch_before = call('HGET', state, 'epoch')
begin_epoch(new_epoch)
call('HSET', state, 'mendedAs', epoch)
for _, key in ipairs(wrong_types) do note_wrong_type(key) end

while next_argument <= #ARGV do
  --#take suspect
  local is_surely_damaged = damaged_epoch ~= '' and damaged_epoch == epoch_before
  local key = record_prefix .. id
  if not is_sound(read_record(key, unpack(RECORD_FIELDS))) or is_surely_damaged then
    forget(id, key)
    if call('ZSCORE', servers, id) or call('ZSCORE', changes, id) then call('ZREM', tombstones, id) end
    unlist(id)
  end
end

local function set_all(key, ids, score_of)
  for _, id in ipairs(ids) do call('ZADD', key, score_of(id), id) end
end
local function deadline(id) return text(now + ttl_of(id)) end
-- The version in the record of the entry, from which its next change takes the version before it. With another one the
-- digest would be wrong after each such change, and this script would be called for it.
local function version_in_record(id)
  local found = redis.pcall('HGET', record_prefix .. id, 'version')
  local known = type(found) == 'string' and version_of(found) or 0
  return known > 0 and known <= version and text(known) or next_version()
end

local beyond = '(' .. text(version)
set_all(changes, call('ZRANGEBYSCORE', changes, '-inf', '0'), version_in_record)
set_all(changes, call('ZRANGEBYSCORE', changes, beyond, '+inf'), version_in_record)
set_all(changes, call('ZDIFF', '2', servers, changes), version_in_record)
set_all(servers, call('ZDIFF', '2', changes, servers), deadline)
call('ZREMRANGEBYSCORE', tombstones, '-inf', '0')
set_all(tombstones, call('ZRANGEBYSCORE', tombstones, beyond, '+inf'), next_version)
for _, id in ipairs(call('ZINTER', '2', tombstones, changes)) do call('ZREM', tombstones, id) end
save_versions()
return 1
