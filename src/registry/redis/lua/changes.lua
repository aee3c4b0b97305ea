-- The feed: sweeps the due entries, then returns to a follower the changes after the version that it knows.
-- All is read in one step: a follower that has applied every batch is exactly at `version`.
-- The keys of records are built from ids, in the same slot as the declared keys.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   record_prefix
--   known_epoch        of the follower, or ''
--   cursor             the version up to which it has everything
--   base               the version at which this catch-up began: the cursor of its first batch
--   must_write         1 to find out whether Redis can be written to
--   log_offset         up to which it has read the player log; '' to receive records in any case
-- Returns {digest, count, {loss, isWhole}, now} if the follower has everything and there is no other news; else names
-- and values
--   epoch, version, digest, count
--   loss, isWhole      see lib/versions.lua; isWhole is 1 or 0
--   now                ms by the clock of Redis
--   full               1 if the follower must begin with an empty copy
--   base               as the argument, for the next batch
--   cursor             the version up to which it has everything with this batch
--   more               1 if that is not all yet
--   silent             how many are silent while their expiry is held; else 0
--   expired            ids
--   tombstones         id, version and 1 if a ping can revive it, 2 if it is claimed as well, else 0, in turn; a new
--                      follower gets all of them
--   parked             of the tombstones, those of parked entries: values of TOLD_FIELDS, id, version and until when it is
--                      parked, of each, as one JSON text; '' if there is none
--   records            values of TOLD_FIELDS, id, version of each, and the version of what was restored, if it was: see
--                      lib/records.lua; as JSON texts of several records each, with false for what is not there
--   resetVersion       version of the last reset
--   wrongTypes         names, separated by spaces, of keys that were deleted because their type was wrong; reported
--                      once
--   isMended           1 if the epoch began because keys were damaged
--   lines              of the player log, if it has all that changed after the cursor; then there are no records and
--                      tombstones
--   logOffset          of the end of the player log; '' if it is as before
--   moderationVersion  see settings.lua
--   floor              tombstones up to this version may be missing
--   refusal            the error of Redis if it takes no writes; else ''
-- Fails with TRYAGAIN while records move to this node, and with DAMAGED if mend.lua has to be called.
--#include keys clock
--#begin
local fields = call('HMGET', state, 'version', 'digest', 'epoch', 'loss', 'wholeAt',
  'newestSweepAt', 'graceUntil', 'heldSince', 'ownHolds')

-- Most calls find that nothing has changed, nothing is due, and a sweep was noted a moment ago.
local function is_at_rest(stored_version, stored_digest, stored_epoch, stored_loss, whole_at, swept, grace, held,
  own_held)
  if stored_version ~= cursor or stored_epoch ~= known_epoch or not stored_loss or held or must_write == '1'
    or own_held and own_held ~= ''
    or not string.find(stored_digest or '', '^%d+$') then return false end
  local swept_at, grace_until = number_of(swept) or 0, number_of(grace) or 0
  if swept_at > now or now - swept_at > MAX_SWEEP_GAP_MS / 8 or grace_until > now + TTL_MS then return false end
  local first, listed = call('ZRANGE', servers, 0, 0, 'WITHSCORES'), call('ZCARD', servers)
  local is_due = first[2] and tonumber(first[2]) <= now
  if is_due and (grace_until <= now or call('EXISTS', lifetimes) == 1) or call('ZCARD', changes) ~= listed
    or IS_ADDRESS_UNIQUE and whole_at and listed > 0 and call('HLEN', addresses) == 0 then return false end
  return { stored_digest, listed, { stored_loss, whole_at and 1 or 0 }, now }
end
local nothing_new = is_at_rest(unpack(fields, 1, 9))
if nothing_new then return nothing_new end

-- Defining the functions below in vain would double the cost of such a call.
--#include versions lifetimes grace
cursor, base, log_offset = tonumber(cursor), tonumber(base), tonumber(log_offset)
read_gate(take_state(new_epoch, fields, 'newestSweepAt', 'graceUntil', 'heldSince', 'ownHolds'))

local listed = call('ZCARD', changes)
local lacks_addresses = IS_ADDRESS_UNIQUE and is_whole and listed > 0 and call('HLEN', addresses) == 0
-- A follower reads no change beyond these bounds. Without this check only the next new follower would miss the entry.
local first, last = call('ZRANGE', changes, 0, 0, 'WITHSCORES'), call('ZREVRANGE', changes, 0, 0, 'WITHSCORES')
local is_out_of_reach = listed > 0 and (tonumber(first[2]) <= 0 or tonumber(last[2]) > version)
if lacks_addresses or is_out_of_reach or call('ZCARD', servers) ~= listed then
  return redis.error_reply('DAMAGED the keys of the registry do not fit together')
end
local due = read_due_past_gate()
local has_news = epoch ~= known_epoch or version ~= cursor or #due > 0 or is_hold_noted() or must_write == '1'
if not has_news and note_sweep() then return { text(digest), listed, { loss, is_whole and 1 or 0 }, text(now) } end

--#include hold records removal addresses sweep player-log
local STATE_FIELDS = { 'floor', 'missingSince', 'resetAs', 'wrongTypes', 'mendedAs', 'playerLogStart' }
local stored = by_name(STATE_FIELDS, call('HMGET', state, unpack(STATE_FIELDS)))
local floor, missing_since = version_of(stored.floor or '0'), number_of(stored.missingSince)
local log_start, is_mended = version_of(stored.playerLogStart) or 0, stored.mendedAs == epoch
if not floor or floor > version then return redis.error_reply('DAMAGED the keys of the registry do not fit together') end

local expired_ids, swept_all, silent = sweep(due, must_write == '1')
if #expired_ids > 0 then save_versions() end
floor = trim_tombstones(floor)

local full = epoch ~= known_epoch or cursor > version or base < floor
if full then cursor, base = 0, version end
if cursor == 0 then full = true end

-- A batch of the set after the cursor, and the version at which it ends. All members with this version belong to it.
local function read_batch(key, from)
  local batch = call('ZRANGEBYSCORE', key, '(' .. text(from), text(version), 'WITHSCORES', 'LIMIT', 0, BATCH_LIMIT)
  if #batch < 2 * BATCH_LIMIT then return batch, version end
  local last = batch[#batch]
  local alike = call('ZCOUNT', key, last, last)
  if alike > 1 then batch = call('ZRANGEBYSCORE', key, '(' .. text(from), last, 'WITHSCORES') end
  return batch, tonumber(last)
end

local FIELDS_READ = { unpack(TOLD_FIELDS) }
FIELDS_READ[#FIELDS_READ + 1], FIELDS_READ[#FIELDS_READ + 2] = 'restored_from', 'restored_until'

-- JSON makes of many records one value, instead of one for each field. Still longer texts would cost a replica more.
local RECORDS_A_TEXT = 50
local record_texts, records = {}, {}
local function add_text()
  if #records > 0 then record_texts[#record_texts + 1] = cjson.encode(records) end
  records = {}
end

local parked = {}
local function note_parked(id, removed_version, parked_until)
  local values = read_values(record_prefix .. id, unpack(TOLD_FIELDS))
  if not has_all(unpack(values)) then return end
  parked[#parked + 1] = tell(values, id, removed_version)
  values[#TOLD_FIELDS + 3] = parked_until
end

local new_tombstones, missing, upto, lines, new_log_offset = {}, {}, version, '', nil
if log_offset and cursor < version and not full then
  lines, new_log_offset = read_player_log(log_start, log_offset, text(cursor))
end
if cursor < version and lines == '' then
  new_log_offset = end_of_player_log(log_start)
  local changed, changed_upto = read_batch(changes, cursor)
  local removed, removed_upto = read_batch(tombstones, cursor)
  upto = math.min(changed_upto, removed_upto)
  for i = 1, #changed, 2 do
    local id, changed_version = changed[i], changed[i + 1]
    if tonumber(changed_version) > upto then break end
    local values = read_values(record_prefix .. id, unpack(FIELDS_READ))
    if has_all(unpack(values)) then
      local restored_from = restored_version(id, values[#FIELDS_READ - 1], values[#FIELDS_READ])
      records[#records + 1] = tell(values, id, changed_version, restored_from)
      if #records == RECORDS_A_TEXT then add_text() end
      -- The index may have been damaged as well.
      if is_mended and not is_whole then
        local ip, host, port = unpack(values, 1, 3)
        call('HSETNX', addresses, is_unlisted(id) and place_field(id) or address_of(host, ip, port), id)
      end
    else
      missing[#missing + 1] = id
    end
  end
  add_text()
  for i = 1, #removed, 2 do
    local id, removed_version = removed[i], removed[i + 1]
    if tonumber(removed_version) > upto then break end
    -- GSLS did not write a tombstone of a listed entry.
    if not call('ZSCORE', changes, id) then
      new_tombstones[#new_tombstones + 1], new_tombstones[#new_tombstones + 2] = id, removed_version
      local ip, claimed, parked_until = unpack(read_values(record_prefix .. id, 'ip', 'claimed', 'parked_until'))
      new_tombstones[#new_tombstones + 1] = ip and not parked_until and (claimed and 2 or 1) or 0
      if parked_until then note_parked(id, removed_version, parked_until) end
    end
  end
end

-- Missing records were deleted by hand or evicted; or their slot is just moving to this node, and they come later.
if #missing > 0 then
  if not missing_since or missing_since > now then
    missing_since = now
    note('missingSince', now)
  end
  if now - missing_since < LONGEST_MOVE_MS then return redis.error_reply('TRYAGAIN records are missing') end
  note_loss(new_epoch)
  for _, id in ipairs(missing) do
    unlist(id)
    forget(id, record_prefix .. id)
  end
  save_versions()
elseif missing_since then
  note('missingSince', nil)
end
if stored.wrongTypes then note('wrongTypes', nil) end

local more = (upto < version or not swept_all) and 1 or 0
if #expired_ids + #missing > 0 then listed = call('ZCARD', changes) end
return { 'epoch', epoch, 'version', text(version), 'digest', text(digest), 'count', listed, 'full', full and 1 or 0,
  'base', text(base), 'cursor', text(upto), 'more', more, 'silent', silent, 'expired', expired_ids,
  'tombstones', new_tombstones, 'parked', #parked > 0 and cjson.encode(parked) or '', 'records', record_texts,
  'loss', loss, 'isWhole', is_whole and 1 or 0,
  'resetVersion', stored.resetAs or '0', 'wrongTypes', stored.wrongTypes or '', 'isMended', is_mended and 1 or 0,
  'lines', lines, 'logOffset', new_log_offset and text(new_log_offset) or '',
  'moderationVersion', text(version_of(call('HGET', settings, 'moderationVersion')) or 0), 'floor', text(floor),
  'refusal', refusal or '', 'now', text(now) }
