-- Where an entry can be reached. The index is always kept, so that --unique-address can be switched on any time.
local function address_of(host, ip, port)
  return (host or '') .. '\n' .. (ip or '') .. '\n' .. (port or '')
end

-- The address belongs to the id from now on; with `unique` its former holder is removed for good.
local function claim_address(address, id, unique, record_prefix)
  local holder = call('HGET', addresses, address)
  if holder and holder ~= id and unique then
    hide(holder, address)
    call('DEL', record_prefix .. holder)
  end
  call('HSET', addresses, address, id)
end
