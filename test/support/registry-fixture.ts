/** A registry under test with its clock and what it told; the tests of the contract speak through it. */

import { expect } from 'chai';
import { createLifetime } from '../../src/registry/lifetime.ts';
import type { GameServer } from '../../src/model/game-server.ts';
import type { RegistryRules } from '../../src/registry/registry-rules.ts';
import type { Backend } from '../../src/registry/backend.ts';
import type {
  Caller,
  HeldExpiry,
  Listing,
  PingOutcome,
  RegistryEvents,
  RemoveOutcome,
  ToldEntry,
} from '../../src/registry/registry.ts';
import { aGameServer, bodyOf, broadcastTo, type ListedBody } from './builders.ts';
import { ManualClock } from './manual-clock.ts';

/** Sweeps twenty times as seldom as in production, because time passes sweep by sweep. */
export const lifetime = { ...createLifetime(60_000), sweepIntervalMs: 5000 };

/** Rules that a registry can have; the contract is about those too. */
export type Rules = Pick<
  RegistryRules,
  | 'verifySource'
  | 'quotas'
  | 'maxDocumentBytesPerAddress'
  | 'hidesUnreached'
  | 'showsSeenPlayers'
  | 'serverHistoryMost'
>;

export interface RegistryFixtureOptions extends Rules {
  readonly clock: ManualClock;
  readonly uniqueAddress: boolean;
  readonly holdMassExpiry: boolean;
  readonly events: RegistryEvents;
}

/** Opens an empty registry with `lifetime`. */
export type OpenRegistry = (options: RegistryFixtureOptions) => Promise<Backend>;

export class RegistryFixture {
  readonly #open: OpenRegistry;
  #registry: Backend | undefined;
  clock = new ManualClock();
  /** The ids that onExpired told. */
  expired: string[] = [];
  /** What was told of entries that are listed or have left, as `why id ip:port`. */
  told: string[] = [];
  /** What onExpiryHeld and onExpiryReleased told. */
  holds: (HeldExpiry | 'released')[] = [];

  constructor(open: OpenRegistry) {
    this.#open = open;
  }

  get registry(): Backend {
    return this.#registry!;
  }

  /** Closes the registry before, if there was one, and opens an empty one. */
  async reopen({
    uniqueAddress = false,
    holdMassExpiry = false,
    ...rules
  }: { uniqueAddress?: boolean; holdMassExpiry?: boolean } & Rules = {}): Promise<void> {
    await this.close();
    this.clock = new ManualClock();
    this.expired = [];
    this.told = [];
    this.holds = [];
    const { clock, expired, holds, told } = this;
    const tell = ({ id, ip, port }: ToldEntry, why: string): void => {
      told.push(`${why} ${id} ${ip}:${port}`);
    };
    const events: RegistryEvents = {
      onListed: tell,
      onLeft: tell,
      onExpired(entries) {
        expired.push(...entries.map(({ id }) => id));
        for (const entry of entries) tell(entry, 'expired');
      },
      onExpiryHeld: (silence) => holds.push(silence),
      onExpiryReleased: () => holds.push('released'),
      onHistoriesFull: (most) => told.push(`histories full ${most}`),
    };
    this.#registry = await this.#open({ clock, uniqueAddress, holdMassExpiry, events, ...rules });
  }

  async close(): Promise<void> {
    await this.#registry?.close();
  }

  /** Lists aGameServer() with these fields under a new id, and returns it. */
  broadcast(overrides?: Partial<GameServer>): Promise<string> {
    return broadcastTo(this.registry, aGameServer(overrides));
  }

  broadcastMany(count: number): Promise<readonly string[]> {
    return Promise.all(Array.from({ length: count }, () => this.broadcast()));
  }

  /** Pings as aGameServer() with these fields. */
  ping(id: string, overrides?: Partial<GameServer>): Promise<PingOutcome> {
    return this.registry.ping(id, aGameServer(overrides));
  }

  async pingAll(ids: readonly string[]): Promise<void> {
    const outcomes = await Promise.all(ids.map((id) => this.ping(id)));
    expect(outcomes.filter((outcome) => outcome !== 'refreshed')).to.deep.equal([]);
  }

  remove(id: string, ip = aGameServer().ip, caller?: Caller): Promise<RemoveOutcome> {
    return this.registry.remove(id, ip, caller);
  }

  list(): Promise<Listing> {
    return this.registry.list();
  }

  async listed(): Promise<readonly ListedBody[]> {
    return (await bodyOf(await this.list())).servers;
  }

  async listedIds(): Promise<readonly string[]> {
    return (await this.listed()).map(({ id }) => id);
  }

  /** Time passes, and these ping as they should: the last time at its end. */
  async passWhilePinging(ms: number, ids: readonly string[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += lifetime.pingIntervalMs) {
      await this.clock.advance(lifetime.pingIntervalMs);
      await this.pingAll(ids);
    }
  }
}
