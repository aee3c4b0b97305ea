-- Brings back what Redis has lost and a replica still knows: who had left has left again, and who was listed is
-- listed again, in the old place. Only what is older than the replica's knowledge gives way to it, so any number of
-- replicas can restore at once, in any order, with the same result.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 version up to which the replica knew everything
--       4 ttl, ms  5 leak guard, ms  6 revive window, ms  7 '1' if the address is unique  8 prefix of records
--       9 how many had left; id and version of each follow from 11 on
--       10 how many were listed; behind those, for each: id, version, registered_at, ip, host, name, port, players,
--       max_players
-- Returns how many are listed again
--#include keys time versions removal addresses
local ttl, leak_guard, revive_window, unique, record_prefix = ARGV[4], ARGV[5], ARGV[6], ARGV[7] == '1', ARGV[8]
local tombstones, entries, first = tonumber(ARGV[9]), tonumber(ARGV[10]), 11
local known_up_to = tonumber(ARGV[3])

call('HSETNX', state, 'epoch', ARGV[2])
-- Versions go on from where they were.
version = math.max(version, known_up_to)
version_text = text(version)

for i = first, first + 2 * tombstones - 2, 2 do
  local id, left_at = ARGV[i], tonumber(ARGV[i + 1])
  local record = record_prefix .. id
  local deadline = tonumber(call('ZSCORE', servers, id))
  if deadline then
    local f = call('HMGET', record, 'ip', 'host', 'port', 'restored_until', 'restored_from')
    local only_restored = tonumber(f[4]) == deadline and (tonumber(f[5]) or 0) < left_at
    -- Who has pinged since is alive after all.
    if only_restored or deadline <= left_at / 1000 + ttl then
      hide(id, address_of(f[2], f[1], f[3]))
      call('HSET', record, 'expired_at', text(now))
      call('PEXPIRE', record, revive_window)
    end
  elseif not call('ZSCORE', removed, id) then
    call('ZADD', removed, ARGV[i + 1], id)
  end
end

local floor = trim_tombstones(tonumber(call('HGET', state, 'floor')) or 0)
local restored = 0
-- Behind the floor tombstones are missing that might tell of those the replica takes for listed.
if known_up_to < floor then entries = 0 end
for i = first + 2 * tombstones, first + 2 * tombstones + 9 * entries - 9, 9 do
  local id, known = ARGV[i], tonumber(ARGV[i + 1])
  local registered_at, ip, host, name, port = ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], ARGV[i + 6]
  local record, address = record_prefix .. id, address_of(host, ip, port)
  local listed = tonumber(call('ZSCORE', changes, id))
  local left_at = tonumber(call('ZSCORE', removed, id))
  local holder = unique and call('HGET', addresses, address)
  if known > (listed or left_at or 0) and (not holder or holder == id) then
    local after = show(id, listed or 0)
    call('HSET', record, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', ARGV[i + 7],
      'max_players', ARGV[i + 8], 'registered_at', registered_at, 'version', after)
    if not listed then
      local deadline = text(now + ttl)
      call('ZADD', servers, deadline, id)
      call('ZREM', removed, id)
      call('HDEL', record, 'expired_at')
      call('HSET', record, 'restored_until', deadline, 'restored_from', ARGV[i + 1], 'kept_until', text(now + leak_guard))
      call('PEXPIRE', record, leak_guard)
      restored = restored + 1
    end
    call('HSETNX', addresses, address, id)
  end
end
save_versions()
return restored
