-- The index of addresses. It is always kept, so that --unique-address can be switched on any time. It has each entry at
-- a place: its address as it is compared. Only replicas can compute that if the address is spelled otherwise.
local function address_of(host, ip, port)
  return (host or '') .. '\n' .. (ip or '') .. '\n' .. (port or '')
end

local places = {}
-- Remembers the place of this address; '' if it is the address itself.
local function compare_at(address, place)
  if place ~= '' then places[address] = place end
end

local function place_of(address)
  return places[address] or address
end

local function listed_at(place)
  local holder = call('HGET', addresses, place)
  return holder and call('ZSCORE', servers, holder) and holder
end

-- The listed entry that has the address; false or nil if there is none. An index that was mended has the address as it
-- was sent: see changes.lua.
local function holder_of(address)
  return listed_at(place_of(address)) or places[address] and listed_at(address)
end

-- The id that has to leave so that this one can have the address, and the key of its record; nil if there is none. The
-- keys of records differ in the id alone.
local function rival_at(address, id, key)
  local holder = IS_ADDRESS_UNIQUE and not is_unlisted(id) and holder_of(address)
  if holder and holder ~= id then return holder, record_of(holder, id, key) end
end

-- The reply if the id cannot have the address: {ADDRESS_TAKEN, ms} if a claimed entry keeps it for that long without a
-- ping, NOT_WHOLE if such an entry may be lost; nil if the id can have it.
local function refuse_address(address, id, key)
  if not IS_ADDRESS_UNIQUE or IS_SOURCE_VERIFIED or is_unlisted(id) then return nil end
  local rival, rival_key = rival_at(address, id, key)
  local deadline = rival and read_record(rival_key, 'claimed').claimed and number_of(call('ZSCORE', servers, rival))
  if deadline then return { ADDRESS_TAKEN, text(math.max(0, deadline - now)) } end
  if not is_whole then return NOT_WHOLE end
end

-- Gives the address to the id, whose record has this key; if addresses are unique, the former holder is removed for
-- good. Returns the former holder and the version of its tombstone; false if there was none.
local function take_address(address, id, key)
  if is_unlisted(id) then
    call('HSET', addresses, place_field(id), id)
    return false
  end
  local rival, rival_key = rival_at(address, id, key)
  if rival then remove_for_good(rival, rival_key, address) end
  call('HSET', addresses, place_of(address), id)
  if places[address] then call('HSET', addresses, place_field(id), places[address]) end
  return rival or false, version_text
end
