/**
 * The one typed door to the Lua scripts: names in, domain outcomes out. What each does, takes and returns is
 * told at the top of its file in lua/.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import { ServiceError } from '../../errors.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../game-server.ts';
import type { Lifetime } from '../lifetime.ts';
import type { BroadcastOutcome, PingOutcome, RemoveOutcome } from '../registry.ts';
import type { RegistryKeys } from './keys.ts';
import { retryWhilePassing } from './retry.ts';

/** A connection of ioredis, to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;

export interface ScriptContext {
  readonly client: RedisClient;
  readonly keys: RegistryKeys;
  readonly lifetime: Lifetime;
  readonly uniqueAddress: boolean;
  readonly holdMassExpiry: boolean;
  /** ms since the epoch, for tests that hold the clock; else Redis tells the time. */
  readonly now?: () => number;
}

/** What a follower knows: see lua/changes.lua. */
export interface FeedPosition {
  readonly epoch: string;
  readonly cursor: number;
  readonly base: number;
}

export interface ChangedGameServer extends ListedGameServer {
  /** The version of its last visible change. */
  readonly version: number;
}

export interface ChangesPage {
  readonly epoch: string;
  readonly version: number;
  readonly digest: number;
  readonly count: number;
  readonly full: boolean;
  readonly base: number;
  readonly cursor: number;
  readonly more: boolean;
  /** How many are silent while their expiry is held; else 0. */
  readonly silent: number;
  readonly expired: readonly GameServerId[];
  readonly removed: readonly Tombstone[];
  readonly changed: readonly ChangedGameServer[];
}

/** Who has left, and the version of that. */
export interface Tombstone {
  readonly id: GameServerId;
  readonly version: number;
  /** Whether it expired, so that a ping can bring it back; else it left for good. */
  readonly revivable: boolean;
}

/** What a replica knew before Redis lost data. */
export interface Memory {
  /** The version up to which it knew everything. */
  readonly version: number;
  readonly removed: readonly Tombstone[];
  readonly listed: readonly ChangedGameServer[];
}

/** An outcome, and the version of the change if there was one. */
export interface Versioned<Outcome> {
  readonly outcome: Outcome;
  readonly version?: number;
}

export interface Scripts {
  broadcast(id: GameServerId, gameServer: GameServer): Promise<Versioned<BroadcastOutcome>>;
  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome>;
  remove(id: GameServerId, ip: string): Promise<Versioned<RemoveOutcome>>;
  /** `mustWrite`: fails if Redis takes no writes. */
  changes(position: FeedPosition, mustWrite?: boolean): Promise<ChangesPage>;
  /** Resolves with how many are listed again. */
  restore(memory: Memory): Promise<number>;
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

/** How many keys each takes: the shared ones and, if it is about one record, that of the record. */
export const SCRIPTS = { broadcast: 6, ping: 6, remove: 6, changes: 5, restore: 5, reset: 5 } as const;
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

  // An epoch nobody had, each time, should the registry turn out to have none.
  const epochPrefix = randomBytes(8).toString('base64url');
  let epochs = 0;
  const newEpoch = () => `${epochPrefix}.${(epochs += 1)}`;

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

  /** What broadcast and ping have in common: the key of the record and ARGV 1 to 12. */
  function aboutGameServer(id: GameServerId, gameServer: GameServer): string[] {
    const { recordPrefix } = keys;
    return [recordPrefix + id, now(), id, ...fieldsOf(gameServer), ttl, leakGuard, unique, recordPrefix];
  }

  return {
    async broadcast(id, gameServer) {
      const reply = await run('broadcast', () => [...aboutGameServer(id, gameServer), newEpoch()]);
      return reply === 0 ? { outcome: 'left' } : { outcome: 'listed', version: Number(reply) };
    },

    async ping(id, gameServer) {
      const reply = await run('ping', () => [...aboutGameServer(id, gameServer), reviveWindow]);
      return reply === 1 ? 'refreshed' : reply === 0 ? 'unknown' : 'ip_mismatch';
    },

    async remove(id, ip) {
      const reply = await run('remove', (isRepetition) => [
        keys.recordPrefix + id,
        now(),
        id,
        ip,
        reviveWindow,
        isRepetition ? '1' : '',
      ]);
      if (typeof reply === 'string') return { outcome: 'removed', version: Number(reply) };
      return { outcome: reply === 1 ? 'removed' : reply === 0 ? 'unknown' : 'ip_mismatch' };
    },

    async changes({ epoch, cursor, base }, mustWrite = false) {
      const reply = await run('changes', () => [
        now(),
        epoch,
        String(cursor),
        String(base),
        ttl,
        String(lifetime.maxSweepGapMs),
        reviveWindow,
        keys.recordPrefix,
        newEpoch(),
        String(PAGE_LIMIT),
        mustWrite ? '1' : '',
        String(lifetime.silentBelowMs),
        String(context.holdMassExpiry ? lifetime.longestHoldMs : 0),
      ]);
      return parseChanges(reply as ChangesReply);
    },

    async restore({ version, removed, listed }) {
      const reply = await run('restore', () => [
        now(),
        newEpoch(),
        String(version),
        ttl,
        leakGuard,
        reviveWindow,
        unique,
        keys.recordPrefix,
        String(removed.length),
        String(listed.length),
        ...removed.flatMap(({ id, version: left, revivable }) => [id, String(left), revivable ? '1' : '']),
        ...listed.flatMap((entry) => [
          entry.id,
          String(entry.version),
          String(entry.registeredAt),
          ...fieldsOf(entry),
        ]),
      ]);
      return reply as number;
    },

    async reset(onProgress) {
      let removed = 0;
      for (;;) {
        const reply = await run('reset', () => [now(), keys.recordPrefix, String(PAGE_LIMIT)]);
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

type RecordReply = [
  id: string,
  version: string,
  registeredAt: string,
  ip: string,
  host: string,
  name: string,
  port: string,
  players: string,
  maxPlayers: string,
];
type ChangesReply = [
  epoch: string,
  version: string,
  digest: string,
  count: number,
  full: number,
  base: string,
  cursor: string,
  more: number,
  silent: number,
  expired: string[],
  removed: (string | number)[],
  records: RecordReply[],
];

function parseChanges(reply: ChangesReply): ChangesPage {
  const [epoch, version, digest, count, full, base, cursor, more, silent, expired, removed, records] = reply;
  return {
    epoch,
    version: Number(version),
    digest: Number(digest),
    count,
    full: full === 1,
    base: Number(base),
    cursor: Number(cursor),
    more: more === 1,
    silent,
    expired,
    removed: parseTombstones(removed),
    changed: records.map(([id, changedAt, registeredAt, ip, host, name, port, players, maxPlayers]) => ({
      id,
      version: Number(changedAt),
      registeredAt: Number(registeredAt),
      ip,
      host,
      name,
      port: Number(port),
      players: Number(players),
      maxPlayers: Number(maxPlayers),
    })),
  };
}

function parseTombstones(flat: readonly (string | number)[]): Tombstone[] {
  const tombstones: Tombstone[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    tombstones.push({ id: String(flat[i]), version: Number(flat[i + 1]), revivable: flat[i + 2] === 1 });
  }
  return tombstones;
}
