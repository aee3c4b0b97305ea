-- Lifetimes: most entries live by --ttl; each entry that another protocol lists has one of its own.
--   lifetimes    ms of its TTL times LIFETIME_UNIT, plus ms below which it is silent. An entry that is missing, because
--                the key was damaged, lives by --ttl until it is published next

-- The TTL of a lifetime, ms; --ttl for nil, false and anything that no script of GSLS wrote.
local function ttl_in(lifetime)
  local ttl = math.floor((number_of(lifetime) or 0) / LIFETIME_UNIT)
  return ttl > 0 and ttl <= LONGEST_TTL_MS and ttl or TTL_MS
end

-- The TTL of an entry, ms.
local function ttl_of(id)
  return ttl_in(call('ZSCORE', lifetimes, id))
end
