-- Drops the id without a tombstone. False if it was not listed.
local function forget(id)
  local last_change = call('ZSCORE', changes, id)
  if last_change then
    count_version(version_of(last_change) or 0, 0)
    call('ZREM', changes, id)
  end
  return call('ZREM', servers, id) == 1 or last_change ~= false
end

-- Nobody has the address any more, if it was the id's.
local function release_address(address, id)
  if call('HGET', addresses, address) == id then call('HDEL', addresses, address) end
end

-- The id's entry leaves the list, exactly once: only who finds it listed takes it off. False if it was not listed.
local function hide(id, address)
  if not forget(id) then return false end
  call('ZADD', removed, next_version(), id)
  release_address(address, id)
  return true
end

-- Keeps the latest. A follower that is behind the floor, the version of the last one dropped, loads everything anew.
-- Nothing is dropped while Redis takes no writes: the list can be read all the same.
local MOST_TOMBSTONES = 10000
local function trim_tombstones(floor)
  local surplus = call('ZCARD', removed) - MOST_TOMBSTONES
  if surplus <= 0 then return floor end
  local last = call('ZRANGE', removed, surplus - 1, surplus - 1, 'WITHSCORES')[2]
  local reply = redis.pcall('ZREMRANGEBYRANK', removed, 0, surplus - 1)
  if type(reply) == 'table' and reply.err then return floor end
  floor = math.max(floor, tonumber(last))
  call('HSET', state, 'floor', text(floor))
  return floor
end
