/** A registry as moderators need it, in memory, with entries that a test puts there; and a service before it. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../src/service/config/config.ts';
import type { ListedGameServer } from '../../src/model/game-server.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { createBanMatcher, type RuleSubject } from '../../src/registry/decisions/rule-matcher.ts';
import { NO_DECISIONS, type Ban, type Decisions } from '../../src/registry/decisions/decisions.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { createListener } from './create-listener.ts';
import { anEntry } from './builders.ts';
import { silentLogger } from './start-test-service.ts';

export const ADMIN_KEY = 'boss';

export class FakeModeratedRegistry implements Pick<Backend, 'moderation' | 'entries' | 'evict'> {
  readonly listed = new Map<string, ListedGameServer>();
  /** The error of every call, if it is set. */
  failure: Error | undefined;
  readonly moderation = {
    decided: NO_DECISIONS,
    decide: async (change: (decided: Decisions) => Decisions): Promise<Decisions> => {
      this.#fail();
      // As after another replica was quicker.
      change(this.moderation.decided);
      this.moderation.decided = change(this.moderation.decided);
      return this.moderation.decided;
    },
    findBan: (subject: RuleSubject): Ban | undefined =>
      createBanMatcher(this.moderation.decided.bans).find(subject),
    mayBeTold: (): boolean => true,
  };

  /** Lists an entry. Registered at 2026-11-22T00:00:00Z, and a second later each. */
  add(overrides: Partial<ListedGameServer> = {}): ListedGameServer {
    const place = this.listed.size;
    const entry = anEntry({
      id: `id-${place}`,
      registeredVersion: Date.UTC(2026, 10, 22, 0, 0, place) * 1000,
      client: '198.51.100.9',
      ...overrides,
    });
    this.listed.set(entry.id, entry);
    return entry;
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    this.#fail();
    return this.listed.values();
  }

  async evict(id: string): Promise<'removed' | 'unknown'> {
    this.#fail();
    return this.listed.delete(id) ? 'removed' : 'unknown';
  }

  #fail(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

export interface ModeratedService {
  readonly url: string;
  readonly registry: FakeModeratedRegistry;
  readonly reports: Backend['reports'];
}

/**
 * For a describe block: a service with the admin key and these variables, and for each test a registry without
 * moderation. Broadcasts and lists go to another registry, of which some methods can be given.
 */
export function useModeratedService(
  environment: Readonly<Record<string, string>> = {},
  methods: Partial<Backend> = {},
): ModeratedService {
  const registry = new FakeModeratedRegistry();
  const lifetime = createLifetime(60_000);
  const listed = new MemoryRegistry({ lifetime, uniqueAddress: false });
  let server: Server;
  before(async () => {
    const config = createConfig({
      flags: {},
      environment: { GSLS_ADMIN_KEY: ADMIN_KEY, ...environment },
      readFile: () => '',
    });
    const all: Backend = {
      broadcast: listed.broadcast.bind(listed),
      ping: listed.ping.bind(listed),
      remove: listed.remove.bind(listed),
      park: listed.park.bind(listed),
      list: listed.list.bind(listed),
      hasList: true,
      glance: listed.glance,
      history: listed.history,
      lease: listed.lease,
      secret: listed.secret,
      reachability: listed.reachability,
      reports: listed.reports,
      nativeEntries: listed.nativeEntries,
      fates: listed.fates,
      moderation: registry.moderation,
      close: listed.close.bind(listed),
      rebroadcast: listed.rebroadcast.bind(listed),
      known: (by) => (typeof by === 'string' ? registry.listed.get(by) : listed.known(by)),
      entries: registry.entries.bind(registry),
      evict: registry.evict.bind(registry),
      ...methods,
    };
    server = createServer(createListener({ config, registry: all, lifetime, logger: silentLogger }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    registry.moderation.decided = NO_DECISIONS;
    registry.listed.clear();
    registry.failure = undefined;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await listed.close();
  });
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    registry,
    reports: listed.reports,
  };
}
