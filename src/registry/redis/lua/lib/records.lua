-- The records: a hash for each entry, listed or expired.
--   ip, host, name, port, players, max_players   what the game server says
--   details        what it says beyond that, as one text; absent if nothing
--   registered_at  version of the broadcast      version     version of the last visible change
--   kept_until     ms: when Redis drops the key  expired_at  ms: the deadline it missed; absent while it is listed
--   parked_until   ms until which its token can bring it back, if it is parked. It then has an `expired_at` as well,
--                  after which no ping of any release revives it
--   claimed        1 if it is claimed: it answers to its server token alone; else absent
--   client         address of the client that broadcast it; absent if it is not known
--   reachability   result of the last attempt to reach the game server; absent if there was none
--   seen           players that it answered with, a space, and when, in s; absent if there is none. Releases before
--                  0.21 leave it when they write
--   links          of an entry of another protocol: its links, each with its deadline, ms; the oldest first
--   document       its native document, while it is listed
--   restored_*     see restore.lua
-- A key of another type in the place of a record is deleted; the feed reports its name.
local MOST_NAMES_BYTES = 4096
local function note_wrong_type(key)
  local names = call('HGET', state, 'wrongTypes')
  if names and #names > MOST_NAMES_BYTES then return end
  call('HSET', state, 'wrongTypes', names and names .. ' ' .. key or key)
end

-- The fields of every record, and whether a record has them all as a script of GSLS could write them.
local RECORD_FIELDS = { 'ip', 'host', 'name', 'port', 'players', 'max_players', 'registered_at', 'version' }
local function is_sound(record)
  for _, field in ipairs(RECORD_FIELDS) do if not record[field] then return false end end
  return version_of(record.registered_at) ~= nil and version_of(record.version) ~= nil
end

-- The values of these fields, by name; false for a missing one.
local function by_name(fields, values)
  local record = {}
  for i = 1, #fields do record[fields[i]] = values[i] end
  return record
end

-- The values of these fields of a record, in order. Deletes a key of another type in its place.
local function read_values(key, ...)
  local values = redis.pcall('HMGET', key, ...)
  if not values.err then return values end
  if not string.find(values.err, 'WRONGTYPE') then call('HMGET', key, ...) end
  call('DEL', key)
  note_wrong_type(key)
  return call('HMGET', key, ...)
end

local function read_record(key, ...)
  return by_name({ ... }, read_values(key, ...))
end

-- The key of the record of another entry. The keys of records differ in the id alone.
local function record_of(other, id, key)
  return string.sub(key, 1, -#id - 1) .. other
end

-- Until when the entry of a record with these fields can come back, if it is not listed: ms.
local function lapse_of(expired_at, parked_until)
  return number_of(parked_until) or (number_of(expired_at) or now) + REVIVE_WINDOW_MS
end

-- The fields of a listed entry that a replica has to know, in the order in which scripts return them, before id and
-- version.
local TOLD_FIELDS = { 'ip', 'host', 'port', 'name', 'players', 'max_players', 'registered_at', 'claimed', 'client',
  'reachability', 'details', 'seen' }

-- Whether a record with these first values of TOLD_FIELDS lacks nothing. Called for each record of a batch: no loop.
local function has_all(ip, host, port, name, players, max_players, registered_at)
  return ip and host and port and name and players and max_players and registered_at
end

-- Appends these to the values of TOLD_FIELDS, as a replica reads them. `restored_from`: see restored_version().
local function tell(values, id, entry_version, restored_from)
  values[#TOLD_FIELDS + 1], values[#TOLD_FIELDS + 2], values[#TOLD_FIELDS + 3] = id, entry_version, restored_from
  return values
end

-- The version of the state that a replica restored, with these values of the record, if that is the state still: nil
-- once a ping has moved the deadline.
local function restored_version(id, restored_from, restored_until)
  local from = number_of(restored_from)
  return from and number_of(call('ZSCORE', servers, id)) == number_of(restored_until) and text(from) or nil
end

-- The field `links` of an entry whose links, separated by commas, have this deadline.
local function links_until(links, deadline)
  return (string.gsub(links, '[^,]+', function(link) return link .. ' ' .. deadline end))
end

-- Sets the field; false and '' clear it.
local function write_field(key, field, value)
  if value and value ~= '' then call('HSET', key, field, value) else call('HDEL', key, field) end
end

-- Writes what only GSLS knows of an entry. Without `seen` no players were seen.
local function write_standing(key, claimed, client, reachability, seen)
  write_field(key, 'claimed', claimed)
  write_field(key, 'client', client)
  write_field(key, 'reachability', reachability)
  write_field(key, 'seen', seen)
end

-- Whether a request with this proof ('', 'token' or 'wrong') may change the entry.
local function is_entitled(proof, claimed)
  return proof == 'token' or (proof == '' and not claimed)
end

-- Lets a ping revive the entry for the revive window after this deadline, which it missed.
local function keep_for_revival(id, key, deadline)
  call('HSET', key, 'expired_at', deadline)
  call('HDEL', key, 'document')
  call('PEXPIRE', key, REVIVE_WINDOW_MS)
  call('ZADD', expired, text(tonumber(deadline) + REVIVE_WINDOW_MS), id)
end

-- Parks the entry, which is not listed, until this time, ms.
local function keep_parked(id, key, parked_until)
  call('HSET', key, 'parked_until', text(parked_until), 'expired_at', text(now - REVIVE_WINDOW_MS), 'claimed', '1')
  call('PEXPIRE', key, text(math.max(1, parked_until - now)))
  call('ZADD', expired, text(parked_until), id)
end

-- The entry is listed again: it has neither expired nor is it parked.
local function end_revival(id, key)
  call('ZREM', tombstones, id)
  call('ZREM', expired, id)
  call('HDEL', key, 'expired_at', 'parked_until')
end
