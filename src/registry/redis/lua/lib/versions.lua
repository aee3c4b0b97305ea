-- Every visible change gets the next version. Versions are µs of the clock of Redis, so that they grow even across a
-- failover to a node that lags behind. The digest, a sum over the versions of all listed entries, shows a follower
-- whether its copy is of another epoch all the same.
-- open_state reads them, or take_state gets what was read; the other functions change them in Lua; save_versions writes
-- them back.
--   epoch    the name of the versions since the first change, or since a loss of the state: versions of different
--            epochs cannot be compared
--   loss     the name of the last loss of entries that was found, or of the beginning of the epoch
--   wholeAt  ms: when all replicas had written back what they knew before the loss; absent until then. Only a whole
--            registry can decide that an id is new, an address free, a client below its quota: NOT_WHOLE is the reply
--            until then, because any replica may know better and be about to write it back
local epoch, loss, is_whole
local version, version_text, digest

-- The version that a field holds; nil if no script of GSLS wrote it.
local function version_of(field)
  local number = number_of(field)
  return number and number >= 0 and number < VERSION_LIMIT and number % 1 == 0 and number or nil
end

-- Begins a loss: the list may lack what only replicas know, until declare-whole.lua declares it whole.
local function note_loss(new_loss)
  is_whole, loss = false, new_loss
  call('HSET', state, 'loss', loss)
  call('HDEL', state, 'wholeAt')
end

-- Replaces a state that is lost, damaged, or was never there. All other keys of the registry stay; declare-whole.lua
-- corrects the digest.
local function begin_epoch(new_epoch)
  local floor, wrong_types = unpack(call('HMGET', state, 'floor', 'wrongTypes'))
  version = math.max(version_of(call('HGET', state, 'version')) or 0, math.min(now_us, LATEST_VERSION_BY_CLOCK))
  for _, key in ipairs({ changes, tombstones }) do
    local top = call('ZREVRANGEBYSCORE', key, '(' .. text(VERSION_LIMIT), '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
    version = math.max(version, version_of(top[2]) or 0)
  end
  version_text, digest, epoch = text(version), 0, new_epoch
  floor = math.min(version_of(floor) or 0, version)
  call('DEL', state)
  call('HSET', state, 'epoch', epoch, 'version', version_text, 'digest', '0', 'floor', text(floor))
  if wrong_types then call('HSET', state, 'wrongTypes', wrong_types) end
  note_loss(new_epoch)
end

-- Adopts the state as it was read, or begins this epoch if there is none. Returns the values of further fields.
local function take_state(new_epoch, fields, ...)
  local stored_digest, whole_at
  version_text, stored_digest, epoch, loss, whole_at = unpack(fields, 1, 5)
  version, digest = version_of(version_text), version_of(stored_digest)
  loss, is_whole = loss or '', whole_at and true or false
  if epoch and version and digest then return unpack(fields, 6) end
  begin_epoch(new_epoch)
  if ... then return unpack(call('HMGET', state, ...)) end
end

local function open_state(new_epoch, ...)
  return take_state(new_epoch, call('HMGET', state, 'version', 'digest', 'epoch', 'loss', 'wholeAt', ...), ...)
end

-- Returns the text of the next version. It is joined of two: the versions of a group share the first one.
local millions, millions_text
local function next_version()
  version = math.max(version + 1, math.min(now_us, LATEST_VERSION_BY_CLOCK))
  local rest = version % 1e6
  if version - rest ~= millions then
    millions = version - rest
    millions_text = text(millions / 1e6)
  end
  version_text = millions > 0 and millions_text .. string.format('%06d', rest) or text(version)
  return version_text
end

-- Raises the version, so that later ones are above this one as well.
local function raise_version(known_version)
  version = math.max(version, known_version)
  version_text = text(version)
end

-- Replaces the version of an entry in the digest; 0 stands for none.
local function count_version(before, after)
  digest = (digest - before % DIGEST_MODULUS + after % DIGEST_MODULUS) % DIGEST_MODULUS
end

local function save_versions()
  call('HSET', state, 'version', version_text, 'digest', text(digest))
end

-- Makes the present state of the entry the next visible version; `before` is its last one, 0 if it was not listed.
-- Returns the version; the caller keeps it in the record, so that the next change need not look it up.
local function publish(id, before)
  local after = next_version()
  call('ZADD', changes, after, id)
  count_version(before, version)
  return after
end
