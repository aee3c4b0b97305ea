-- The player log: the latest changes of nothing but players, which are nearly all changes. Followers read them here
-- rather than record by record. Each line has the version before it, so a follower notices whatever is missing in
-- between (other changes, a part that was lost) and reads the records instead.
--   line              version before, id, players, version: separated by spaces, ended by a newline
--   playerLogStart    in the state: how many bytes of the log were dropped before the first one of the key
local new_lines = {}

local function log_players(version_before, id, players, new_version)
  new_lines[#new_lines + 1] = version_before .. ' ' .. id .. ' ' .. players .. ' ' .. new_version .. '\n'
end

-- Appends the new lines. Drops the older half of a long log, and all that another program put in its place.
local function save_player_log()
  if #new_lines == 0 then return end
  local length = redis.pcall('APPEND', player_log, table.concat(new_lines))
  local is_sound = type(length) == 'number'
  if is_sound and length <= PLAYER_LOG_LIMIT then return end
  local newer = is_sound and call('GETRANGE', player_log, text(-PLAYER_LOG_LIMIT / 2), '-1') or ''
  -- The newer half begins with a part of a line.
  newer = string.sub(newer, (string.find(newer, '\n', 1, true) or #newer) + 1)
  local start = version_of(call('HGET', state, 'playerLogStart')) or 0
  call('HSET', state, 'playerLogStart', text(start + (is_sound and length or 0) - #newer))
  call('SET', player_log, newer)
end

-- The lines from this offset on and the offset of their end, if they lead from version `from` to the present one; else
-- '' and nil.
local function read_player_log(start, offset, from)
  if offset < start then return '' end
  local lines = redis.pcall('GETRANGE', player_log, text(offset - start), '-1')
  if type(lines) ~= 'string' or string.sub(lines, 1, #from + 1) ~= from .. ' '
    or string.sub(lines, -#version_text - 2) ~= ' ' .. version_text .. '\n' then return '' end
  return lines, offset + #lines
end

-- The offset of the end of the log.
local function end_of_player_log(start)
  local length = redis.pcall('STRLEN', player_log)
  return start + (type(length) == 'number' and length or 0)
end
