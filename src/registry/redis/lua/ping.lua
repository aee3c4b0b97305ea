-- Renews a group of game servers, listed or lately expired, and stores what they say of themselves. A ping that changes
-- nothing visible moves the deadline and touches nothing else. Most pings are short: they have only what is new since a
-- version that the replica knows. The short ones come first, and are read and written together.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents. From 12 on follow the records, one for each ping
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   repeated_ping_count, partial_ping_count  how many of the pings are of these forms; both are short
-- ARGV for each repeated_ping
--   known_version      the version at which the entry had the same fields, and the caller was entitled
-- ARGV for each partial_ping
--   known_version      the version at which it had the same fields but players, and the caller was entitled
--   players            '' as before
--   told               the expected content of the record, for a check now and then; '' for no check
-- ARGV for each full_ping
--   ip, players, host, name, port, max_players
--   proof              '', 'token' or 'wrong'
--   may_move           1 if the IP may be another than before
--   client, network    of the client; the network as a number
--   is_exempt          1 if no quota holds for the client
--   details            '' as before, '{}' none
--   place              of its address: see lib/addresses.lua
-- Returns DONE if that is the reply to each ping; else for each
--   DONE                                       renewed
--   {CHANGED, version, registered_at, known}   renewed and changed; known is {claimed, client, reachability, details,
--                                              seen}
--   {REVIVED, the same}                        renewed and changed: it had expired
--   {WITH_GONE, one of these, ids}             renewed in place of another: its id and the version of its tombstone
--   its version                                changed by a short ping
--   OTHER_IP                                   the IP is another
--   DAMAGED                                    the record is damaged
--   SAY_ALL                                    the entry is not as the short ping assumes
--   NOT_ENTITLED                               the caller is not entitled
--   NOT_WHOLE                                  only a whole registry can decide
--   {ADDRESS_TAKEN, ms}                        a claimed entry has the address for so long
--   {QUOTA_EXCEEDED, 2, limit, count}          the network of the client, to which the entry would move, has as many as
--                                              it may
--   {UNKNOWN, loss, whole}                     see lib/unknown.lua
--   an error                                   that concerns this one alone
--#include keys clock
--#begin
repeated_ping_count, partial_ping_count = tonumber(repeated_ping_count), tonumber(partial_ping_count)
local listed_until = text(now + TTL_MS)
local ping_count, short_count = #KEYS - FIRST_RECORD + 1, repeated_ping_count + partial_ping_count

-- A missing reply stands for DONE until all_replies() fills it in.
local replies = {}
local function all_replies()
  if not next(replies) then return DONE end
  for i = 1, ping_count do replies[i] = replies[i] or DONE end
  return replies
end

-- The ids of short pings that may be renewed, and two arguments of ZADD for each.
local ids, renewals, size = {}, {}, 0
local function renew_later(i, key)
  local id = id_in(key)
  ids[i], renewals[size + 1], renewals[size + 2] = id, listed_until, id
  size = size + 2
end

local function check_version(i, key, known_version)
  local stored = redis.pcall('HGET', key, 'version')
  if stored == known_version then return renew_later(i, key) end
  replies[i] = type(stored) == 'table' and stored or SAY_ALL
end

-- The expiry of a record is a leak guard, far away: a full ping renews it once half of it is over.
local function is_guarded(kept_until)
  return (number_of(kept_until) or 0) - now >= LEAK_GUARD_MS / 2
end

-- Checks the whole record: another program may have written into it, and left its version as it was.
local function check_record(i, key, known_version, told)
  --#read old: ip host name port players max_players registered_at claimed client reachability details version kept_until
  local stored = not old.err and (old_ip or '') .. '\n' .. (old_host or '') .. '\n' .. (old_name or '') .. '\n'
    .. (old_port or '') .. '\n' .. (old_players or '') .. '\n' .. (old_max_players or '') .. '\n'
    .. (old_registered_at or '') .. '\n' .. (old_claimed or '') .. '\n' .. (old_client or '') .. '\n'
    .. (old_reachability or '') .. '\n' .. (old_details or '')
  if old_version == known_version and stored == told and is_guarded(old_kept_until) then return renew_later(i, key) end
  replies[i] = old.err and old or SAY_ALL
end

-- CH counts the deadlines that move; one that was set in this very millisecond does not.
local function renew_short()
  if size == 0 or call('ZADD', servers, 'XX', 'CH', unpack(renewals)) == size / 2 then return end
  for i, id in pairs(ids) do
    if not call('ZSCORE', servers, id) then ids[i], replies[i] = nil, SAY_ALL end
  end
end

for i = 1, repeated_ping_count do
  --#take repeated_ping
  check_version(i, KEYS[FIRST_RECORD - 1 + i], known_version)
end
local first_partial_ping, has_news = next_argument, ping_count > short_count
for i = repeated_ping_count + 1, short_count do
  --#take partial_ping
  local key = KEYS[FIRST_RECORD - 1 + i]
  if told == '' then check_version(i, key, known_version) else check_record(i, key, known_version, told) end
  has_news = has_news or players ~= ''
end
if not has_news then
  renew_short()
  return all_replies()
end

-- Most pings end before this line: defining the functions below in vain would cost a lone one a quarter more.
--#include versions player-log
local first_full_ping = next_argument
open_state(new_epoch)
renew_short()
local version_at_first = version

-- If the group has two changes of one entry, the second finds another version than it names.
local function publish_players()
  local versions, published, count = {}, {}, 0
  local changed_keys, changed_players = {}, {}
  next_argument = first_partial_ping
  for i = repeated_ping_count + 1, short_count do
    --#take partial_ping
    local id = players ~= '' and ids[i]
    if id and published[id] then
      replies[i] = SAY_ALL
    elseif id then
      local version_before, after = version_text, next_version()
      count_version(tonumber(known_version), version)
      log_players(version_before, id, players, after)
      count = count + 1
      versions[2 * count - 1], versions[2 * count] = after, id
      changed_keys[count], changed_players[count] = KEYS[FIRST_RECORD - 1 + i], players
      published[id], replies[i] = true, after
    end
  end
  if count > 0 then call('ZADD', changes, unpack(versions)) end
  for i = 1, count do
    call('HSET', changed_keys[i], 'players', changed_players[i], 'version', versions[2 * i - 1])
  end
end

local function save()
  if version == version_at_first then return end
  save_versions()
  save_player_log()
end

publish_players()
if ping_count == short_count then
  save()
  return all_replies()
end

--#include unknown records removal addresses quotas
local function renew(id)
  return call('ZADD', servers, 'XX', 'CH', listed_until, id) == 1 or call('ZSCORE', servers, id)
end

local function ping_in_full(key, id)
  --#take full_ping
  --#read old: ip host name port players max_players kept_until version registered_at claimed client reachability details seen
  if old.err then return old end
  if not (old_ip and old_host and old_name and old_port and old_players and old_max_players
    and number_of(old_version) and number_of(old_registered_at)) then
    if old_ip or call('ZSCORE', servers, id) then return DAMAGED end
    return unknown_reply()
  end

  local claimed, reachability = old_claimed or proof == 'token' and '1', old_reachability
  local seen = old_seen
  local old_address, address = address_of(old_host, old_ip, old_port), address_of(host, ip, port)
  compare_at(address, place)
  local refusal = not is_entitled(proof, old_claimed) and NOT_ENTITLED
    or old_ip ~= ip and may_move ~= '1' and OTHER_IP
  -- A ping that may still be refused is renewed later.
  local may_be_refused = refusal or may_move == '1' or address ~= old_address
  local listed
  if may_be_refused then listed = call('ZSCORE', servers, id) else listed = renew(id) end
  if not listed then
    local expired_at, parked_until = unpack(call('HMGET', key, 'expired_at', 'parked_until'))
    if parked_until and may_move ~= '1' or now >= lapse_of(expired_at, parked_until) then return unknown_reply() end
  end
  if refusal then return refusal end
  if may_move ~= '1' and old_client or client == '' then client = old_client end
  if client ~= old_client and is_exempt ~= '1' then
    local exceeded = exceeded_by_entry(id, true, network, { (rival_at(address, id, key)) })
    if exceeded and may_move == '1' then return exceeded end
    -- The ping is no move: without room for it at this network, the entry goes on without a known client.
    if exceeded then client = old_client end
  end

  local rival, tombstone_version = false, ''
  if not listed or address ~= old_address then
    local refused = refuse_address(address, id, key)
    if refused then return refused end
    release_address(old_address, id)
    rival, tombstone_version = take_address(address, id, key)
  end
  if may_be_refused or not listed then call('ZADD', servers, listed_until, id) end
  if not listed or not is_guarded(old_kept_until) then
    call('HSET', key, 'kept_until', text(now + LEAK_GUARD_MS))
    call('PEXPIRE', key, LEAK_GUARD_MS)
  end

  local is_as_before = listed and address == old_address and client == old_client and claimed == old_claimed
  if details == '' then details = old_details elseif details == '{}' then details = false end
  if is_as_before and old_name == name and old_max_players == max_players and old_details == details then
    if old_players == players then return DONE end
    local version_before, new_version = version_text, publish(id, tonumber(old_version))
    call('HSET', key, 'players', players, 'version', new_version)
    log_players(version_before, id, players, new_version)
    return { CHANGED, new_version, old_registered_at, { claimed, client, reachability, details, seen } }
  end

  if not listed then end_revival(id, key) end
  local new_version = publish(id, listed and tonumber(old_version) or 0)
  call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'version', new_version)
  if address ~= old_address then reachability, seen = false, false end
  if claimed ~= old_claimed or client ~= old_client or not reachability then
    write_standing(key, claimed, client, reachability, seen)
  end
  if details ~= old_details then write_field(key, 'details', details) end
  if client ~= old_client then count_client(id, network) end
  local known = { claimed, client, reachability, details, seen }
  local reply = { listed and CHANGED or REVIVED, new_version, old_registered_at, known }
  return rival and { WITH_GONE, reply, { rival, tombstone_version } } or reply
end

next_argument = first_full_ping
for i = short_count + 1, ping_count do
  local key = KEYS[FIRST_RECORD - 1 + i]
  local reply = ping_in_full(key, id_in(key))
  if reply ~= DONE then replies[i] = reply end
end
save()
return all_replies()
