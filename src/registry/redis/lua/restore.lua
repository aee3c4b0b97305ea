-- Brings back what Redis has lost and a replica still knows: who had left has left again, and who was listed is
-- listed again, in the old place. Only what is older than the replica's knowledge gives way to it, so any number of
-- replicas can restore at once, in any order, with the same result.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 version up to which the replica knew everything
--       4 ttl, ms  5 leak guard, ms  6 revive window, ms  7 '1' if the address is unique  8 prefix of records
--       9 name of the replica  10 '1' if the registry is not whole until the replica has told all: see settle.lua
--       11 how many had left; from 13 on follow, for each: id, version, '1' if a ping can revive it
--       12 how many were listed; behind those, for each: id, version, registered_at, ip, host, name, port, players,
--       max_players
-- Returns how many are listed again
--#include keys time versions records removal addresses
local ttl, leak_guard, revive_window = tonumber(ARGV[4]), ARGV[5], ARGV[6]
local unique, record_prefix = ARGV[7] == '1', ARGV[8]
local tombstones, entries, first = tonumber(ARGV[11]), tonumber(ARGV[12]), 13
local known_up_to = tonumber(ARGV[3])

if ARGV[10] == '1' then
  if is_whole then note_loss() end
  call('HSET', state, 'restorer:' .. ARGV[9], text(now))
end

-- Whether Redis has heard nothing of the id since this version, and what its record holds: RECORD_FIELDS. What it has by
-- an earlier restoration counts as old as it was then (restored_from), as long as it is that (restored_as: the
-- deadline, or the version of the removal). A record that lacks something, or has another IP than the one told, is none.
local function is_news(told_at, id, ip)
  local deadline, left_at = number_of(call('ZSCORE', servers, id)), number_of(call('ZSCORE', removed, id))
  local record = read_record(record_prefix .. id, 'ip', 'host', 'name', 'port', 'players', 'max_players',
    'registered_at', 'version', 'restored_as', 'restored_from')
  if deadline and ip and (record[1] ~= ip or not is_sound(record)) then return true, record end
  local restored_as, restored_from = number_of(record[9]), number_of(record[10])
  if restored_as and restored_from and restored_as == (deadline or left_at) then
    return told_at > restored_from, record
  end
  if not deadline then return told_at > (left_at or 0), record end
  -- Who has pinged since is alive after all, and has told what there is to know.
  local last_change = number_of(call('ZSCORE', changes, id)) or 0
  return told_at > last_change and deadline <= told_at / 1000 + ttl, record
end

-- Of two at one address the one that registered last has it.
local function may_claim(address, id, registered_at)
  local holder = call('HGET', addresses, address)
  if not holder or holder == id then return true end
  return tonumber(registered_at) > (number_of(read_record(record_prefix .. holder, 'registered_at')[1]) or 0)
end

-- Versions go on from where they were.
version = math.max(version, known_up_to)
version_text = text(version)

for i = first, first + 3 * tombstones - 3, 3 do
  local id, left_at, revivable = ARGV[i], ARGV[i + 1], ARGV[i + 2] == '1'
  local is_newer, before = is_news(tonumber(left_at), id)
  if is_newer then
    local record = record_prefix .. id
    if not hide(id, address_of(before[2], before[1], before[4])) then
      call('ZADD', removed, left_at, id)
      version = math.max(version, tonumber(left_at))
      version_text = text(version)
    elseif not revivable then
      call('DEL', record)
    elseif before[1] then
      call('HSET', record, 'expired_at', text(now), 'restored_as', version_text, 'restored_from', left_at)
      call('PEXPIRE', record, revive_window)
    end
  end
end

local floor = trim_tombstones(version_of(call('HGET', state, 'floor')) or 0)
local restored = 0
-- Behind the floor tombstones are missing that might tell of those the replica takes for listed.
if known_up_to < floor then entries = 0 end
for i = first + 3 * tombstones, first + 3 * tombstones + 9 * entries - 9, 9 do
  local id, known, registered_at = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local ip, host, name, port = ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], ARGV[i + 6]
  local record, address = record_prefix .. id, address_of(host, ip, port)
  local is_newer, before = is_news(tonumber(known), id, ip)
  local claims = is_newer and may_claim(address, id, registered_at)
  if is_newer and (claims or not unique) then
    local listed = call('ZSCORE', changes, id)
    if before[1] then release_address(address_of(before[2], before[1], before[4]), id) end
    if claims then claim_address(address, id, unique, record_prefix) end
    local deadline = listed and call('ZSCORE', servers, id) or text(now + ttl)
    call('ZADD', servers, deadline, id)
    call('ZREM', removed, id)
    call('HSET', record, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', ARGV[i + 7],
      'max_players', ARGV[i + 8], 'registered_at', registered_at, 'version', show(id, version_of(listed) or 0),
      'kept_until', text(now + leak_guard), 'restored_as', deadline, 'restored_from', known)
    call('HDEL', record, 'expired_at')
    call('PEXPIRE', record, leak_guard)
    if not listed then restored = restored + 1 end
  end
end
save_versions()
return restored
