-- The ways off the list. The life of an entry: listed -> expired or parked, with a tombstone, and it can come back ->
-- removed, with a tombstone for good.

-- Unlists the id, without a tombstone. Returns false if it was not listed.
local function unlist(id)
  call('ZREM', documents, id)
  local last_change = call('ZSCORE', changes, id)
  if last_change then
    count_version(version_of(last_change) or 0, 0)
    call('ZREM', changes, id)
  end
  call('ZREM', lifetimes, id)
  return call('ZREM', servers, id) == 1 or last_change ~= false
end

-- Deletes the record of the id: no ping can revive it, and it does not count for its client any more.
local function forget(id, key)
  call('DEL', key)
  call('ZREM', clients, id)
  call('ZREM', expired, id)
end

local function is_unlisted(id)
  return string.byte(id) == UNLISTED_MARK_BYTE
end

-- The field of the index that has the place of an entry whose address is spelled otherwise than it is compared. For an
-- unlisted entry it is the only field: so that entry neither keeps an address from others nor takes one. A mended index
-- has an entry at its address as it was sent.
local function place_field(id)
  return '\n' .. id
end

local function release_place(place, id)
  if call('HGET', addresses, place) == id then call('HDEL', addresses, place) end
end

-- Frees the address, if it belongs to the id.
local function release_address(address, id)
  release_place(address, id)
  local place = call('HGET', addresses, place_field(id))
  if not place then return end
  release_place(place, id)
  call('HDEL', addresses, place_field(id))
end

-- Unlists the id and leaves a tombstone, exactly once. Returns false if it was not listed.
local function unlist_with_tombstone(id, address)
  if not unlist(id) then return false end
  call('ZADD', tombstones, next_version(), id)
  release_address(address, id)
  return true
end

-- Fails at a key of a wrong type before anything is written: half a removal, repeated once the key is mended, would
-- find nothing to remove.
local function check_types(id)
  for _, each in ipairs({ servers, changes, tombstones, clients, expired }) do call('ZSCORE', each, id) end
  call('HLEN', addresses)
end

-- Removes the entry for good, whether it is listed or can come back, and leaves a tombstone. Returns whether that is a
-- new one: an entry that has expired left one before. So did a parked one, which replicas know and would write back.
local function remove_for_good(id, key, address)
  check_types(id)
  local is_parked = redis.pcall('HEXISTS', key, 'parked_until') == 1
  local has_tombstone = unlist_with_tombstone(id, address) or is_parked
  if is_parked then call('ZADD', tombstones, next_version(), id) end
  forget(id, key)
  return has_tombstone
end

-- Keeps the latest tombstones, as mayForget() in lifetime.ts says, and returns the floor: the version of the last one
-- dropped. A follower behind the floor loads everything anew. Nothing is dropped while Redis accepts no writes: the
-- list can be read all the same.
local function trim_tombstones(floor)
  local count = call('ZCARD', tombstones)
  if count <= FEWEST_TOMBSTONES then return floor end
  local old = call('ZCOUNT', tombstones, '-inf', '(' .. text(version - RESUMABLE_US))
  local surplus = math.max(math.min(count - FEWEST_TOMBSTONES, old), count - MOST_TOMBSTONES)
  if surplus <= 0 then return floor end
  local last = call('ZRANGE', tombstones, surplus - 1, surplus - 1, 'WITHSCORES')[2]
  local reply = redis.pcall('ZREMRANGEBYRANK', tombstones, 0, surplus - 1)
  if type(reply) == 'table' and reply.err then return floor end
  floor = math.max(floor, tonumber(last))
  call('HSET', state, 'floor', text(floor))
  return floor
end
