-- Drops the id without a tombstone. False if it was not listed.
local function forget(id)
  if call('ZREM', servers, id) == 0 then return false end
  count_version(tonumber(call('ZSCORE', changes, id)) or 0, 0)
  call('ZREM', changes, id)
  return true
end

-- The id's entry leaves the list, exactly once: only who finds it listed takes it off.
local function hide(id, address)
  if not forget(id) then return end
  call('ZADD', removed, next_version(), id)
  if call('HGET', addresses, address) == id then call('HDEL', addresses, address) end
end
