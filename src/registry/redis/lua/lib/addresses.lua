-- Where an entry can be reached. The index is always kept, so that --unique-address can be switched on any time.
local function address_of(host, ip, port)
  return (host or '') .. '\n' .. (ip or '') .. '\n' .. (port or '')
end

-- The id that has to go for this one to have the address, and its record; nil if there is none. The keys of records
-- differ in the id alone.
local function rival_at(address, id, key)
  local holder = IS_ADDRESS_UNIQUE and call('HGET', addresses, place_of(address, id))
  -- Replicas up to 0.8 have unlisted entries among the others.
  if holder and holder ~= id and not is_unlisted(holder) then return holder, string.sub(key, 1, -#id - 1) .. holder end
end

-- If the address has to stay with a claimed entry: for how long, without a ping, ms.
local function ms_until_free(address, id, key)
  if IS_SOURCE_VERIFIED then return nil end
  local rival, rival_key = rival_at(address, id, key)
  local deadline = rival and read_record(rival_key, 'claimed')[1] and number_of(call('ZSCORE', servers, rival))
  return deadline and text(math.max(0, deadline - now))
end

-- Gives the address to the id, whose record this is; if addresses are unique, the former holder is removed for good.
-- Returns that id, or false.
local function take_address(address, id, key)
  local rival, rival_key = rival_at(address, id, key)
  if rival then remove_for_good(rival, rival_key, address) end
  call('HSET', addresses, place_of(address, id), id)
  return rival or false
end
