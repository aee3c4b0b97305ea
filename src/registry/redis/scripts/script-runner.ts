/**
 * Calls the scripts: adds the keys and the arguments that all have in common, repeats a call while a failure may pass,
 * and sends calls for one entry each in groups.
 */

import { randomBytes } from 'node:crypto';
import { Cluster } from 'ioredis';
import { DEADLINES, type Deadlines } from '../../../runtime/deadlines.ts';
import { ServiceError } from '../../../model/service-error.ts';
import type { RedisClient } from '../connection/create-client.ts';
import { redisErrorKind, type RedisErrorKind } from './error-kind.ts';
import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import type { ScriptEvents } from '../events.ts';
import { groupCalls, type Dated } from './group-calls.ts';
import { FIRST_RECORD, type RegistryKeys } from '../keys.ts';
import { createConstants, type Constants, type ScriptSettings } from './script-constants.ts';
import { ProcessPaused, Pulse } from '../../../runtime/pulse.ts';
import { RedisClock } from '../redis-clock.ts';
import { lateAt, retryWhilePassing } from './retry.ts';
import {
  argumentNames,
  BINARY,
  FORMS,
  inOrder,
  SCRIPTS,
  type Argument,
  type ArgumentsOf,
  type GroupedName,
  type ScriptName,
} from './script-contract.ts';
import { readScript } from './script-source.ts';

export interface ScriptContext extends Omit<ScriptSettings, 'isCluster'> {
  readonly client: RedisClient;
  readonly keys: RegistryKeys;
  /** Returns ms since the epoch, for tests that hold the clock; without it scripts read the clock of Redis. */
  readonly now?: () => number;
  /** The clock of this machine, ms since the epoch. Default: that of the system. */
  readonly systemNow?: () => number;
  readonly events?: Partial<ScriptEvents>;
  readonly deadlines?: Deadlines;
  /** Returns the native document of an entry, as far as this replica has it. */
  readonly documentOf?: (entry: ListedGameServer) => string | undefined;
  /** No script is sent before this has resolved once. The next call repeats it if it has rejected. */
  readonly admit?: () => Promise<void>;
  /** The pulse of the process; without it the runner starts its own, which never stops. */
  readonly pulse?: Pick<Pulse, 'beatAt'>;
}

/**
 * `rows` must be in the order in which the script reads them. `record`: a key. `since`: the beat of the pulse before
 * the request that a write is made for, by performance.now(); by default that before the call. Rejects with
 * `registry_unavailable`.
 */
export type RunScript<Name extends ScriptName> = (
  args: ArgumentsOf<Name>,
  more?: { readonly rows?: readonly Value[]; readonly record?: string; readonly since?: number | undefined },
) => Promise<unknown>;

/** A value as Redis gets it. */
type Value = string | Buffer;

/** A call for one entry, which goes to Redis in a group. */
export interface GroupedCall<Name extends GroupedName = GroupedName> {
  readonly id: GameServerId;
  readonly form: (typeof FORMS)[Name][number];
  readonly row: readonly string[];
}

export interface ScriptRunner {
  /** A random name of this replica. */
  readonly replica: string;
  /** The clock of Redis, to which callers pass the time of a reply. */
  readonly clock: RedisClock;
  /** All scripts by their names. The calls of a grouped script, for one entry each, are sent in groups. */
  readonly run: {
    readonly [Name in ScriptName]: Name extends GroupedName
      ? (call: GroupedCall<Name>, since?: number) => Promise<unknown>
      : RunScript<Name>;
  };
}

export function createScriptRunner(context: ScriptContext): ScriptRunner {
  const { client, keys, events = {}, deadlines = DEADLINES, pulse = new Pulse() } = context;
  const constants = createConstants({ ...context, isCluster: client instanceof Cluster });
  const now = (): string => (context.now === undefined ? '' : String(context.now()));
  const replica = randomBytes(8).toString('base64url');
  // Each call brings an epoch that no registry had, in case it finds none in Redis.
  let epochs = 0;
  const newEpoch = (): string => `${replica}.${(epochs += 1)}`;

  const clock = new RedisClock();

  let isAdmitted = context.admit === undefined;
  const admitted = async (): Promise<void> => {
    await context.admit?.();
    isAdmitted = true;
  };
  const createCommand = (name: ScriptName): Command => {
    const command = commandOf(client, name, constants);
    const admitting: Command = (...args) =>
      isAdmitted ? command(...args) : admitted().then(() => command(...args));
    return timed(admitting, name, events);
  };

  /**
   * Makes a call with a deadline, after which Redis refuses it: its client has been answered by then, or asks another
   * replica, and may have sent a later write. That is so `writeMs` after the request, and once this replica has given
   * up the call. Redis may also refuse it because its clock was set, or is that of another node: then the call is
   * repeated by its present time, unless this process is late itself.
   */
  async function inTime<T>(since: number, call: (deadline: string) => Promise<T>): Promise<T> {
    const send = (): Promise<T> => {
      const sentAt = performance.now();
      const callUntil = since + deadlines.writeMs;
      if (sentAt > callUntil) throw new ProcessPaused();
      return call(String(clock.at(Math.min(callUntil, sentAt + deadlines.commandMs))));
    };
    try {
      return await send();
    } catch (error) {
      const time = lateAt(error);
      if (time === undefined) throw error;
      clock.told(time);
      return send();
    }
  }

  const textsOf = (name: ScriptName, args: Readonly<Record<string, Argument>>): readonly string[] =>
    inOrder(argumentNames(name), { testNow: now(), newEpoch: newEpoch(), ...args });

  function define<Name extends ScriptName>(name: Name): RunScript<Name> {
    const command = createCommand(name);
    const isWrite = argumentNames(name).includes('deadline');
    return (args, { rows = [], record, since = pulse.beatAt } = {}) => {
      const scriptKeys = record === undefined ? keys.shared : [...keys.shared, record];
      return retryWhilePassing(deadlines, (isRepetition) => {
        const call = (deadline: string): Promise<unknown> =>
          command(...scriptKeys, ...textsOf(name, { ...args, deadline, isRepetition }), ...rows);
        return isWrite ? inTime(since, call) : call('');
      }).catch(unavailable);
    };
  }

  function defineGrouped<Name extends GroupedName>(
    name: Name,
  ): (call: GroupedCall<Name>, since?: number) => Promise<unknown> {
    const command = createCommand(name);
    const forms = FORMS[name];
    const run = async (group: readonly Dated<GroupedCall>[]): Promise<readonly unknown[]> => {
      // One pass for each form, without lists and maps for each: every ping comes through here.
      const allKeys = [...keys.shared];
      const rows: string[] = [];
      const counts: Record<string, number> = {};
      /** The index in the group of each call, in the order in which the script gets them. */
      const places: number[] = [];
      let since = Infinity;
      for (const each of group) since = Math.min(since, each.since);
      for (const form of forms) {
        const before = places.length;
        for (let place = 0; place < group.length; place += 1) {
          const { call } = group[place]!;
          if (call.form !== form) continue;
          allKeys.push(keys.recordPrefix + call.id);
          rows.push(...call.row);
          places.push(place);
        }
        counts[`${form}Count`] = places.length - before;
      }
      const reply = await inTime(since, (deadline) =>
        command(String(allKeys.length), ...allKeys, ...textsOf(name, { ...counts, deadline }), ...rows),
      );
      if (!Array.isArray(reply)) return group.map((): unknown => reply);
      const replies: unknown[] = Array.from({ length: group.length });
      for (let i = 0; i < places.length; i += 1) {
        const each: unknown = reply[i];
        if (each instanceof Error) events.onError?.(redisErrorKind(each));
        replies[places[i]!] = each;
      }
      return replies;
    };
    const joinGroup = groupCalls(run, deadlines, pulse, client);
    return (call, since = pulse.beatAt) =>
      retryWhilePassing(deadlines, () => joinGroup({ call, since })).catch(unavailable);
  }

  const run = (Object.keys(SCRIPTS) as ScriptName[]).map(
    (name) => [name, isGrouped(name) ? defineGrouped(name) : define(name)] as const,
  );
  return { replica, clock, run: Object.fromEntries(run) as ScriptRunner['run'] };
}

function isGrouped(name: ScriptName): name is GroupedName {
  return Object.hasOwn(FORMS, name);
}

type Command = (...args: readonly Value[]) => Promise<unknown>;

/** Wraps a command so that it emits how long it took and why it failed. */
function timed(command: Command, name: ScriptName, { onCall, onError }: Partial<ScriptEvents>): Command {
  if (onCall === undefined && onError === undefined) return command;
  return async (...args) => {
    const startedAt = performance.now();
    let failure: RedisErrorKind | undefined;
    try {
      return await command(...args);
    } catch (error) {
      failure = redisErrorKind(error);
      onError?.(failure);
      throw error;
    } finally {
      // The duration of a call that could not be sent, or was cut off, does not show how fast Redis is.
      if (failure !== 'connection') onCall?.(name, performance.now() - startedAt);
    }
  };
}

/** The commands of each client, by script and constants. */
const commandsOf = new WeakMap<RedisClient, Map<string, Command>>();

/** Returns the command of the script. Registries on one client that have the same rules share it. */
function commandOf(client: RedisClient, name: ScriptName, constants: Constants): Command {
  const commands = commandsOf.get(client) ?? new Map<string, Command>();
  commandsOf.set(client, commands);
  const key = [name, ...constants.values()].join(' ');
  const command = commands.get(key) ?? defineCommand(client, name, constants);
  commands.set(key, command);
  return command;
}

/** Defines the script as a command whose name begins with `gsls_`: on an ioredis client `ping` is PING. */
function defineCommand(client: RedisClient, name: ScriptName, constants: Constants): Command {
  const command = `gsls_${name}`;
  const { about } = SCRIPTS[name];
  const lua = readScript(name, constants);
  const numberOfKeys = about === 'one entry' ? FIRST_RECORD : FIRST_RECORD - 1;
  client.defineCommand(command, about === 'each row' ? { lua } : { lua, numberOfKeys });
  // The function is kept, because another registry on this client may define the same command with other settings.
  const defined = (client as unknown as Record<string, Command>)[
    command + (BINARY.includes(name) ? 'Buffer' : '')
  ]!;
  return (...args) => defined.apply(client, [...args]);
}

/** Throws a ServiceError that clients may see; its cause is the error of Redis. */
export function unavailable(cause: unknown): never {
  throw new ServiceError('registry_unavailable', { cause });
}
