-- Stores points of the history, by the minute or by the hour, and returns those after a time. A point that is there
-- stays: the first replica that sends it writes it. Anything that no script of GSLS wrote is deleted where it is found.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
--       (here the history, a sorted set of points by their time)
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   step_ms            the length of a minute or an hour
--   most               how many points are kept
--   after              ms; -1 for all
-- ARGV for each point
--   point              that the replica knows
-- Returns {ms, how many points there are, the next `after` or '', the points after that time, in order}
--
-- A point is a text: ms when the minute or the hour began, servers, players, the most players; with a space between.
--#include keys clock
--#begin
local history = record
step_ms = tonumber(step_ms)

local type_of_key = call('TYPE', history).ok
if type_of_key ~= 'zset' and type_of_key ~= 'none' then call('DEL', history) end

-- The time of a point; nil if no script of GSLS wrote it.
local function time_of(point)
  local time, servers, players, peak = string.match(point, '^(%d+) (%d+) (%d+) (%d+)$')
  time = number_of(time)
  if not (time and number_of(servers) and number_of(players) and number_of(peak)) then return nil end
  return time % step_ms == 0 and time <= now + FARTHEST_POINT_MS and time or nil
end

local function has_point_at(time)
  for _, point in ipairs(call('ZRANGEBYSCORE', history, text(time), text(time))) do
    if time_of(point) == time then return true end
    call('ZREM', history, point)
  end
  return false
end

while next_argument <= #ARGV do
  --#take point
  local time = time_of(point)
  if time and not has_point_at(time) then call('ZADD', history, text(time), point) end
end
call('ZREMRANGEBYSCORE', history, '-inf', '(0')
call('ZREMRANGEBYSCORE', history, '(' .. text(now + FARTHEST_POINT_MS), '+inf')
call('ZREMRANGEBYRANK', history, 0, -(tonumber(most) + 1))

local found = call('ZRANGEBYSCORE', history, '(' .. after, '+inf', 'WITHSCORES', 'LIMIT', 0, HISTORY_BATCH_LIMIT)
local points, last = {}, nil
for i = 1, #found, 2 do
  local point, score = found[i], tonumber(found[i + 1])
  if time_of(point) == score and score ~= last then
    points[#points + 1] = point
    last = score
  else
    call('ZREM', history, point)
  end
end
local next_after = #found == 2 * HISTORY_BATCH_LIMIT and found[#found] or ''
return { text(now), call('ZCARD', history), next_after, points }
