-- Renews a group of game servers, listed or lately expired, and takes over what they say of themselves: one after the
-- other, as if each came in a call of its own. A ping that changes nothing visible moves the deadline and touches
-- nothing else. Most pings are short: they say only what is new since a version that the replica knows.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings. From 10 on follow the records, one for each ping
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
-- ARGV for each ping
--   id, ip, players
--   known_version      '' if a full_ping follows. Else the ping is short: at this version the entry said the same but
--                      for players, and the caller was entitled; players is '' if it said the same of them
-- ARGV for each full_ping
--   host, name, port, max_players
--   proof              '', 'token' or 'wrong'
--   may_move           1 if the IP may be another than before
--   client, network    of the client; the network as a number
--   is_exempt          1 if no quota holds for the client
--   details            '' as before, '{}' none
--   place              of its address: see lib/addresses.lua
-- Returns for each ping
--   DONE                                       renewed
--   {CHANGED, version, registered_at, known}   renewed and changed; known is {claimed, client, reachability, details}
--   {REVIVED, the same}                        so it was, and it had expired
--   {WITH_GONE, one of these, ids}             renewed, and another had to go: its id and the version of its tombstone
--   its version                                changed by a short ping
--   OTHER_IP                                   the IP is another
--   DAMAGED                                    the record is damaged
--   SAY_ALL                                    the entry is not as the short ping assumes
--   NOT_ENTITLED                               the caller is not entitled
--   NOT_WHOLE                                  only a whole registry can tell
--   {ADDRESS_TAKEN, ms}                        a claimed entry has the address for so long
--   {QUOTA_EXCEEDED, 2, limit, count}          the network of the client, to which the entry would move, has as many as
--                                              it may
--   {UNKNOWN, loss, whole}                     see lib/unknown.lua
--   an error                                   of this one alone
--#include keys clock
--#arguments
read_clock(test_now)
local late = late_error(deadline)
if late then return late end
local listed_until = text(now + TTL_MS)

-- The record's own expiry is a leak guard, far away: renewed once it is half used up, not with each ping.
local function is_guarded(kept_until)
  return (number_of(kept_until) or 0) - now >= LEAK_GUARD_MS / 2
end

-- XX CH answers 1 if the deadline of a listed id moved; 0 also if it is the very same millisecond's.
local function renew(id)
  return call('ZADD', servers, 'XX', 'CH', listed_until, id) == 1 or call('ZSCORE', servers, id)
end

local function renew_as_known(key, id, ip, known_version)
  local fields = redis.pcall('HMGET', key, 'ip', 'version', 'kept_until')
  if fields.err then return fields end
  local is_known = fields[1] == ip and fields[2] == known_version and is_guarded(fields[3])
  return is_known and renew(id) and DONE or SAY_ALL
end

local replies, next_record = {}, FIRST_RECORD
while next_record <= #KEYS do
  local first_argument = next_argument
  --#take ping
  if known_version == '' or players ~= '' then
    next_argument = first_argument
    break
  end
  replies[#replies + 1] = renew_as_known(KEYS[next_record], id, ip, known_version)
  next_record = next_record + 1
end
if next_record > #KEYS then return replies end

-- Most pings end before this line: to define these functions for nothing would cost a lone one a quarter more.
--#include versions unknown records removal addresses quotas player-log
open_state(new_epoch)

local function publish_players(key, id, players, old_version)
  local version_before = version_text
  local new_version = publish(id, version_of(old_version) or 0)
  call('HSET', key, 'players', players, 'version', new_version)
  log_players(version_before, id, players, new_version)
  return new_version
end

local function ping_short(key, id, ip, players, known_version)
  local reply = renew_as_known(key, id, ip, known_version)
  if reply ~= DONE or players == '' then return reply end
  return publish_players(key, id, players, known_version)
end

local function ping_in_full(key, id, ip, players)
  --#take full_ping
  --#read old: ip host name port players max_players kept_until version registered_at claimed client reachability details
  if old.err then return old end
  if not (old_ip and old_host and old_name and old_port and old_players and old_max_players
    and number_of(old_version) and number_of(old_registered_at)) then
    if old_ip or call('ZSCORE', servers, id) then return DAMAGED end
    return unknown_reply()
  end

  local claimed, reachability = old_claimed or proof == 'token' and '1', old_reachability
  local old_address, address = address_of(old_host, old_ip, old_port), address_of(host, ip, port)
  compare_at(address, place)
  local refusal = not is_entitled(proof, old_claimed) and NOT_ENTITLED
    or old_ip ~= ip and may_move ~= '1' and OTHER_IP
  -- What may still be refused is renewed later.
  local may_be_refused = refusal or may_move == '1' or address ~= old_address
  local listed
  if may_be_refused then listed = call('ZSCORE', servers, id) else listed = renew(id) end
  if not listed then
    local expired_at = number_of(call('HGET', key, 'expired_at')) or now
    if now >= expired_at + REVIVE_WINDOW_MS then return unknown_reply() end
  end
  if refusal then return refusal end
  if may_move == '1' and is_exempt ~= '1' and client ~= old_client and call('ZSCORE', clients, id) ~= network then
    local exceeded = exceeded_by_network(network, { (rival_at(address, id, key)) })
    if exceeded then return exceeded end
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

  if may_move ~= '1' and old_client or client == '' then client = old_client end
  local is_as_before = listed and address == old_address and client == old_client and claimed == old_claimed
  if details == '' then details = old_details elseif details == '{}' then details = false end
  if is_as_before and old_name == name and old_max_players == max_players and old_details == details then
    if old_players == players then return DONE end
    local new_version = publish_players(key, id, players, old_version)
    return { CHANGED, new_version, old_registered_at, { claimed, client, reachability, details } }
  end

  if not listed then
    call('ZREM', tombstones, id)
    call('ZREM', expired, id)
    call('HDEL', key, 'expired_at')
  end
  local new_version = publish(id, listed and tonumber(old_version) or 0)
  call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players,
    'max_players', max_players, 'version', new_version)
  if address ~= old_address then reachability = false end
  if claimed ~= old_claimed or client ~= old_client or not reachability then
    write_standing(key, claimed, client, reachability)
  end
  if details ~= old_details then write_field(key, 'details', details) end
  if client ~= old_client then count_client(id, network) end
  local known = { claimed, client, reachability, details }
  local reply = { listed and CHANGED or REVIVED, new_version, old_registered_at, known }
  return rival and { WITH_GONE, reply, { rival, tombstone_version } } or reply
end

local version_at_first = version
for i = next_record, #KEYS do
  --#take ping
  if known_version ~= '' then
    replies[#replies + 1] = ping_short(KEYS[i], id, ip, players, known_version)
  else
    replies[#replies + 1] = ping_in_full(KEYS[i], id, ip, players)
  end
end
if version ~= version_at_first then
  save_versions()
  save_player_log()
end
return replies
