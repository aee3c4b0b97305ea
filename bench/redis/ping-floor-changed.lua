-- The least that pings which change the players can do. The version comes with the ping, and the feed is the log alone:
-- in truth the one has to be counted, and the other needs an index for those who come late.
-- KEYS  1 servers  2 log. From 3 on follow the records
-- ARGV  1 deadline. For each ping: id, known version, players, new version
local call = redis.call
local lines = {}
for i = 3, #KEYS do
  local at = 4 * i - 10
  local id, players, version = ARGV[at], ARGV[at + 2], ARGV[at + 3]
  -- The read, and the write of another life: as in ping-floor-unchanged.lua.
  if call('HGET', KEYS[i], 'version') ~= ARGV[at + 1] then return redis.error_reply('FLOOR another version') end
  call('ZADD', KEYS[1], 'XX', 'CH', ARGV[1], id)
  -- What is new.
  call('HSET', KEYS[i], 'players', players, 'version', version)
  lines[#lines + 1] = ARGV[at + 1] .. ' ' .. id .. ' ' .. players .. ' ' .. version .. '\n'
end
-- For all replicas.
call('APPEND', KEYS[2], table.concat(lines))
return 1
