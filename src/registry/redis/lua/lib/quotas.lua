-- The quotas of registry/registry-rules.ts. An entry counts while it is listed or can be revived: lapsed ones are
-- dropped from the counts here, when it matters. recount.lua corrects counts that are wrong because keys were damaged.
-- An entry that comes to another network counts there in the same step. What a replica restores had its place before:
-- it counts, and is not refused; its network gets nothing more until it is below its quota.
--   clients    an id counts once, however often it is added; its score is the number of the network of its client
--   documents  the score is that number times MOST_DOCUMENT_UNITS, plus the units of the document less one: a document
--              counts in whole units, so that the sum of a network takes as many calls as there are sizes
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

-- The score in `documents` of a document of so many bytes. Another program may have stored a longer one.
local function score_of_document(network, bytes)
  local units = math.min(math.max(math.ceil(bytes / DOCUMENT_UNIT_BYTES), 1), MOST_DOCUMENT_UNITS)
  return tonumber(network) * MOST_DOCUMENT_UNITS + units - 1
end

-- Counts the document in the record of a listed entry, if there is one, for this network.
local function count_document(id, key, network)
  local bytes = call('HSTRLEN', key, 'document')
  if bytes == 0 or network == '' then return call('ZREM', documents, id) end
  call('ZADD', documents, text(score_of_document(network, bytes)), id)
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

-- The reply to the publication of an entry for which its network has no room; nil if there is room. An entry that is
-- listed or can be revived, and counts for this network, stays one of its entries.
local function exceeded_by_entry(id, is_there, network, leaving)
  if is_there and call('ZSCORE', clients, id) == network then return nil end
  return not is_there and exceeded_by_all(leaving) or exceeded_by_network(network, leaving)
end

-- The reply to a document too large for its network: {TOO_MANY_BYTES, the limit}; nil if there is room, or if the
-- document of the entry already takes as much of this network. The rival, if there is one, leaves for it.
local function exceeded_by_document(id, network, bytes, rival)
  if MOST_DOCUMENT_BYTES_PER_ADDRESS == 0 or network == '' then return nil end
  local first = score_of_document(network, 0)
  local function units_here(other)
    local units = (other and number_of(call('ZSCORE', documents, other)) or -1) - first + 1
    return units >= 1 and units <= MOST_DOCUMENT_UNITS and units or 0
  end
  local before, after = units_here(id), score_of_document(network, bytes) - first + 1
  if after <= before then return nil end
  -- Most networks have so few documents that their sizes do not matter.
  local count = call('ZCOUNT', documents, text(first), text(first + MOST_DOCUMENT_UNITS - 1)) + 1
  if count * MOST_DOCUMENT_UNITS * DOCUMENT_UNIT_BYTES <= MOST_DOCUMENT_BYTES_PER_ADDRESS then return nil end
  local sum = after - before - units_here(rival)
  for units = 1, MOST_DOCUMENT_UNITS do
    local score = text(first + units - 1)
    sum = sum + units * call('ZCOUNT', documents, score, score)
  end
  local is_too_much = sum * DOCUMENT_UNIT_BYTES > MOST_DOCUMENT_BYTES_PER_ADDRESS
  return is_too_much and { TOO_MANY_BYTES, text(MOST_DOCUMENT_BYTES_PER_ADDRESS) } or nil
end
