-- The feed: sweeps what is due, then tells a follower what changed after the version it knows.
-- All of it is read in one step: a follower that has taken every page is exactly at `version`.
-- The record keys are built from ids, in the same slot as the declared keys.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch the follower knows, or ''  3 cursor: the version up to which it has everything
--       4 base: the version at which this walk began (the cursor of its first page)  5 ttl, ms
--       6 longest gap between sweeps, ms  7 revive window, ms  8 prefix of records  9 epoch, should there be none
--       10 limit of each list  11 '1' to find out whether Redis can be written to
--       12 who has less left to live is silent, ms  13 longest hold of a mass expiry, ms; 0 for none
-- Returns {epoch, version, digest, count, full, base, cursor, more, silent, expired ids, removed, records}
--   full     1 if the follower must begin with an empty copy
--   cursor   what it has everything up to, this page included; more: 1 if that is not all yet
--   silent   how many are silent while their expiry is held; else 0
--   removed  id, version and 1 if a ping can revive it, else 0, in turn
--   records  {id, version, registered_at, ip, host, name, port, players, max_players} each
-- Fails with TRYAGAIN when records are on their way to another node of a Cluster.
--#include keys time versions removal addresses grace
local ttl, max_gap, revive_window, record_prefix, limit = ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[10]
local known = call('HMGET', state, 'epoch', 'floor', 'missingSince')
local epoch, floor, missing_since = known[1] or ARGV[9], (tonumber(known[2]) or 0), known[3]
if not known[1] then call('HSET', state, 'epoch', epoch) end

-- Everything that can fail is read before anything is written.
local gate = pass_grace_gate(ttl, max_gap)
local due, fields = {}, {}
if gate == 'open' then
  due = call('ZRANGEBYSCORE', servers, '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #due, 2 do fields[i] = call('HMGET', record_prefix .. due[i], 'ip', 'host', 'port') end
end
local silent = 0
if #due > 0 or is_hold_noted() then
  local verdict
  verdict, silent = decide_hold(ttl, ARGV[12], tonumber(ARGV[13]))
  if verdict ~= 'expire' then due = {} end
end
if not note_sweep(max_gap, ARGV[11] == '1' or #due > 0) then due = {} end

local expired = {}
for i = 1, #due, 2 do
  local id, record = due[i], record_prefix .. due[i]
  local ip, host, port = fields[i][1], fields[i][2], fields[i][3]
  hide(id, address_of(host, ip, port))
  if ip then
    call('HSET', record, 'expired_at', due[i + 1])
    call('PEXPIRE', record, revive_window)
  end
  expired[#expired + 1] = id
end
local swept_all = #expired < tonumber(limit)
if #expired > 0 then save_versions() end
floor = trim_tombstones(floor)

local cursor, base = tonumber(ARGV[3]), tonumber(ARGV[4])
local full = epoch ~= ARGV[2] or cursor > version or base < floor
if full then cursor, base = 0, version end
if cursor == 0 then full = true end

local records, gone, missing, upto = {}, {}, {}, version
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
    else
      missing[#missing + 1] = changed[i]
    end
  end
  for i = 1, #left, 2 do
    if tonumber(left[i + 1]) > upto then break end
    gone[#gone + 1], gone[#gone + 2] = left[i], left[i + 1]
    gone[#gone + 1] = call('EXISTS', record_prefix .. left[i])
  end
end

-- A record was deleted by hand or evicted, or the slot is just moving to this node and the record comes later.
if #missing > 0 then
  if not missing_since then note('missingSince', now) end
  if now - (tonumber(missing_since) or now) < 5000 then return redis.error_reply('TRYAGAIN records are missing') end
  for _, id in ipairs(missing) do forget(id) end
  save_versions()
elseif missing_since then
  note('missingSince', nil)
end

local more = (upto < version or not swept_all) and 1 or 0
return { epoch, text(version), text(digest), call('ZCARD', changes), full and 1 or 0, text(base), text(upto), more,
  silent, expired, gone, records }
