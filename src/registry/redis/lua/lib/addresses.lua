-- Where an entry can be reached. The index is always kept, so that --unique-address can be switched on any time.
local function address_of(host, ip, port)
  return (host or '') .. '\n' .. (ip or '') .. '\n' .. (port or '')
end

-- Gives the address to the id, whose record this is; if addresses are unique, the former holder is removed for good.
local function claim_address(address, id, key)
  local holder = call('HGET', addresses, address)
  if holder and holder ~= id and IS_ADDRESS_UNIQUE then
    -- The keys of records differ in the id alone.
    remove_for_good(holder, string.sub(key, 1, -#id - 1) .. holder, address)
  end
  call('HSET', addresses, address, id)
end
