-- Names for the keys that a script declares, in this order.
--   servers     sorted set  id -> deadline, ms of the clock of Redis: the listed ids
--   changes     sorted set  id -> version of its last visible change; the same ids as servers
--   tombstones  sorted set  id -> version of its removal, the oldest trimmed. The key is called removed
--   state       hash        epoch, loss, wholeAt, restorer:<replica>, version, digest, floor, resetAs, mendedAs,
--                           sweptAt, graceUntil, heldSince, missingSince, wrongTypes: see versions.lua, grace.lua,
--                           changes.lua
--   addresses   hash        host, IP and port -> id of the latest entry there
--   record      hash        one entry, if the script is about one: see records.lua
local call = redis.call
local servers, changes, tombstones, state, addresses, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
