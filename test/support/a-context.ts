import { configOf } from '../service/config/config-of.ts';
import type { Context } from '../../src/api/http/context.ts';
import { CurrentList } from '../../src/api/http/current-list.ts';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { Turns } from '../../src/api/work/turns.ts';
import { lifetime } from './registry-fixture.ts';
import { silentLogger } from './start-test-service.ts';

/** What a room is opened with, by the options of a service. */
export function aContext(
  registry: Backend,
  flags: Parameters<typeof configOf>[0]['flags'] = {},
  now: () => number = Date.now,
): Context {
  const config = configOf({ flags });
  const isPrivate = config.authKeys.length > 0 && !config.publicRead;
  const { maxStale, listMaxAge: listMaxAgeMs } = config;
  return {
    config,
    registry,
    lifetime,
    currentList: new CurrentList({ registry, maxStaleMs: maxStale * 1000, listMaxAgeMs, isPrivate, now }),
    turns: new Turns(),
    logger: silentLogger,
    maskAddress: (address) => address,
    isPrivate,
    deadlines: DEADLINES,
    stopping: undefined,
    now,
  };
}
