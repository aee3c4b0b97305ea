-- When deadlines may be believed, as in registry/lifetime.ts: the grace gate and the hold of a mass expiry.
local FEWEST_FOR_A_HOLD = 50
local gate_state = call('HMGET', state, 'sweptAt', 'graceUntil', 'heldSince')
local swept_at, grace_until = number_of(gate_state[1]), number_of(gate_state[2]) or 0
local held_since = number_of(gate_state[3])
local went_back = swept_at and now < swept_at

-- Sets the field, or clears it. False if Redis takes no writes because its memory or disk is full: then nobody can
-- expire, but the list can be read all the same.
local function note(field, time)
  local write = time and { 'HSET', state, field, text(time) } or { 'HDEL', state, field }
  local reply = redis.pcall(unpack(write))
  if type(reply) ~= 'table' or not reply.err then return true end
  if not string.find(reply.err, 'OOM') and not string.find(reply.err, 'MISCONF') then call(unpack(write)) end
  return false
end

-- After a gap in sweeping nobody expires for one TTL.
local function shut_grace_gate(ttl)
  grace_until = now + ttl
  return note('graceUntil', grace_until)
end

-- Entries whose deadline no ping can have set begin a new TTL: before GSLS there were none, and no TTL is so long.
local EARLIEST_DEADLINE, LONGEST_TTL = 1e12, 2 * 86400000
local function renew(ttl, from, to)
  for _, id in ipairs(call('ZRANGEBYSCORE', servers, from, to)) do call('ZADD', servers, text(now + ttl), id) end
end

-- The entries that are due, with their deadlines, in order.
local function read_due(ttl, limit)
  local due = call('ZRANGEBYSCORE', servers, '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, limit)
  if not due[2] or tonumber(due[2]) >= EARLIEST_DEADLINE then return due end
  renew(ttl, '-inf', '(' .. text(EARLIEST_DEADLINE))
  return {}
end

local function pass_grace_gate(ttl, max_gap)
  -- No gate shuts for longer: somebody else has written the time.
  local gap = went_back or now - (swept_at or 0) > max_gap or grace_until > now + ttl
  if gap and shut_grace_gate(ttl) and went_back then renew(ttl, '(' .. text(now + ttl), '+inf') end
  return now >= grace_until and 'open' or 'shut'
end

-- Notes the time of the sweep: often enough for a gap to be seen, seldom enough that reading the list does not mean
-- writing to disk.
local function note_sweep(ttl, max_gap, at_once)
  if not at_once and swept_at and not went_back and now - swept_at <= max_gap / 8 then return true end
  if not note('sweptAt', now) then return false end
  renew(ttl, '(' .. text(now + LONGEST_TTL), '+inf')
  return true
end

local function is_hold_noted()
  return held_since ~= nil
end

-- 'hold', 'expire' or 'grace', and how many silent ones are held.
local function decide_hold(ttl, silent_below, longest_hold)
  if longest_hold == 0 then return 'expire', 0 end
  local listed = call('ZCARD', servers)
  local silent = call('ZCOUNT', servers, '-inf', text(now + silent_below))
  if held_since and held_since > now then
    held_since = now
    note('heldSince', now)
  end
  local spent = held_since and now - held_since >= longest_hold
  if listed >= FEWEST_FOR_A_HOLD and silent > listed / 2 then
    if spent then return 'expire', 0 end
    if not held_since then note('heldSince', now) end
    return 'hold', silent
  end
  if not held_since then return 'expire', 0 end
  note('heldSince', nil)
  if spent then return 'expire', 0 end
  shut_grace_gate(ttl)
  return 'grace', 0
end
