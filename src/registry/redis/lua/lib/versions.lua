-- Every visible change gets the next version. Versions are µs of Redis time, so that they grow even across a
-- failover to a replica that lags behind; the digest, a sum over the versions of all that is listed, tells
-- a follower that its copy is of another history all the same.
-- Read once, changed in Lua, written back by save_versions().
--   epoch    names the history: versions of different epochs have nothing to do with each other
--   loss     names the last time that entries were found to be lost, or the history began
--   wholeAt  ms: when all replicas had told what they knew of before; absent until then
local DIGEST_MODULUS = 2 ^ 40
-- No clock that is right gets to the first (2112), nor any version of ours to the second: beyond it somebody else has
-- written. As in registry/game-server.ts.
local LATEST_VERSION_BY_CLOCK, VERSION_LIMIT = 2 ^ 52, 1.5 * 2 ^ 52
local epoch, loss, is_whole
local version, version_text, digest

local function version_of(field)
  local number = number_of(field)
  return number and number >= 0 and number < VERSION_LIMIT and number % 1 == 0 and number or nil
end

-- From now on the list may lack what only replicas know, until settle.lua says that it is whole.
local function note_loss()
  is_whole, loss = false, ARGV[2]
  call('HSET', state, 'loss', loss)
  call('HDEL', state, 'wholeAt')
end

-- What the state should hold is gone, or was never there. What else there is of the registry stays; settle.lua puts
-- the digest right.
local function begin_history()
  local floor, wrong_types = call('HGET', state, 'floor'), call('HGET', state, 'wrongTypes')
  version = math.max(version_of(call('HGET', state, 'version')) or 0, math.min(now_us, LATEST_VERSION_BY_CLOCK))
  for _, key in ipairs({ changes, removed }) do
    local top = call('ZREVRANGEBYSCORE', key, '(' .. text(VERSION_LIMIT), '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
    version = math.max(version, version_of(top[2]) or 0)
  end
  version_text, digest, epoch = text(version), 0, ARGV[2]
  floor = math.min(version_of(floor) or 0, version)
  call('DEL', state)
  call('HSET', state, 'epoch', epoch, 'version', version_text, 'digest', '0', 'floor', text(floor))
  if wrong_types then call('HSET', state, 'wrongTypes', wrong_types) end
  note_loss()
end

local function read_versions()
  local stored = call('HMGET', state, 'version', 'digest', 'epoch', 'loss', 'wholeAt')
  version, version_text, digest = version_of(stored[1]), stored[1], version_of(stored[2])
  epoch, loss, is_whole = stored[3], stored[4] or '', stored[5] and true or false
  return epoch and version and digest
end
if not read_versions() then begin_history() end

local function next_version()
  version = math.max(version + 1, math.min(now_us, LATEST_VERSION_BY_CLOCK))
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
