-- Exchanges the settings with a replica. Of two secrets the older one stays, of two states of the decisions the newer
-- one: they thus outlive a loss of data as long as one replica knows them.
-- KEYS  1 servers  2 changes  3 tombstones  4 state  5 addresses  6 player_log
--       7 clients  8 expired  9 settings  10 lifetimes  11 documents
-- ARGV
--   test_now, new_epoch  see lib/clock.lua
--   known_secret       of the replica; '' if it knows none
--   new_secret         random text, in case there is none
--   known_version      of the moderation that the replica knows
--   known_moderation   '' to ask only
--   wants              1 to receive the moderation
--   damaged_version    of a moderation that the replica cannot read; '' if there is none
-- Returns names and values; '' for a missing one
--   secret, moderationAfter
--   version            of the moderation
--   moderationBytes    its length
--   moderation         if it is wanted
--
-- The settings:
--   secret             ms when it was created, a colon, random text. It is created when a registry is whole and has
--                      none, and had none when it became whole: no replica knows one then
--   moderation         the decisions of moderators, as JSON
--   moderationVersion  version of its last change
--   moderationAfter    that version, a colon, the version of the decision before. It may be that of an earlier
--                      decision: a replica that writes back a lost one leaves it as it was
--   oldestRelease      0.14, or what is there: it says to 0.14 that no replica is older than itself. A store that has a
--                      secret and lacks this is refused (older-store.ts)
-- And in the state:
--   hasSecret          1 if there is a secret
--#include keys clock versions
--#begin
local has_secret = open_state(new_epoch, 'hasSecret')

local function made_at(secret)
  return number_of(secret and string.match(secret, '^(%d+):[%w_-]+$')) or math.huge
end

local secret, oldest_release = unpack(call('HMGET', settings, 'secret', 'oldestRelease'))
if made_at(secret) == math.huge then secret = nil end
if made_at(known_secret) < made_at(secret) then
  secret = known_secret
  call('HSET', settings, 'secret', secret)
elseif not secret and is_whole and has_secret then
  -- The secret was lost, perhaps a moment ago: first all replicas write back what they know.
  call('HDEL', state, 'hasSecret')
  note_loss(new_epoch)
elseif not secret and is_whole then
  secret = text(now) .. ':' .. new_secret
  call('HSET', settings, 'secret', secret)
end
if secret and not has_secret then call('HSET', state, 'hasSecret', '1') end

if not oldest_release then call('HSET', settings, 'oldestRelease', '0.14') end

known_version = tonumber(known_version)
local moderation_version = version_of(call('HGET', settings, 'moderationVersion')) or 0
if moderation_version > 0 and moderation_version == tonumber(damaged_version) then
  call('HDEL', settings, 'moderation', 'moderationVersion')
  moderation_version = 0
  note_loss(new_epoch)
  next_version()
  save_versions()
end
if known_moderation ~= '' and known_version >= moderation_version then
  call('HSET', settings, 'moderation', known_moderation, 'moderationVersion', text(known_version))
  -- The new version makes every replica notice the decisions.
  moderation_version = known_version
  raise_version(known_version)
  next_version()
  save_versions()
end
return { 'secret', secret or '', 'version', text(moderation_version), 'moderationBytes',
  call('HSTRLEN', settings, 'moderation'), 'moderation', wants == '1' and call('HGET', settings, 'moderation') or '',
  'moderationAfter', call('HGET', settings, 'moderationAfter') or '' }
