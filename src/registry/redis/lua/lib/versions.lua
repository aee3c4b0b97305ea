-- Every visible change gets the next version. Versions are µs of Redis time, so that they grow even across a
-- failover to a replica that lags behind; the digest, a sum over the versions of all that is listed, tells
-- a follower that its copy is of another history all the same.
-- Read once, changed in Lua, written back by save_versions().
local DIGEST_MODULUS = 2 ^ 40
local stored = redis.call('HMGET', state, 'version', 'digest')
local version = (tonumber(stored[1]) or 0) + 0.0
local digest = (tonumber(stored[2]) or 0) + 0.0

local function next_version()
  version = math.max(version + 1, now_us)
  return version
end

local function save_versions()
  redis.call('HSET', state, 'version', text(version), 'digest', text(digest))
end

-- The id's entry changed visibly, or appeared.
local function show(id)
  local before = (tonumber(redis.call('ZSCORE', changes, id)) or 0)
  digest = (digest + next_version() % DIGEST_MODULUS - before % DIGEST_MODULUS) % DIGEST_MODULUS
  redis.call('ZADD', changes, text(version), id)
end

-- Drops the id without a tombstone. False if it was not listed.
local function forget(id)
  if redis.call('ZREM', servers, id) == 0 then return false end
  local before = (tonumber(redis.call('ZSCORE', changes, id)) or 0)
  digest = (digest - before % DIGEST_MODULUS) % DIGEST_MODULUS
  redis.call('ZREM', changes, id)
  return true
end

-- The id's entry leaves the list, exactly once: only who finds it listed takes it off.
local function hide(id, address)
  if not forget(id) then return end
  redis.call('ZADD', removed, text(next_version()), id)
  if redis.call('HGET', addresses, address) == id then redis.call('HDEL', addresses, address) end
end
