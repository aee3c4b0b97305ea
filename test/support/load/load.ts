/**
 * The clients: a fleet of game servers that ping for ever, visitors that come and go, and readers that ask for the list
 * through HAProxy and from each replica. Every list is checked as it comes.
 */

import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TAKEN_OVER, type Checker } from './checker.ts';
import { GameServer, type GameServerSetup } from './game-server.ts';
import { now, type Operation, type Recorder } from './recorder.ts';
import { ask, type Address } from '../ask.ts';

/** Where the load goes. A Setup is one. */
export interface Site {
  /** Where clients go. */
  readonly front: Address;
  /** The replicas that can be expected to answer. */
  readonly serving: readonly Address[];
  readonly ttlMs: number;
  /** Headers of every request, such as the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the registry is, such as /racer; without it, at the root. */
  readonly path?: string;
}

export interface LoadOptions {
  /** How many game servers ping for ever. */
  readonly fleet: number;
  readonly broadcastsPerSecond: number;
  readonly listsPerSecond: number;
  /** Requests of a reader that wants to change entries of others, with what the list shows. */
  readonly attacksPerSecond: number;
  /** How often a game server of the fleet starts anew. */
  readonly restartsPerSecond: number;
  /** After this a client hangs up. More than the 2 s within which there has to be an answer. */
  readonly giveUpAfterMs: number;
  /** From one ping of a game server to the next; 0 for pings without a pause. A third of the TTL unless given. */
  readonly pingIntervalMs?: number;
  /** The share of visitors that remove themselves. The others fall silent. */
  readonly shareOfRemovals: number;
  /** The share of pings that bring another number of players. */
  readonly shareOfChanges: number;
}

export const FULL_LOAD: LoadOptions = {
  fleet: 300,
  broadcastsPerSecond: 20,
  listsPerSecond: 50,
  attacksPerSecond: 10,
  restartsPerSecond: 1,
  giveUpAfterMs: 3000,
  shareOfRemovals: 0.5,
  shareOfChanges: 0.1,
};

/** A visitor pings this often, about, and then goes. */
const PINGS_OF_A_VISITOR = 3;
/** A visitor that is not listed by then gives up. */
const PATIENCE_OF_A_VISITOR_MS = 3000;

/** Loads of one process never share a name. */
let names = 0;

export class Load {
  readonly #site: Site;
  readonly #options: LoadOptions;
  readonly #recorder: Recorder;
  readonly #checker: Checker;
  readonly #setup: GameServerSetup;
  readonly #readers = new Agent({ keepAlive: true });
  readonly #fleet = new Set<GameServer>();
  readonly #busy = new Set<Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  #lists = 0;

  constructor(site: Site, recorder: Recorder, checker: Checker, options: LoadOptions) {
    this.#site = site;
    this.#options = options;
    this.#recorder = recorder;
    this.#checker = checker;
    this.#setup = {
      front: site.front,
      headers: site.headers ?? {},
      path: site.path ?? '',
      recorder,
      checker,
      pingIntervalMs: options.pingIntervalMs ?? site.ttlMs / 3,
      giveUpAfterMs: options.giveUpAfterMs,
      shareOfChanges: options.shareOfChanges,
      hushed: false,
      ended: false,
    };
  }

  /** Resolves once the whole fleet is listed. */
  async start(): Promise<void> {
    const { fleet, broadcastsPerSecond, listsPerSecond, attacksPerSecond, restartsPerSecond } = this.#options;
    await this.add(fleet);
    this.#each(broadcastsPerSecond, async () => this.#visit());
    this.#each(listsPerSecond, async () => this.#read());
    this.#each(attacksPerSecond, async () => this.#attack());
    this.#each(restartsPerSecond, async () => this.#restart());
  }

  /** Resolves once so many more are listed, spread over a ping interval so that they do not ping together. */
  async add(count: number): Promise<void> {
    const { pingIntervalMs } = this.#setup;
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await delay((pingIntervalMs * index) / count);
        await this.#addOne();
      }),
    );
  }

  /** Removes so many of the fleet. */
  async remove(count: number): Promise<void> {
    await Promise.all([...this.#fleet].slice(0, count).map(async (server) => this.#dismiss(server)));
  }

  /** So many of the fleet stop without a removal, all at once. */
  silence(count: number): void {
    for (const server of [...this.#fleet].slice(0, count)) {
      server.fallSilent();
      this.#fleet.delete(server);
    }
  }

  /** The pings of so many of the fleet get nowhere, until the returned function is called. */
  cutOff(count: number): () => void {
    const servers = [...this.#fleet].slice(0, count);
    for (const server of servers) server.cutOff = true;
    return () => {
      for (const server of servers) server.cutOff = false;
    };
  }

  /** While `work` runs, no client changes what the list shows. */
  async hush<T>(work: () => Promise<T>): Promise<T> {
    this.#setup.hushed = true;
    try {
      return await work();
    } finally {
      this.#setup.hushed = false;
    }
  }

  /** Asks for a list, and checks it. */
  async list(
    from: Address,
    target: string,
  ): Promise<{ readonly operation: Operation; readonly complete: boolean }> {
    const { headers = {}, path = '' } = this.#site;
    const options = { agent: this.#readers, headers, giveUpAfterMs: this.#options.giveUpAfterMs };
    const operation = await this.#recorder.operation('list', target, () =>
      ask(from, `GET ${path}/`, options),
    );
    return { operation, complete: this.#checker.check(operation) };
  }

  async stop(): Promise<void> {
    this.#setup.ended = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#busy);
    for (const server of this.#fleet) server.hangUp();
    this.#readers.destroy();
  }

  async #addOne(): Promise<void> {
    names += 1;
    const server = new GameServer(this.#setup, `fleet ${names}`);
    await server.broadcast();
    this.#fleet.add(server);
    this.#keep(this.#keepPinging(server));
  }

  /** One that is lost comes back as a new one, so that the next fault finds a whole fleet. */
  async #keepPinging(server: GameServer): Promise<void> {
    while (!this.#setup.ended && server.history.keepsPinging) {
      if (await server.ping()) continue;
      this.#fleet.delete(server);
      server.hangUp();
      if (!this.#setup.ended) await this.#addOne();
    }
  }

  async #dismiss(server: GameServer): Promise<void> {
    this.#fleet.delete(server);
    await server.remove();
    server.hangUp();
  }

  /** Comes, pings for a while, and goes. */
  async #visit(): Promise<void> {
    if (this.#setup.hushed) return;
    names += 1;
    const server = new GameServer(this.#setup, `visitor ${names}`);
    if (await server.broadcast(now() + PATIENCE_OF_A_VISITOR_MS)) {
      const pings = PINGS_OF_A_VISITOR - 1 + Math.floor(3 * Math.random());
      for (let i = 0; i < pings && server.history.keepsPinging; i += 1) await server.ping();
      if (server.history.keepsPinging && Math.random() < this.#options.shareOfRemovals) await server.remove();
      server.fallSilent();
    }
    server.hangUp();
  }

  async #restart(): Promise<void> {
    if (!this.#setup.hushed) anyOf([...this.#fleet])?.restart();
  }

  /** What a reader of the list can try. A wrong token is refused for any entry, no token for a claimed one. */
  async #attack(): Promise<void> {
    const [victim, other] = [anyOf([...this.#recorder.listed]), anyOf([...this.#recorder.listed])];
    if (victim?.id === undefined || victim.removeSentAt !== Infinity || victim.claimedSince > now()) return;
    const { front, headers = {}, path = '' } = this.#site;
    const kind = anyOf(['ping', 'remove', 'broadcast'] as const)!;
    const isForged = kind === 'broadcast' || Math.random() < 0.5;
    const token = `${isForged ? victim.id : other?.id}.${'A'.repeat(43)}`;
    const withToken = kind === 'broadcast' || Math.random() < 0.5;
    const body = {
      server_id: victim.id,
      server_host: 'game.example.com',
      server_name: TAKEN_OVER + victim.name,
      server_port: 7777,
      server_ip: '203.0.113.7',
      players: 999,
      max_players: 1000,
    };
    // An entry that is gone is no obstacle to a broadcast.
    if (kind === 'broadcast' && !victim.keepsPinging) return;
    const sentAt = now();
    const answer = await ask(front, `POST ${path}/${kind}`, {
      agent: this.#readers,
      body,
      headers: { ...headers, ...(withToken && { 'Server-Token': token }) },
      giveUpAfterMs: this.#options.giveUpAfterMs,
    }).catch(() => undefined);
    const how = `${kind} ${withToken ? 'with a wrong' : 'without a'} token`;
    if (answer !== undefined) this.#checker.checkAttack(victim, how, answer.status, sentAt);
  }

  /** One half of the lists goes through HAProxy, the other to each replica in turn. */
  async #read(): Promise<void> {
    this.#lists += 1;
    const { front, serving } = this.#site;
    const replica = this.#lists % 2 === 0 ? serving[(this.#lists / 2) % serving.length] : undefined;
    if (replica === undefined) {
      await this.list(front, 'haproxy');
      return;
    }
    const { operation } = await this.list(replica, replica.host);
    if (operation.outcome !== '200' && this.#site.serving.includes(replica))
      this.#checker.complain(
        'a replica gave no list when asked directly',
        `${replica.host}: ${operation.outcome}`,
      );
  }

  #each(perSecond: number, work: () => Promise<void>): void {
    if (perSecond > 0) this.#timers.push(setInterval(() => this.#keep(work()), 1000 / perSecond));
  }

  #keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#busy.delete(kept));
    this.#busy.add(kept);
  }
}

function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}
