-- How many entries there may be, by registry/quotas.ts. An entry counts while it is listed or can be revived: those
-- that lapse are dropped from the counts here, when it matters. What counted wrongly, because keys were damaged,
-- recount.lua puts right.
--   clients    each member counts once, whatever happens twice; its score is the number of the network of its client
-- A set, and no counter: a script that runs twice, or three replicas that restore one entry, count right.
-- network: '' for a client whose address is not known: the entry counts for none.
local function count_client(id, network)
  if network ~= '' then call('ZADD', clients, network, id) else call('ZREM', clients, id) end
end

local function drop_lapsed()
  for _, id in ipairs(call('ZRANGEBYSCORE', expired, '-inf', text(now), 'LIMIT', 0, BATCH_LIMIT)) do
    call('ZREM', expired, id)
    if not call('ZSCORE', servers, id) then call('ZREM', clients, id) end
  end
end

-- The replies to one entry too many: {QUOTA_EXCEEDED, 1 for the quota of all or 2 for that of the network, the limit,
-- how many there are}; nil if there is room, also in the place of these ids, which leave for it.
local function exceeded_by_all(leaving)
  if MOST_SERVERS == 0 then return nil end
  drop_lapsed()
  local count = call('ZCARD', servers) + call('ZCOUNT', expired, '(' .. text(now), '+inf') - #leaving
  if count >= MOST_SERVERS then return { QUOTA_EXCEEDED, 1, MOST_SERVERS, count } end
end

-- NOT_WHOLE if entries of the network may be lost.
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
