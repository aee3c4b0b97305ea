-- The sweep: entries whose deadline has passed expire, unless they are held (hold.lua). An expired entry is off the
-- list, and a ping can revive it for a while. A sweep takes BATCH_LIMIT entries at most.

-- Expires entries. `due` has ids and deadlines in turn (read_due_past_gate). `at_once`: stores the time of the sweep in
-- any case. Returns the ids that expired, whether these were all due ones, and how many silent entries are held.
local function sweep(due, at_once)
  local silent = 0
  if #due > 0 or is_hold_noted() then
    due, silent = without_held(due)
  end
  -- Every read that can fail comes before the first write.
  local addresses_due, have_records = {}, {}
  for i = 1, #due, 2 do
    local ip, host, port = unpack(read_values(record_prefix .. due[i], 'ip', 'host', 'port'))
    addresses_due[i], have_records[i] = address_of(host, ip, port), ip
  end
  if not note_sweep(at_once or #due > 0) then due = {} end

  local expired_ids = {}
  for i = 1, #due, 2 do
    local id, deadline = due[i], due[i + 1]
    unlist_with_tombstone(id, addresses_due[i])
    if have_records[i] then keep_for_revival(id, record_prefix .. id, deadline) end
    expired_ids[#expired_ids + 1] = id
  end
  return expired_ids, #expired_ids < BATCH_LIMIT, silent
end
