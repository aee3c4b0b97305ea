-- The hashes of single entries. Keys of another type in their place are deleted; the feed tells of them.
local MOST_NAMES_BYTES = 4096
local function note_wrong_type(key)
  local names = call('HGET', state, 'wrongTypes')
  if names and #names > MOST_NAMES_BYTES then return end
  call('HSET', state, 'wrongTypes', names and names .. ' ' .. key or key)
end

-- What every record has, and whether these are all there and can be what a script of ours wrote.
local RECORD_FIELDS = { 'ip', 'host', 'name', 'port', 'players', 'max_players', 'registered_at', 'version' }
local function is_sound(fields)
  for i = 1, 6 do if not fields[i] then return false end end
  return version_of(fields[7]) ~= nil and version_of(fields[8]) ~= nil
end

local function read_record(record, ...)
  local fields = redis.pcall('HMGET', record, ...)
  if not fields.err then return fields end
  if not string.find(fields.err, 'WRONGTYPE') then call('HMGET', record, ...) end
  call('DEL', record)
  note_wrong_type(record)
  return call('HMGET', record, ...)
end
