-- The grace gate decides when deadlines count, by the rules of registry/lifetime.ts. The hold of a mass expiry is in
-- hold.lua: heldSince, and one such field for each lifetime, with its number after a colon.
-- Fields of the state, all in ms:
--   graceUntil     when the gate opens for entries that live by --ttl
--   newestSweepAt  the time of the latest sweep
--   ownHolds       the lifetimes of which most entries are silent, separated by spaces
local swept_at, grace_until, held_since, own_holds, went_back

-- Reads the fields newestSweepAt, graceUntil, heldSince and ownHolds of the state.
local function read_gate(stored_swept_at, stored_grace_until, stored_held_since, stored_own_holds)
  own_holds = stored_own_holds ~= '' and stored_own_holds
  swept_at = number_of(stored_swept_at) or 0
  grace_until, held_since = number_of(stored_grace_until) or 0, number_of(stored_held_since)
  went_back = now < swept_at
end

-- Runs a write. Returns false if Redis accepts none because its memory or disk is full, and keeps its error: then no
-- entry can expire, but the list can be read all the same.
local refusal
local function try(...)
  local write = { ... }
  local reply = redis.pcall(unpack(write))
  if type(reply) ~= 'table' or not reply.err then return true end
  if not string.find(reply.err, 'OOM') and not string.find(reply.err, 'MISCONF') then call(unpack(write)) end
  refusal = reply.err
  return false
end

-- Sets the field to a time, or clears it. Returns false as try() does.
local function note(field, time)
  if time then return try('HSET', state, field, text(time)) end
  return try('HDEL', state, field)
end

-- Shuts the gate: after a gap in sweeping no entry expires for one TTL.
local function shut_grace_gate()
  grace_until = now + TTL_MS
  return note('graceUntil', grace_until)
end

-- Gives a new TTL to the entries with these deadlines, which only a ping of a longer lifetime can have set.
local function renew(from, to)
  for _, id in ipairs(call('ZRANGEBYSCORE', servers, from, to)) do
    call('ZADD', servers, text(now + ttl_of(id)), id)
  end
end

-- The due entries with their deadlines, in order. A deadline before 2001, when there was no GSLS, is renewed instead.
local EARLIEST_DEADLINE = 1e12
local function read_due()
  local due = call('ZRANGEBYSCORE', servers, '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, BATCH_LIMIT)
  if not due[2] or tonumber(due[2]) >= EARLIEST_DEADLINE then return due end
  renew('-inf', '(' .. text(EARLIEST_DEADLINE))
  return {}
end

-- Shuts the gate after a gap. Returns whether the deadlines count of entries that live by --ttl.
local function pass_grace_gate()
  -- The gate never shuts for longer than one TTL: GSLS did not write a later time.
  local gap = went_back or now - swept_at > MAX_SWEEP_GAP_MS or grace_until > now + TTL_MS
  if gap and shut_grace_gate() and went_back then renew('(' .. text(now + TTL_MS), '+inf') end
  return now >= grace_until
end

-- The due entries whose deadlines count: the gate is shut for an entry for one TTL of that entry. If there are several
-- lifetimes, an entry that is due while the gate is shut gets the end of that time as its deadline.
local function read_due_past_gate()
  local is_open = pass_grace_gate()
  if call('EXISTS', lifetimes) == 0 then return is_open and read_due() or {} end
  local due, shut_at, counting = read_due(), grace_until - TTL_MS, {}
  for i = 1, #due, 2 do
    local opens_at = shut_at + ttl_of(due[i])
    if opens_at <= now then
      counting[#counting + 1], counting[#counting + 2] = due[i], due[i + 1]
    else
      try('ZADD', servers, text(opens_at), due[i])
    end
  end
  return counting
end

-- Stores the time of the sweep: often enough that a gap shows, seldom enough that reading the list does not mean
-- writing to disk. Deadlines that no TTL explains are renewed on the way; replicas may differ in their TTL.
local function note_sweep(at_once)
  if not at_once and not went_back and now - swept_at <= MAX_SWEEP_GAP_MS / 8 then return true end
  if not try('HSET', state, 'newestSweepAt', text(now)) then return false end
  renew('(' .. text(now + 2 * LONGEST_TTL_MS), '+inf')
  return true
end

local function is_hold_noted()
  return held_since ~= nil or own_holds
end
