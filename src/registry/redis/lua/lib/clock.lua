-- One clock for all replicas, that of Redis, and the forms of the numbers in keys and replies. Arguments that scripts
-- have in common:
--   test_now    ms; '' for the clock of Redis
--   new_epoch   the name of the epoch that begins if there is none: see versions.lua
--   deadline    ms by the clock of Redis: a write that comes later is refused
-- Between the last look at the time and the moment at which Redis carries a write out, a process can be frozen and a
-- Redis can hang, for any time: the deadline is therefore checked here.
local now, now_us

-- Sets now, ms, and now_us, µs. Tests pass a time, ms; '' means the clock of Redis.
local function read_clock(test_now)
  if test_now == '' then
    local time = call('TIME')
    now_us = time[1] * 1e6 + time[2]
    now = math.floor(now_us / 1000)
  else
    now = tonumber(test_now) + 0.0
    now_us = now * 1000
  end
end

-- Lua's own tostring loses digits above 14.
local function text(number)
  return string.format('%.0f', number)
end

-- The error to a write that comes after its deadline, ms; nil if it is in time. The client of a late one has been
-- answered, or asks another replica.
local function late_error(deadline)
  if now > tonumber(deadline) then return redis.error_reply('LATE ' .. text(now)) end
end

-- The number that a field holds; nil if no script of GSLS wrote it, as for NaN and infinity.
local LARGEST_NUMBER = 2 ^ 53
local function number_of(field)
  local number = field and tonumber(field)
  return number and number > -LARGEST_NUMBER and number < LARGEST_NUMBER and number or nil
end
