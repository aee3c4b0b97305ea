-- The feed: sweeps what is due, then tells a follower what changed after the version it knows.
-- All of it is read in one step: a follower that has taken every page is exactly at `version`.
-- The record keys are built from ids, in the same slot as the declared keys.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch the follower knows, or ''  3 cursor: the version up to which it has everything
--       4 base: the version at which this walk began (the cursor of its first page)  5 ttl, ms
--       6 longest gap between sweeps, ms  7 revive window, ms  8 prefix of records  9 epoch, should there be none
--       10 limit of each list
-- Returns {epoch, version, digest, count, full, base, cursor, more, expired ids, removed ids, records}
--   full     1 if the follower must begin with an empty copy
--   cursor   what it has everything up to, this page included; more: 1 if that is not all yet
--   records  {id, version, registered_at, ip, host, name, port, players, max_players} each
--#include keys time versions removal addresses
local MOST_TOMBSTONES = 10000
local ttl, max_gap, revive_window, record_prefix, limit = ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[10]

local known = call('HMGET', state, 'epoch', 'floor', 'sweptAt', 'graceUntil')
local epoch, floor = known[1] or ARGV[9], (tonumber(known[2]) or 0)
if not known[1] then call('HSET', state, 'epoch', epoch) end
local swept_at, grace_until = (tonumber(known[3]) or 0), (tonumber(known[4]) or 0)

-- The grace gate, as in registry/lifetime.ts: after a gap in sweeping nobody expires for one TTL.
local went_back = now < swept_at
if went_back or now - swept_at > max_gap then
  grace_until = now + ttl
  call('HSET', state, 'graceUntil', text(grace_until))
end
-- Often enough for the gap to be seen, seldom enough that reading the list does not mean writing to disk.
if not known[3] or went_back or now - swept_at > max_gap / 8 then call('HSET', state, 'sweptAt', text(now)) end
if went_back then
  for _, id in ipairs(call('ZRANGEBYSCORE', servers, '(' .. text(now + ttl), '+inf')) do
    call('ZADD', servers, text(now + ttl), id)
  end
end

local expired = {}
if now >= grace_until then
  local due = call('ZRANGEBYSCORE', servers, '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #due, 2 do
    local id, record = due[i], record_prefix .. due[i]
    local fields = call('HMGET', record, 'ip', 'host', 'port')
    hide(id, address_of(fields[2], fields[1], fields[3]))
    if fields[1] then
      call('HSET', record, 'expired_at', due[i + 1])
      call('PEXPIRE', record, revive_window)
    end
    expired[#expired + 1] = id
  end
end
local swept_all = #expired < tonumber(limit)
if #expired > 0 then save_versions() end

-- A follower that is behind the floor loads everything anew, so old tombstones need not be kept.
local surplus = call('ZCARD', removed) - MOST_TOMBSTONES
if surplus > 0 then
  floor = tonumber(call('ZRANGE', removed, surplus - 1, surplus - 1, 'WITHSCORES')[2])
  call('ZREMRANGEBYRANK', removed, 0, surplus - 1)
  call('HSET', state, 'floor', text(floor))
end

local cursor, base = tonumber(ARGV[3]), tonumber(ARGV[4])
local full = epoch ~= ARGV[2] or cursor > version or base < floor
if full then cursor, base = 0, version end
if cursor == 0 then full = true end

local records, gone, upto = {}, {}, version
if cursor < version then
  local changed = call('ZRANGEBYSCORE', changes, '(' .. text(cursor), '+inf', 'WITHSCORES', 'LIMIT', 0, limit)
  local left = call('ZRANGEBYSCORE', removed, '(' .. text(math.max(cursor, base)), '+inf', 'WITHSCORES', 'LIMIT', 0, limit)
  if #changed == 2 * limit then upto = tonumber(changed[#changed]) end
  if #left == 2 * limit then upto = math.min(upto, tonumber(left[#left])) end
  for i = 1, #changed, 2 do
    if tonumber(changed[i + 1]) > upto then break end
    local f = call('HMGET', record_prefix .. changed[i],
      'registered_at', 'ip', 'host', 'name', 'port', 'players', 'max_players')
    if f[1] then
      records[#records + 1] = { changed[i], changed[i + 1], f[1], f[2], f[3], f[4], f[5], f[6], f[7] }
    elseif forget(changed[i]) then -- its record was deleted by hand or evicted
      save_versions()
    end
  end
  for i = 1, #left, 2 do
    if tonumber(left[i + 1]) > upto then break end
    gone[#gone + 1] = left[i]
  end
end

local more = (upto < version or not swept_all) and 1 or 0
return { epoch, text(version), text(digest), call('ZCARD', changes), full and 1 or 0, text(base), text(upto), more,
  expired, gone, records }
