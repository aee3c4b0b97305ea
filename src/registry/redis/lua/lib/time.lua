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
