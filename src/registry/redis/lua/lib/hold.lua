-- The hold of a mass expiry, twin of registry/memory/expiry-hold.ts. Each network of clients has one vote, which its
-- listed entries share: how many entries an address invents does not matter. Of a large registry a part of the networks
-- is heard. Their numbers are hashes, so those that follow on any number are chosen at random, and each TTL by another.
local VOTES_A_BATCH, MOST_VOTE_BATCHES, NETWORK_NUMBERS = 64, 8, 2 ^ 48
-- So many votes are enough if the outcome is so clear.
local ENOUGH_VOTES, CLEAR_MAJORITY = 50, 0.3

-- How many networks of listed entries were heard, and how many of them are silent: a part of one counts as that part.
local function hear_votes()
  local first = text(math.floor(now / TTL_MS) * 0.6180339887498949 % 1 * NETWORK_NUMBERS)
  local from, upto, votes, silent_votes = first, '+inf', 0, 0
  for _ = 1, MOST_VOTE_BATCHES do
    local batch = call('ZRANGEBYSCORE', clients, '(' .. from, upto, 'WITHSCORES', 'LIMIT', 0, VOTES_A_BATCH)
    local ids = {}
    for i = 1, #batch, 2 do ids[#ids + 1] = batch[i] end
    local deadlines = #ids > 0 and call('ZMSCORE', servers, unpack(ids)) or {}
    local listed, silent = 0, 0
    for i = 1, #ids do
      if deadlines[i] then
        listed = listed + 1
        if tonumber(deadlines[i]) <= now + SILENT_BELOW_MS then silent = silent + 1 end
      end
      if batch[2 * i] ~= batch[2 * i + 2] then
        if listed > 0 then votes, silent_votes = votes + 1, silent_votes + silent / listed end
        listed, silent = 0, 0
      end
    end
    if votes >= ENOUGH_VOTES and math.abs(silent_votes / votes - 0.5) > CLEAR_MAJORITY then break end
    if #ids == VOTES_A_BATCH then
      from = batch[#batch]
    elseif upto == '+inf' then
      from, upto = '-1', first
    else
      break
    end
  end
  return votes, silent_votes
end

local function is_mass(listed, silent)
  if listed < FEWEST_FOR_A_HOLD or silent <= FEWEST_FOR_A_HOLD / 2 then return false end
  local votes, silent_votes = hear_votes()
  -- Entries of clients whose address is not known have no network.
  if votes == 0 then return silent > listed / 2 end
  return silent_votes > votes / 2 + ROUNDING_OF_VOTES
end

-- 'hold', 'expire' or 'grace', and how many silent entries are held.
local function decide_hold()
  if LONGEST_HOLD_MS == 0 then return 'expire', 0 end
  local listed = call('ZCARD', servers)
  local silent = call('ZCOUNT', servers, '-inf', text(now + SILENT_BELOW_MS))
  if held_since and held_since > now then
    held_since = now
    note('heldSince', now)
  end
  local spent = held_since and now - held_since >= LONGEST_HOLD_MS
  if is_mass(listed, silent) then
    if spent then return 'expire', 0 end
    if not held_since then note('heldSince', now) end
    return 'hold', silent
  end
  if not held_since then return 'expire', 0 end
  note('heldSince', nil)
  if spent then return 'expire', 0 end
  shut_grace_gate()
  return 'grace', 0
end
