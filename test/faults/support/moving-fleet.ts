/**
 * Game servers in several registries that move all the time: players and names change, some leave, others come, and
 * some are in two registries with one address. They can rest: they go on to ping, and say the same as before.
 */

import { setMaxListeners } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { between, pick, type Random } from '../../../src/tools/demo/random.ts';
import { ask, type Address, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { until } from '../../support/until.ts';

export interface MovingFleetOptions {
  readonly count: number;
  readonly registries: readonly Address[];
  readonly pingIntervalMs: number;
  readonly random: Random;
}

/** Where a game server is listed. */
interface Home {
  readonly registry: Address;
  /** Undefined while it is not listed there. */
  id: string | undefined;
  /** Whether the registry has acknowledged what the game server says now. */
  isTold: boolean;
}

interface GameServer {
  readonly address: { readonly server_ip: string; readonly server_port: number };
  readonly homes: readonly Home[];
  said: object;
  hasLeft: boolean;
}

const SHARE_IN_TWO = 0.2;
/** One leaves and one comes this often. */
const TURN_MS = 300;
const RETRY_MS = 300;
/** From what a game server says last until it leaves, at least: whoever looks ten times a second has seen it. */
const STILL_MS = 500;
const GIVE_UP_MS = 3000;

export class MovingFleet {
  readonly #options: MovingFleetOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #servers = new Set<GameServer>();
  readonly #working: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  #born = 0;
  #rests = false;

  constructor(options: MovingFleetOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Resolves once all are listed. */
  async start(): Promise<void> {
    await inGroups(numbers(this.#options.count), () => this.#come());
    this.#working.push(this.#turn());
  }

  /** Resolves once each registry has all that its game servers say. */
  async rest(): Promise<void> {
    this.#rests = true;
    await until(() => [...this.#servers].every((server) => !server.hasLeft && isTold(server)));
  }

  move(): void {
    this.#rests = false;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#working);
    this.#agent.destroy();
  }

  async #come(): Promise<void> {
    const { random, registries } = this.#options;
    const n = this.#born;
    this.#born += 1;
    const first = between(0, registries.length - 1, random);
    const both = random() < SHARE_IN_TWO ? [first, (first + 1) % registries.length] : [first];
    const server: GameServer = {
      address: { server_ip: `203.0.${113 + (n >> 8)}.${n & 255}`, server_port: between(7777, 7779, random) },
      homes: both.map((at) => ({ registry: registries[at]!, id: undefined, isTold: false })),
      said: { server_name: `Server ${n}`, players: 0, max_players: 16, tags: ['tag'], meta: { n } },
      hasLeft: false,
    };
    this.#servers.add(server);
    await this.#tell(server);
    this.#working.push(this.#live(server));
  }

  /** One leaves and another one comes, again and again. */
  async #turn(): Promise<void> {
    while (await this.#pause(TURN_MS)) {
      if (this.#rests) continue;
      const settled = [...this.#servers].filter((each) => isTold(each) && !each.hasLeft);
      this.#working.push(this.#leave(pick(settled, this.#options.random)), this.#come());
    }
  }

  async #live(server: GameServer): Promise<void> {
    const { pingIntervalMs, random } = this.#options;
    while (await this.#pause(isTold(server) ? pingIntervalMs * (0.5 + random()) : RETRY_MS)) {
      if (server.hasLeft) return;
      if (!this.#rests && isTold(server)) this.#change(server);
      await this.#tell(server);
    }
  }

  async #leave(server: GameServer): Promise<void> {
    server.hasLeft = true;
    await this.#pause(STILL_MS);
    do await Promise.all(server.homes.map((home) => this.#remove(server, home)));
    while (server.homes.some(({ id }) => id !== undefined) && (await this.#pause(RETRY_MS)));
    this.#servers.delete(server);
  }

  #change(server: GameServer): void {
    const { random } = this.#options;
    const change = pick(
      [
        {},
        { players: between(0, 16, random) },
        { players: between(0, 16, random) },
        { server_name: `Server ${between(0, 1e6, random)}`, map: pick(['a', 'b', 'ä "c"'], random) },
        { meta: { random: random() } },
      ],
      random,
    );
    server.said = { ...server.said, ...change };
    for (const home of server.homes) home.isTold = false;
  }

  async #tell(server: GameServer): Promise<void> {
    await Promise.all(
      server.homes.map(async (home) => {
        const { said } = server;
        const body = { ...aBroadcast({ ...server.address, ...said }), server_id: home.id };
        const answer = await this.#post(home, home.id === undefined ? '/broadcast' : '/ping', body);
        if (answer?.status === 404) home.id = undefined;
        if (answer?.status === 200) home.id = answer.body.server_id ?? home.id;
        home.isTold = answer?.status === 200 && said === server.said;
      }),
    );
  }

  async #remove({ address }: GameServer, home: Home): Promise<void> {
    if (home.id === undefined) return;
    const answer = await this.#post(home, '/remove', { ...address, server_id: home.id });
    if (answer?.status === 200 || answer?.status === 404) home.id = undefined;
  }

  /** Undefined if no answer comes. */
  #post({ registry }: Home, path: string, body: object): Promise<TestAnswer | undefined> {
    const options = { body, agent: this.#agent, giveUpAfterMs: GIVE_UP_MS };
    return ask(registry, `POST ${path}`, options).catch(() => undefined);
  }

  /** Resolves with false once all is over. */
  #pause(ms: number): Promise<boolean> {
    return delay(ms, true, { signal: this.#stopping.signal }).catch(() => false);
  }
}

function isTold({ homes }: GameServer): boolean {
  return homes.every((home) => home.isTold);
}
