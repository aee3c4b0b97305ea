-- Renews a group of game servers, listed or lately expired, and takes over what they say of themselves: one after the
-- other, as if each came in a call of its own. A ping that changes nothing visible moves the deadline and touches
-- nothing else. Most pings are short: they say only what is new since a version that the replica knows.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       From 7 on follow the records, one for each ping
-- ARGV  1 test_now (ms; '' for the clock of Redis)  2 new_epoch (should there be none)
--       From 3 on follow, for each ping: id, ip, players, known_version; if known_version is '' also host, name, port,
--       max_players. Else the ping is short: at known_version the entry said the same but for players, and players is ''
--       if it said the same of them
-- Returns for each ping 1 renewed, -1 the IP is another, -2 the record is damaged, -3 the entry is not as the short ping
-- assumes: say all, {1, version, version of the broadcast} renewed and changed, the version alone to a short ping,
-- {0, loss, 1 if the registry is whole} unknown, or its error
--#include keys clock
local test_now, new_epoch = unpack(ARGV, 1, 2)
local FIRST_RECORD, FIRST_PING = 7, 3
local RENEWED, OTHER_IP, DAMAGED, SAY_ALL = 1, -1, -2, -3
read_clock(test_now)
local deadline = text(now + TTL_MS)

-- The record's own expiry is a leak guard, far away: renewed once it is half used up, not with each ping.
local function is_guarded(kept_until)
  return (number_of(kept_until) or 0) - now >= LEAK_GUARD_MS / 2
end

-- XX CH answers 1 if the deadline of a listed id moved; 0 also if it is the very same millisecond's.
local function renew(id)
  return call('ZADD', servers, 'XX', 'CH', deadline, id) == 1 or call('ZSCORE', servers, id)
end

local function renew_as_known(key, id, ip, known_version)
  local fields = redis.pcall('HMGET', key, 'ip', 'version', 'kept_until')
  if fields.err then return fields end
  local is_known = fields[1] == ip and fields[2] == known_version and is_guarded(fields[3])
  return is_known and renew(id) and RENEWED or SAY_ALL
end

local replies, next_record, next_arg = {}, FIRST_RECORD, FIRST_PING
while next_record <= #KEYS do
  local id, ip, players, known_version = unpack(ARGV, next_arg, next_arg + 3)
  if known_version == '' or players ~= '' then break end
  replies[#replies + 1] = renew_as_known(KEYS[next_record], id, ip, known_version)
  next_record, next_arg = next_record + 1, next_arg + 4
end
if next_record > #KEYS then return replies end

-- Most pings end before this line: to define these functions for nothing would cost a lone one a quarter more.
--#include versions unknown removal addresses player-log
open_history(new_epoch)

local function publish_players(key, id, players, old_version)
  local version_before = version_text
  local new_version = publish(id, version_of(old_version) or 0)
  call('HSET', key, 'players', players, 'version', new_version)
  log_players(version_before, id, players, new_version)
  return new_version
end

local function ping_short(key, id, ip, players, known_version)
  local reply = renew_as_known(key, id, ip, known_version)
  if reply ~= RENEWED or players == '' then return reply end
  return publish_players(key, id, players, known_version)
end

local function ping(key, id, ip, players, host, name, port, max_players)
  local fields = redis.pcall('HMGET', key, 'ip', 'host', 'name', 'port', 'players', 'max_players',
    'kept_until', 'version', 'registered_at')
  if fields.err then return fields end
  local old_ip, old_host, old_name, old_port, old_players, old_max_players, kept_until, old_version, registered_version =
    unpack(fields)
  if not (old_ip and old_host and old_name and old_port and old_players and old_max_players
    and number_of(old_version) and number_of(registered_version)) then
    if old_ip or call('ZSCORE', servers, id) then return DAMAGED end
    return unknown_reply()
  end

  local listed
  if old_ip == ip then listed = renew(id) else listed = call('ZSCORE', servers, id) end
  if not listed then
    local expired_at = number_of(call('HGET', key, 'expired_at')) or now
    if now >= expired_at + REVIVE_WINDOW_MS then return unknown_reply() end
  end
  if old_ip ~= ip then return OTHER_IP end

  if not listed or not is_guarded(kept_until) then
    call('HSET', key, 'kept_until', text(now + LEAK_GUARD_MS))
    call('PEXPIRE', key, LEAK_GUARD_MS)
  end

  local same_address = old_host == host and old_port == port
  if listed and same_address and old_name == name and old_max_players == max_players then
    if old_players == players then return RENEWED end
    return { 1, publish_players(key, id, players, old_version), registered_version }
  end

  if not listed or not same_address then
    release_address(address_of(old_host, old_ip, old_port), id)
    claim_address(address_of(host, ip, port), id, key)
  end
  if not listed then
    call('ZADD', servers, deadline, id)
    call('ZREM', tombstones, id)
    call('HDEL', key, 'expired_at')
  end
  local new_version = publish(id, listed and tonumber(old_version) or 0)
  call('HSET', key, 'host', host, 'name', name, 'port', port, 'players', players, 'max_players', max_players,
    'version', new_version)
  return { 1, new_version, registered_version }
end

local version_at_first = version
for i = next_record, #KEYS do
  local id, ip, players, known_version = unpack(ARGV, next_arg, next_arg + 3)
  next_arg = next_arg + 4
  if known_version ~= '' then
    replies[#replies + 1] = ping_short(KEYS[i], id, ip, players, known_version)
  else
    replies[#replies + 1] = ping(KEYS[i], id, ip, players, unpack(ARGV, next_arg, next_arg + 3))
    next_arg = next_arg + 4
  end
end
if version ~= version_at_first then
  save_versions()
  save_player_log()
end
return replies
