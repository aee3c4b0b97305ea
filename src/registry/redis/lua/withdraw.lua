-- Removes a link of a native entry. With its last link the entry is removed for good.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents  12 record
-- ARGV
--   test_now, new_epoch, deadline  see lib/clock.lua
--   id, link
-- Returns
--   {REMOVED, version}  the entry has left
--   DONE                it has other links
--   {UNKNOWN, loss, whole}  it is not listed, or not by this link: see lib/unknown.lua
--#include keys clock versions unknown records removal addresses
--#begin
local old = read_record(record, 'ip', 'host', 'port', 'links')
if not old.links or not call('ZSCORE', servers, id) then return unknown_reply() end

local left, is_found, lives = {}, false, false
for each, until_then in string.gmatch(old.links, '([^, ]+) (%d+)') do
  if each == link then
    is_found = true
  else
    left[#left + 1] = each .. ' ' .. until_then
    lives = lives or tonumber(until_then) > now
  end
end
if not is_found then return unknown_reply() end
if lives then
  call('HSET', record, 'links', table.concat(left, ','))
  return DONE
end
open_state(new_epoch)
remove_for_good(id, record, address_of(old.host, old.ip, old.port))
save_versions()
return { REMOVED, version_text }
