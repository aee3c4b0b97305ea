-- The reply about an id that Redis does not have: {UNKNOWN, loss, 1 if the registry is whole}. Redis may have lost the
-- id: the caller compares the loss with the last one that it knows as mended.
local function unknown_reply()
  local loss_now, whole_at = unpack(call('HMGET', state, 'loss', 'wholeAt'))
  return { UNKNOWN, loss_now or '', whole_at and 1 or 0 }
end
