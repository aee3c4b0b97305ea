-- The least that pings which change nothing can do.
-- KEYS  1 servers. From 2 on follow the records
-- ARGV  1 deadline. For each ping: id, known version
local call = redis.call
for i = 2, #KEYS do
  -- The read: whether the entry is there, and as the replica knows it. At that version its IP and its token were right.
  if call('HGET', KEYS[i], 'version') ~= ARGV[2 * i - 1] then return redis.error_reply('FLOOR another version') end
  -- The write: another life, if it is listed.
  call('ZADD', KEYS[1], 'XX', 'CH', ARGV[1], ARGV[2 * i - 2])
end
return 1
