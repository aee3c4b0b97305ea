-- One clock for all replicas, in ms and µs: that of Redis. Tests put another into ARGV[1]; '' means Redis.
local now, now_us
if ARGV[1] == '' then
  local time = call('TIME')
  now_us = time[1] * 1e6 + time[2]
  now = math.floor(now_us / 1000)
else
  now = tonumber(ARGV[1]) + 0.0
  now_us = now * 1000
end

-- Lua's own tostring loses digits above 14.
local function text(number)
  return string.format('%.0f', number)
end

-- The number that a field of ours holds; nil for what no script of ours wrote, NaN and infinity included.
local LARGEST_NUMBER = 2 ^ 53
local function number_of(field)
  local number = field and tonumber(field)
  return number and number > -LARGEST_NUMBER and number < LARGEST_NUMBER and number or nil
end
