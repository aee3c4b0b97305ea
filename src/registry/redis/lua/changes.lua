-- The feed: sweeps what is due, then tells a follower what changed after the version it knows.
-- All of it is read in one step: a follower that has taken every page is exactly at `version`.
-- The record keys are built from ids, in the same slot as the declared keys.
-- KEYS  1 servers  2 changes  3 removed  4 state  5 addresses
-- ARGV  1 now, ms, or ''  2 epoch, should there be none  3 epoch the follower knows, or ''
--       4 cursor: the version up to which it has everything
--       5 base: the version at which this walk began (the cursor of its first page)  6 ttl, ms
--       7 longest gap between sweeps, ms  8 revive window, ms  9 prefix of records
--       10 limit of each list  11 '1' to find out whether Redis can be written to
--       12 who has less left to live is silent, ms  13 longest hold of a mass expiry, ms; 0 for none
--       14 how long records may be missing because they are on their way to another node of a Cluster, ms
--       15 '1' if the address is unique
-- Returns {epoch, version, digest, count, full, base, cursor, more, silent, expired ids, removed, records, loss,
-- whole, version of the last reset, names of keys, 1 if the history began because keys were damaged}
--   full     1 if the follower must begin with an empty copy
--   cursor   what it has everything up to, this page included; more: 1 if that is not all yet
--   silent   how many are silent while their expiry is held; else 0
--   removed  id, version and 1 if a ping can revive it, else 0, in turn; all that are known if the follower is new
--   records  {registered_at, ip, host, name, port, players, max_players, id, version} each
--   loss, whole  see lib/versions.lua; whole is 1 or 0
--   names    separated by spaces, of what was deleted because its type was wrong; told once
-- Fails with TRYAGAIN while records are on their way, and with DAMAGED if mend.lua has to be called.
--#include keys time versions records removal addresses grace
local ttl, max_gap, revive_window, record_prefix, limit = ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[9], ARGV[10]
local known = call('HMGET', state, 'floor', 'missingSince', 'resetAs', 'wrongTypes', 'mendedAs')
local floor, missing_since, wrong_types = version_of(known[1] or '0'), number_of(known[2]), known[4]
local is_mended = known[5] == epoch

local listed = call('ZCARD', changes)
local lacks_addresses = ARGV[15] == '1' and is_whole and listed > 0 and call('HLEN', addresses) == 0
if lacks_addresses or not floor or floor > version or call('ZCARD', servers) ~= listed then
  return redis.error_reply('DAMAGED the keys of the registry do not fit together')
end

-- Everything that can fail is read before anything is written.
local gate = pass_grace_gate(ttl, max_gap)
local due, fields = {}, {}
if gate == 'open' then
  due = read_due(ttl, limit)
  for i = 1, #due, 2 do fields[i] = read_record(record_prefix .. due[i], 'ip', 'host', 'port') end
end
local silent = 0
if #due > 0 or is_hold_noted() then
  local verdict
  verdict, silent = decide_hold(ttl, ARGV[12], tonumber(ARGV[13]))
  if verdict ~= 'expire' then due = {} end
end
if not note_sweep(ttl, max_gap, ARGV[11] == '1' or #due > 0) then due = {} end

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

local cursor, base = tonumber(ARGV[4]), tonumber(ARGV[5])
local full = epoch ~= ARGV[3] or cursor > version or base < floor
if full then cursor, base = 0, version end
if cursor == 0 then full = true end

-- A page of the set after the cursor, and where it ends. What shares its last version belongs to it.
local function read_page(key, from)
  local page = call('ZRANGEBYSCORE', key, '(' .. text(from), text(version), 'WITHSCORES', 'LIMIT', 0, limit)
  if #page < 2 * limit then return page, version end
  local last = page[#page]
  local alike = call('ZCOUNT', key, last, last)
  if alike > 1 then page = call('ZRANGEBYSCORE', key, '(' .. text(from), last, 'WITHSCORES') end
  return page, tonumber(last)
end

local records, gone, missing, upto = {}, {}, {}, version
if cursor < version then
  local changed, changed_upto = read_page(changes, cursor)
  local left, left_upto = read_page(removed, cursor)
  upto = math.min(changed_upto, left_upto)
  for i = 1, #changed, 2 do
    if tonumber(changed[i + 1]) > upto then break end
    local f = read_record(record_prefix .. changed[i],
      'registered_at', 'ip', 'host', 'name', 'port', 'players', 'max_players')
    if f[1] and f[2] and f[3] and f[4] and f[5] and f[6] and f[7] then
      f[8], f[9] = changed[i], changed[i + 1]
      records[#records + 1] = f
      -- The index may have been damaged as well.
      if is_mended and not is_whole then call('HSETNX', addresses, address_of(f[3], f[2], f[5]), changed[i]) end
    else
      missing[#missing + 1] = changed[i]
    end
  end
  for i = 1, #left, 2 do
    if tonumber(left[i + 1]) > upto then break end
    -- A tombstone of a listed entry is none of ours.
    if not call('ZSCORE', changes, left[i]) then
      gone[#gone + 1], gone[#gone + 2] = left[i], left[i + 1]
      gone[#gone + 1] = call('EXISTS', record_prefix .. left[i])
    end
  end
end

-- A record was deleted by hand or evicted, or the slot is just moving to this node and the record comes later.
if #missing > 0 then
  if not missing_since or missing_since > now then
    missing_since = now
    note('missingSince', now)
  end
  if now - missing_since < ARGV[14] + 0 then return redis.error_reply('TRYAGAIN records are missing') end
  note_loss()
  for _, id in ipairs(missing) do
    forget(id)
    call('DEL', record_prefix .. id)
  end
  save_versions()
elseif missing_since then
  note('missingSince', nil)
end
if wrong_types then note('wrongTypes', nil) end

local more = (upto < version or not swept_all) and 1 or 0
return { epoch, text(version), text(digest), call('ZCARD', changes), full and 1 or 0, text(base), text(upto), more,
  silent, expired, gone, records, loss, is_whole and 1 or 0, known[3] or '0', wrong_types or '',
  is_mended and 1 or 0 }
