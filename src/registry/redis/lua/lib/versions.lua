-- Every visible change gets the next version. Versions are µs of Redis time, so that they grow even across a
-- failover to a replica that lags behind; the digest, a sum over the versions of all that is listed, tells
-- a follower that its copy is of another history all the same.
-- Read once, changed in Lua, written back by save_versions().
local DIGEST_MODULUS = 2 ^ 40
local stored = call('HMGET', state, 'version', 'digest')
local version = (tonumber(stored[1]) or 0) + 0.0
local digest = (tonumber(stored[2]) or 0) + 0.0

local version_text = stored[1] or '0'

local function next_version()
  version = math.max(version + 1, now_us)
  version_text = text(version)
  return version_text
end

-- Exchanges the version of an entry in the digest; 0 stands for none.
local function count_version(before, after)
  digest = (digest - before % DIGEST_MODULUS + after % DIGEST_MODULUS) % DIGEST_MODULUS
end

local function save_versions()
  call('HSET', state, 'version', version_text, 'digest', text(digest))
end

-- The id's entry changed visibly, from this version on, or appeared, from version 0. Its record keeps the version
-- returned, so that the next change need not look it up.
local function show(id, before)
  local after = next_version()
  call('ZADD', changes, after, id)
  count_version(before, version)
  return after
end
