-- The quotas of registry/registry-rules.ts. An entry counts while it is listed or can be revived: lapsed ones are
-- dropped from the counts here, when it matters. recount.lua corrects counts that are wrong because keys were damaged.
--   clients    an id counts once, however often it is added; its score is the number of the network of its client
-- Counts the entry for this network; for none if `network` is '', because the address of the client is not known.
local function count_client(id, network)
  if network ~= '' then call('ZADD', clients, network, id) else call('ZREM', clients, id) end
end

local function drop_lapsed()
  for _, id in ipairs(call('ZRANGEBYSCORE', expired, '-inf', text(now), 'LIMIT', 0, BATCH_LIMIT)) do
    call('ZREM', expired, id)
    if not call('ZSCORE', servers, id) then call('ZREM', clients, id) end
  end
end

-- The reply to one entry too many: {QUOTA_EXCEEDED, 1 for the quota of all or 2 for that of the network, the limit, how
-- many there are}; nil if there is room. The ids in `leaving` leave for it, and do not count.
local function exceeded_by_all(leaving)
  if MOST_SERVERS == 0 then return nil end
  drop_lapsed()
  local count = call('ZCARD', servers) + call('ZCOUNT', expired, '(' .. text(now), '+inf') - #leaving
  if count >= MOST_SERVERS then return { QUOTA_EXCEEDED, 1, MOST_SERVERS, count } end
end

-- The same for the network; NOT_WHOLE if Redis may have lost entries of the network.
local function exceeded_by_network(network, leaving)
  if MOST_SERVERS_PER_ADDRESS == 0 or network == '' then return nil end
  drop_lapsed()
  local own = call('ZCOUNT', clients, network, network)
  for _, id in ipairs(leaving) do
    if call('ZSCORE', clients, id) == network then own = own - 1 end
  end
  if own >= MOST_SERVERS_PER_ADDRESS then return { QUOTA_EXCEEDED, 2, MOST_SERVERS_PER_ADDRESS, own } end
  if not is_whole then return NOT_WHOLE end
end
