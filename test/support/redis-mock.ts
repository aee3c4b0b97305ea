/**
 * ioredis-mock, for machines without a redis-server. Its Lua differs from that of Redis in what it gives for nil, and
 * in how it returns tables and false, and has no cjson; that is put right here, around the scripts, and never inside
 * them.
 */

import type { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';

const SHIM_BEFORE = `
local function from_mock(value)
  if type(value) ~= 'userdata' then return value end
  if tostring(value) == 'null' then return false end
  local list = {}
  for i = 1, #value do list[i] = from_mock(value[i]) end
  return list
end
local function to_mock(value)
  if type(value) ~= 'table' then return value end
  local copy = {}
  for i = 1, #value do copy[i] = to_mock(value[i]) end
  return { unpack(copy) }
end
local mock_call = redis.call
local call_mock = function(command, key, ...)
  -- The mock fails for a key that is not there.
  if command == 'GETRANGE' and mock_call('EXISTS', key) == 0 then return '' end
  return from_mock(mock_call(command, key, ...))
end
local function escape(character)
  return string.format('\\\\u%04x', string.byte(character))
end
local cjson = {}
-- Of texts, false, and lists of them.
function cjson.encode(value)
  if type(value) == 'string' then return '"' .. string.gsub(value, '[%c"\\\\]', escape) .. '"' end
  if type(value) ~= 'table' then return tostring(value) end
  local list = {}
  for i = 1, #value do list[i] = cjson.encode(value[i]) end
  return '[' .. table.concat(list, ',') .. ']'
end
local redis = { call = call_mock, pcall = call_mock, error_reply = error }
local function script()
`;
const SHIM_AFTER = `
end
return to_mock(script())
`;

/** What Lua calls false is null to a client. */
function withNulls(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(withNulls);
  return reply === false ? null : reply;
}

export function createRedisMock(): Redis {
  const mock = new RedisMock();
  const commands = mock as unknown as Record<string, (...args: readonly string[]) => Promise<unknown>>;
  const defineCommand = mock.defineCommand.bind(mock);
  mock.defineCommand = (name, { lua, numberOfKeys, ...rest }) => {
    const define = (as: string, count: number): void => {
      defineCommand(as, { ...rest, numberOfKeys: count, lua: SHIM_BEFORE + lua + SHIM_AFTER });
      const run = commands[as]!.bind(mock);
      commands[as] = async (...args) => withNulls(await run(...args));
    };
    if (numberOfKeys !== undefined) {
      define(name, numberOfKeys);
      return;
    }
    // Without a fixed number of keys, their number is the first argument. The mock does not know that.
    commands[name] = (count, ...args) => {
      define(`${name}_${count}`, Number(count));
      return commands[`${name}_${count}`]!(...args);
    };
  };
  return mock;
}
