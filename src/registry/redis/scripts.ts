/**
 * The one typed door to the Lua scripts: names in, domain outcomes out. What each does, takes and returns is
 * told at the top of its file in lua/.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Cluster } from 'ioredis';
import { ServiceError } from '../../errors.ts';
import type { GameServer, GameServerId } from '../game-server.ts';
import type { Lifetime } from '../lifetime.ts';
import type { BroadcastOutcome, PingOutcome, RemoveOutcome } from '../registry.ts';
import type { RedisClient } from './connection/create-client.ts';
import {
  parseChanges,
  parseHealth,
  type ChangedGameServer,
  type ChangesPage,
  type ChangesReply,
  type FeedPosition,
  type Memory,
  type RegistryHealth,
} from './feed.ts';
import type { RegistryKeys } from './keys.ts';
import { retryWhilePassing } from './retry.ts';

export interface ScriptContext {
  readonly client: RedisClient;
  readonly keys: RegistryKeys;
  readonly lifetime: Lifetime;
  readonly uniqueAddress: boolean;
  readonly holdMassExpiry: boolean;
  /** ms since the epoch, for tests that hold the clock; else Redis tells the time. */
  readonly now?: () => number;
}

/** An outcome, and the version of the change if there was one. */
export interface Versioned<Outcome> {
  readonly outcome: Outcome;
  readonly version?: number;
}

/** `damaged`: the id is listed, but its record is not what we wrote. */
export type Damaged = 'damaged';

/** What Redis says of an id it has not got. */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly health: RegistryHealth;
}

export interface Pinged {
  readonly outcome: Exclude<PingOutcome, 'unknown'> | Damaged;
  /** The entry as it is from now on, if the ping changed it visibly. */
  readonly changed?: Pick<ChangedGameServer, 'version' | 'registeredVersion'>;
}

export type Removed = Versioned<Exclude<RemoveOutcome, 'unknown'> | Damaged>;

export interface Scripts {
  broadcast(id: GameServerId, gameServer: GameServer): Promise<Versioned<BroadcastOutcome>>;
  ping(id: GameServerId, gameServer: GameServer): Promise<Pinged | Unknown>;
  remove(id: GameServerId, ip: string): Promise<Removed | Unknown>;
  /** `mustWrite`: fails if Redis takes no writes. */
  changes(position: FeedPosition, mustWrite?: boolean): Promise<ChangesPage>;
  /** Resolves with how many are listed again. `isHeld`: the registry is not whole before this replica settles it. */
  restore(memory: Memory, isHeld?: boolean): Promise<number>;
  /**
   * This replica has told what it knew of before the loss. Resolves with whether the registry is whole: every other
   * replica has as well. `digestOffset`: what the digest of Redis lacks, by the copy of this replica.
   */
  settle(epoch: string, loss: string, digestOffset: number): Promise<boolean>;
  /**
   * Puts damaged keys in order, and begins a new history. `suspects`: ids whose records are looked at as well; true for
   * one that is surely damaged. Damaged ones are taken off, for a replica to restore them.
   */
  mend(suspects: ReadonlyMap<GameServerId, boolean>): Promise<void>;
  /** Takes all game servers off, for good. Tells after each part how many so far. */
  reset(onProgress: (removed: number) => void): Promise<void>;
  /** How many game servers are listed. */
  count(): Promise<number>;
}

/**
 * A record removes itself from Redis after this time without a renewal, however it came to be forgotten.
 * Far longer than any outage should last: a key that expires while we are down is a game server lost.
 */
const LEAK_GUARD_MS = 24 * 60 * 60 * 1000;

/** Records a page of the feed holds at most: a few ms of Redis, so that a new replica's load stalls nobody. */
const PAGE_LIMIT = 1000;

/** A slot on the move to another node of a Cluster: its records follow each other within this time. */
const LONGEST_MOVE_MS = 1000;

/** A replica that restores is heard of after each batch; one that is silent for longer has ended, or stands still. */
const LONGEST_RESTORER_SILENCE_MS = 1000;

/** How many keys each takes: the shared ones and, if it is about one record, that of the record. */
export const SCRIPTS = {
  broadcast: 6,
  ping: 6,
  remove: 6,
  changes: 5,
  restore: 5,
  settle: 5,
  mend: 5,
  reset: 5,
} as const;
type ScriptName = keyof typeof SCRIPTS;

/** A script with its `--#include a b` lines replaced by lua/lib/a.lua and lua/lib/b.lua. */
export function readScript(name: string): string {
  return readLua(name).replaceAll(/^ *--#include (.*)$/gm, (_line, parts: string) =>
    parts
      .split(' ')
      .map((part) => readLua(`lib/${part}`))
      .join('\n'),
  );
}

function readLua(file: string): string {
  return readFileSync(new URL(`./lua/${file}.lua`, import.meta.url), 'utf8');
}

/** Makes the scripts known to the client. No command is sent. */
export function createScripts(context: ScriptContext): Scripts {
  const { client, keys, lifetime } = context;
  const leakGuard = String(Math.max(LEAK_GUARD_MS, lifetime.ttlMs + lifetime.reviveWindowMs));
  const unique = context.uniqueAddress ? '1' : '0';
  const ttl = String(lifetime.ttlMs);
  const reviveWindow = String(lifetime.reviveWindowMs);
  const now = () => (context.now === undefined ? '' : String(context.now()));

  const replica = randomBytes(8).toString('base64url');
  // An epoch nobody had, each time, should the registry turn out to have none.
  let epochs = 0;
  const newEpoch = () => `${replica}.${(epochs += 1)}`;

  for (const [name, numberOfKeys] of Object.entries(SCRIPTS)) {
    client.defineCommand(commandName(name), { numberOfKeys, lua: readScript(name) });
  }

  function run(name: ScriptName, argsOf: (isRepetition: boolean) => readonly string[]): Promise<unknown> {
    const command = (client as unknown as Record<string, (...args: readonly string[]) => Promise<unknown>>)[
      commandName(name)
    ]!;
    return retryWhilePassing((isRepetition) =>
      command.apply(client, [...keys.shared, ...argsOf(isRepetition)]),
    ).catch(unavailable);
  }

  /** ARGV 1 and 2 of every script. */
  const common = (): [string, string] => [now(), newEpoch()];

  /** What broadcast and ping have in common: the key of the record and ARGV 1 to 13. */
  function aboutGameServer(id: GameServerId, gameServer: GameServer): string[] {
    const { recordPrefix } = keys;
    return [
      recordPrefix + id,
      ...common(),
      id,
      ...fieldsOf(gameServer),
      ttl,
      leakGuard,
      unique,
      recordPrefix,
    ];
  }

  return {
    async broadcast(id, gameServer) {
      const reply = await run('broadcast', () => aboutGameServer(id, gameServer));
      if (reply === 0) return { outcome: 'unlisted' };
      return reply === 1 ? { outcome: 'listed' } : { outcome: 'listed', version: Number(reply) };
    },

    async ping(id, gameServer) {
      const reply = await run('ping', () => [...aboutGameServer(id, gameServer), reviveWindow]);
      if (reply === 1) return { outcome: 'refreshed' };
      if (reply === -1) return { outcome: 'ip_mismatch' };
      if (reply === -2) return { outcome: 'damaged' };
      const [isKnown, ...rest] = reply as [number, string, string | number];
      if (isKnown === 0) return parseUnknown(rest);
      const [version, registeredVersion] = rest;
      const changed = { version: Number(version), registeredVersion: Number(registeredVersion) };
      return { outcome: 'refreshed', changed };
    },

    async remove(id, ip) {
      const reply = await run('remove', (isRepetition) => [
        keys.recordPrefix + id,
        ...common(),
        id,
        ip,
        reviveWindow,
        isRepetition ? '1' : '',
      ]);
      if (reply === 1) return { outcome: 'removed' };
      if (reply === -1) return { outcome: 'ip_mismatch' };
      if (reply === -2) return { outcome: 'damaged' };
      const [isKnown, ...rest] = reply as [number, string, string | number];
      return isKnown === 0 ? parseUnknown(rest) : { outcome: 'removed', version: Number(rest[0]) };
    },

    async changes({ epoch, cursor, base }, mustWrite = false) {
      const reply = await run('changes', () => [
        ...common(),
        epoch,
        String(cursor),
        String(base),
        ttl,
        String(lifetime.maxSweepGapMs),
        reviveWindow,
        keys.recordPrefix,
        String(PAGE_LIMIT),
        mustWrite ? '1' : '',
        String(lifetime.silentBelowMs),
        String(context.holdMassExpiry ? lifetime.longestHoldMs : 0),
        String(client instanceof Cluster ? LONGEST_MOVE_MS : 0),
        unique,
      ]);
      return parseChanges(reply as ChangesReply);
    },

    async restore({ version, removed, listed }, isHeld = false) {
      const reply = await run('restore', () => [
        ...common(),
        String(version),
        ttl,
        leakGuard,
        reviveWindow,
        unique,
        keys.recordPrefix,
        replica,
        isHeld ? '1' : '',
        String(removed.length),
        String(listed.length),
        ...removed.flatMap(({ id, version: left, revivable }) => [id, String(left), revivable ? '1' : '']),
        ...listed.flatMap((entry) => [
          entry.id,
          String(entry.version),
          String(entry.registeredVersion),
          ...fieldsOf(entry),
        ]),
      ]);
      return reply as number;
    },

    async settle(epoch, loss, digestOffset) {
      const silence = String(LONGEST_RESTORER_SILENCE_MS);
      const args = [epoch, loss, String(digestOffset), replica, silence];
      return (await run('settle', () => [...common(), ...args])) === 1;
    },

    async mend(suspects) {
      const args = [...suspects].flatMap(([id, isSure]) => [id, isSure ? '1' : '']);
      await run('mend', () => [...common(), ttl, keys.recordPrefix, ...args]);
    },

    async reset(onProgress) {
      let removed = 0;
      for (;;) {
        const reply = await run('reset', () => [...common(), keys.recordPrefix, String(PAGE_LIMIT)]);
        const [gameServers, tombstones] = reply as [number, number];
        if (gameServers + tombstones === 0) return;
        removed += gameServers;
        onProgress(removed);
      }
    },

    count: () => client.zcard(keys.shared[0]!).catch(unavailable),
  };
}

/** In the order of ARGV. */
function fieldsOf({ ip, host, name, port, players, maxPlayers }: GameServer): string[] {
  return [ip, host, name, String(port), String(players), String(maxPlayers)];
}

/** On an ioredis client `ping` is PING: our commands say whose they are. */
function commandName(script: string): string {
  return `gsls_${script}`;
}

function unavailable(cause: unknown): never {
  throw new ServiceError('registry_unavailable', { cause });
}

function parseUnknown([loss, isWhole]: readonly (string | number)[]): Unknown {
  return { outcome: 'unknown', health: parseHealth(String(loss), Number(isWhole)) };
}
