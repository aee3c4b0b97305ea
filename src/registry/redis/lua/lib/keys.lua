-- Names for the keys every script declares, in this order.
--   servers    sorted set  id -> deadline, ms of Redis time: the id set
--   changes    sorted set  id -> version of its last visible change; the same ids as servers
--   removed    sorted set  id -> version of its removal (tombstones, the oldest trimmed)
--   state      hash        epoch, loss, wholeAt, restorer:<replica>, version, digest, floor, resetAs, mendedAs, sweptAt,
--                          graceUntil, heldSince, missingSince, wrongTypes: see versions.lua, grace.lua, changes.lua
--   addresses  hash        host, IP and port -> id of the latest entry there
local call = redis.call
local servers, changes, removed, state, addresses = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
