import { configOf } from '../service/config/config-of.ts';
import type { Context } from '../../src/api/http/context.ts';
import { CurrentList } from '../../src/api/http/current-list.ts';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { Turns } from '../../src/api/work/turns.ts';
import { roomOptionsOf, type RoomOptions } from '../../src/service/room-options.ts';
import type { ProtocolOptions } from '../../src/protocols/protocol.ts';
import { lifetime } from './registry-fixture.ts';
import { silentLogger } from './start-test-service.ts';

/** What rooms are opened with, by the options of a service, and the options of each. */
export function aContext(
  registry: Backend,
  flags: Parameters<typeof configOf>[0]['flags'] = {},
  now: () => number = Date.now,
): Context & { readonly options: RoomOptions } {
  const config = configOf({ flags });
  const isPrivate = config.authKeys.length > 0 && !config.publicRead;
  const { maxStale, listMaxAge: listMaxAgeMs } = config;
  return {
    options: roomOptionsOf(config),
    registry,
    whyRefused: () => undefined,
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

/** The same for the protocols of other games. */
export function aProtocolContext(
  ...args: Parameters<typeof aContext>
): Context & { readonly options: ProtocolOptions } {
  const context = aContext(...args);
  return { ...context, options: context.options.protocols };
}
