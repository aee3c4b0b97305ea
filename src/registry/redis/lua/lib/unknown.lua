-- Redis may not know an id because it lost it: the answer says as of which loss, and whether that is mended.
do
  local stored = call('HMGET', state, 'loss', 'wholeAt')
  return { 0, stored[1] or '', stored[2] and 1 or 0 }
end
