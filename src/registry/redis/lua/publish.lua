-- Lists the game server of another protocol, or renews its entry. An id that has expired or was removed comes back.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   id, ip, host, name, port, players, max_players, details
--   client, network    of the client; the network as a number
--   is_exempt          1 if no quota holds for the client
--   place              of its address: see lib/addresses.lua
--   lifetime           see lib/lifetimes.lua
--   link               the one that was proved
--   links              those with which the replica described the entry, separated by commas
--   reachability       of an entry that was reached
--   document           '' if the record has it
-- Returns
--   DONE                                    renewed
--   {CHANGED, version, registered_at}       renewed and changed
--   {REVIVED, the same}                     listed again: it had expired
--   {LISTED, the same}                      listed
--   {WITH_GONE, one of these, ids}          in place of another: its id and the version of its tombstone
--   {OTHER_LINKS, links}                    it would have these links: the replica has to describe it with them
--   SAY_ALL                                 the record does not have the document
--   NOT_WHOLE                               only a whole registry can decide
--   {ADDRESS_TAKEN, ms}                     a claimed entry has the address for so long
--   {QUOTA_EXCEEDED, which, limit, count}   as for a broadcast
--   {TOO_MANY_BYTES, limit}                 its document is too large for the network of its client
--#include keys clock lifetimes versions records removal addresses quotas
--#begin
local key = record
open_state(new_epoch)

local old = read_record(key, 'ip', 'host', 'port', 'name', 'players', 'max_players', 'registered_at', 'version',
  'claimed', 'client', 'reachability', 'details', 'links', 'kept_until', 'expired_at')
local is_listed = call('ZSCORE', servers, id)
-- Whether it is listed or can be revived.
local is_known = is_sound(old) and (is_listed or now < (number_of(old.expired_at) or now) + REVIVE_WINDOW_MS)
local listed_until = text(now + ttl_in(lifetime))

local live, stored, is_new_link = {}, {}, true
for each, until_then in string.gmatch(is_listed and old.links or '', '([^, ]+) (%d+)') do
  if each == link then
    is_new_link, until_then = false, listed_until
  end
  if tonumber(until_then) > now then live[#live + 1], stored[#stored + 1] = each, each .. ' ' .. until_then end
end
if is_new_link then live[#live + 1], stored[#stored + 1] = link, link .. ' ' .. listed_until end
while #live > MOST_LINKS do
  table.remove(live, 1)
  table.remove(stored, 1)
end
local live_links = table.concat(live, ',')
if live_links ~= links then return { OTHER_LINKS, live_links } end
local stored_links = table.concat(stored, ',')

local old_address, address = address_of(old.host, old.ip, old.port), address_of(host, ip, port)
compare_at(address, place)
local is_there = is_listed and is_known and old_address == address
if is_there and old.name == name and old.players == players and old.max_players == max_players
  and old.details == details and old.client == client and old.claimed and old.reachability == reachability then
  call('ZADD', servers, listed_until, id)
  call('HSET', key, 'links', stored_links)
  if (number_of(old.kept_until) or 0) - now < LEAK_GUARD_MS / 2 then
    call('HSET', key, 'kept_until', text(now + LEAK_GUARD_MS))
    call('PEXPIRE', key, LEAK_GUARD_MS)
  end
  call('ZADD', lifetimes, lifetime, id)
  count_document(id, key, network)
  return DONE
end

if document == '' and (old.details ~= details or call('HEXISTS', key, 'document') == 0) then return SAY_ALL end
-- Another replica may know the entry, and be about to write it back.
if not is_listed and not is_whole then return NOT_WHOLE end
if not is_there then
  local refused = refuse_address(address, id, key)
  if refused then return refused end
end
local leaving = rival_at(address, id, key)
local exceeded = is_exempt ~= '1' and exceeded_by_entry(id, is_known, network, { leaving })
  or exceeded_by_document(id, network, document == '' and call('HSTRLEN', key, 'document') or #document, leaving)
if exceeded then return exceeded end

local rival, tombstone_version = false, ''
if not is_there then
  if is_known then release_address(old_address, id) end
  rival, tombstone_version = take_address(address, id, key)
end
call('ZREM', tombstones, id)
call('ZREM', expired, id)
call('HDEL', key, 'expired_at')
local new_version = publish(id, is_listed and version_of(call('ZSCORE', changes, id)) or 0)
local registered_at = is_known and old.registered_at or new_version
call('HSET', key, 'ip', ip, 'host', host, 'name', name, 'port', port, 'players', players, 'max_players', max_players,
  'registered_at', registered_at, 'version', new_version, 'details', details, 'links', stored_links,
  'kept_until', text(now + LEAK_GUARD_MS))
write_standing(key, '1', client, reachability)
if document ~= '' then call('HSET', key, 'document', document) end
count_client(id, network)
call('ZADD', servers, listed_until, id)
call('ZADD', lifetimes, lifetime, id)
count_document(id, key, network)
call('PEXPIRE', key, LEAK_GUARD_MS)
save_versions()
local reply = { is_listed and CHANGED or is_known and REVIVED or LISTED, new_version, registered_at }
return rival and { WITH_GONE, reply, { rival, tombstone_version } } or reply
