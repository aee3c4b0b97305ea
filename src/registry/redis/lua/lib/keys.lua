-- Names for the keys that a script declares, in this order.
--   servers     sorted set  id -> deadline, ms of the clock of Redis: the listed ids
--   changes     sorted set  id -> version of its last visible change; the same ids as servers
--   tombstones  sorted set  id -> version of its removal, the oldest trimmed. The key is called removed
--   state       hash        epoch, loss, wholeAt, restorer:<replica>, version, digest, floor, resetAs, mendedAs,
--                           newestSweepAt, graceUntil, heldSince, heldSince:<lifetime>, ownHolds, missingSince,
--                           wrongTypes, playerLogStart, hasSecret: see versions.lua, grace.lua, changes.lua,
--                           player-log.lua, settings.lua
--   addresses   hash        host, IP and port, as they are compared -> id of the latest entry there; see addresses.lua
--   player_log  string      the latest changes of players alone: see player-log.lua. Any part of it may be missing
--   clients     sorted set  id -> number of the network of its client: the ids that are listed or in expired; see
--                           quotas.lua
--   expired     sorted set  id -> ms until which it can come back: the expired and the parked ids
--   settings    hash        secret and decisions, which do not depend on the entries: see settings.lua
--   lifetimes   sorted set  id -> its lifetime, of listed entries that do not live by --ttl: see lifetimes.lua
--   documents   sorted set  id -> network of its client and size of its document, of native entries: see quotas.lua
--   record      hash        one entry, if the script is about one: see records.lua
local call = redis.call
local servers, changes, tombstones, state, addresses, player_log, clients, expired, settings, lifetimes, documents,
  record = unpack(KEYS, 1, 12)

-- The id of the entry with this key of a record, {registry}:server:<id>. Its prefix is as long as {registry}:servers.
local function id_in(key)
  return string.sub(key, #servers + 1)
end
