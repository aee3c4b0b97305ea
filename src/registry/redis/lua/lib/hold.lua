-- The hold of a mass expiry, twin of registry/memory/expiry-hold.ts. Each network of clients has one vote, which its
-- listed entries share: how many entries an address invents does not matter. In a large registry a sample of the
-- networks votes: their numbers are hashes, so those after any number are a random sample, and each TTL uses another.
local VOTES_A_BATCH, MOST_VOTE_BATCHES, NETWORK_NUMBERS = 64, 8, 2 ^ 48
-- This many votes are enough if the share of silent ones is farther than this from one half.
local ENOUGH_VOTES, CLEAR_MAJORITY = 50, 0.3

-- Counts the votes of networks with listed entries that live by --ttl, and those that are silent: a network of which a
-- part is silent counts as that part.
local function hear_votes()
  local has_others = call('EXISTS', lifetimes) == 1
  local first = text(math.floor(now / TTL_MS) * 0.6180339887498949 % 1 * NETWORK_NUMBERS)
  local from, upto, votes, silent_votes = first, '+inf', 0, 0
  for _ = 1, MOST_VOTE_BATCHES do
    local batch = call('ZRANGEBYSCORE', clients, '(' .. from, upto, 'WITHSCORES', 'LIMIT', 0, VOTES_A_BATCH)
    local ids = {}
    for i = 1, #batch, 2 do ids[#ids + 1] = batch[i] end
    local deadlines = #ids > 0 and call('ZMSCORE', servers, unpack(ids)) or {}
    local others = has_others and #ids > 0 and call('ZMSCORE', lifetimes, unpack(ids)) or {}
    local listed, silent = 0, 0
    for i = 1, #ids do
      if deadlines[i] and not others[i] then
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

local function is_mass(listed, silent, votes, silent_votes)
  if listed < FEWEST_FOR_A_HOLD or silent <= FEWEST_FOR_A_HOLD / 2 then return false end
  if not votes then votes, silent_votes = hear_votes() end
  -- Entries whose client has no known address belong to no network.
  if votes == 0 then return silent > listed / 2 end
  return silent_votes > votes / 2 + ROUNDING_OF_VOTES
end

-- Decides about the due entries of one lifetime: 'hold', 'expire' or 'grace'. `since`: when the hold began, as `field`
-- of the state has it.
local function decide_hold(field, since, longest_ms, is_mass_now)
  if since and since > now then
    since = now
    note(field, now)
  end
  local spent = since and now - since >= longest_ms
  if is_mass_now then
    if spent then return 'expire' end
    if not since then note(field, now) end
    return 'hold'
  end
  if not since then return 'expire' end
  note(field, nil)
  if spent then return 'expire' end
  shut_grace_gate()
  return 'grace'
end

-- Counts a sample of the entries with this lifetime, how many of these are silent, and their votes as above. Ids are
-- hashes, so those after any one are a random sample.
local MOST_HEARD = 512
local function hear_lifetime(lifetime)
  local count, silent_below = call('ZCOUNT', lifetimes, lifetime, lifetime), tonumber(lifetime) % LIFETIME_UNIT
  if count == 0 then return 0, 0, 0, 0 end
  local part = math.floor(now / ttl_in(lifetime)) * 0.6180339887498949 % 1
  local first = text(math.floor(part * math.max(0, count - MOST_HEARD)))
  local ids = call('ZRANGEBYSCORE', lifetimes, lifetime, lifetime, 'LIMIT', first, MOST_HEARD)
  local deadlines, networks = call('ZMSCORE', servers, unpack(ids)), call('ZMSCORE', clients, unpack(ids))
  local listed, silent, of_network, silent_of_network = 0, 0, {}, {}
  for i = 1, #ids do
    if deadlines[i] then
      local vote = tonumber(deadlines[i]) <= now + silent_below and 1 or 0
      listed, silent = listed + 1, silent + vote
      local network = networks[i]
      if network then
        of_network[network] = (of_network[network] or 0) + 1
        silent_of_network[network] = (silent_of_network[network] or 0) + vote
      end
    else
      try('ZREM', lifetimes, ids[i])
    end
  end
  local votes, silent_votes = 0, 0
  for network, of in pairs(of_network) do
    votes, silent_votes = votes + 1, silent_votes + silent_of_network[network] / of
  end
  return listed, silent, votes, silent_votes
end

-- The due entries that may expire, and how many silent entries are held. Each lifetime is judged by itself.
local function without_held(due)
  if LONGEST_HOLD_MS == 0 then return due, 0 end
  local own, by_lifetime, by_ttl_due, lifetime_at = call('EXISTS', lifetimes) == 1, {}, false, {}
  for i = 1, #due, 2 do
    lifetime_at[i] = own and call('ZSCORE', lifetimes, due[i]) or false
    if lifetime_at[i] then by_lifetime[lifetime_at[i]] = true else by_ttl_due = true end
  end
  for lifetime in string.gmatch(own_holds or '', '%d+') do by_lifetime[lifetime] = true end

  local held, verdicts, noted = 0, {}, {}
  if by_ttl_due or held_since then
    local listed = call('ZCARD', servers) - (own and call('ZCARD', lifetimes) or 0)
    local silent = call('ZCOUNT', servers, '-inf', text(now + SILENT_BELOW_MS))
    verdicts[false] = decide_hold('heldSince', held_since, LONGEST_HOLD_MS, is_mass(listed, silent))
    if verdicts[false] == 'hold' then held = silent end
  end
  for lifetime in pairs(by_lifetime) do
    local field = 'heldSince:' .. lifetime
    local since = number_of(call('HGET', state, field))
    local listed, silent, votes, silent_votes = hear_lifetime(lifetime)
    local longest_ms = math.min(LONGEST_HOLD_OF_ALL_MS, 5 * ttl_in(lifetime))
    local is_mass_now = is_mass(listed, silent, votes, silent_votes)
    verdicts[lifetime] = decide_hold(field, since, longest_ms, is_mass_now)
    if verdicts[lifetime] == 'hold' then held = held + silent end
    if is_mass_now then noted[#noted + 1] = lifetime end
  end
  local holds_now = table.concat(noted, ' ')
  if holds_now ~= (own_holds or '') then try('HSET', state, 'ownHolds', holds_now) end

  local free = {}
  for i = 1, #due, 2 do
    if verdicts[lifetime_at[i]] == 'expire' then free[#free + 1], free[#free + 2] = due[i], due[i + 1] end
  end
  return free, held
end
