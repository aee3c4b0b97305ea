/** Beacons, each as far away from a browser as a test says. */

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Beacon } from '../../../src/model/near.ts';
import { listen } from '../../support/listen.ts';

/** How far a beacon is from the player, in ms, and from other beacons. */
export type PlacedBeacon = Pick<Beacon, 'place' | 'latency'> & { readonly ms: number };

export interface UsedBeacons {
  /** The beacons as the option `beacons` has them, once they have started. */
  readonly option: string;
  /** The URL of each by its id. */
  readonly urls: ReadonlyMap<string, string>;
  /** How many requests they have answered in this test. */
  readonly answered: number;
  /** Whether connections to them break. */
  areAway: boolean;
  /** Holds all their answers until the returned function is called. */
  hold(): () => void;
}

const ANSWER = {
  'Access-Control-Allow-Origin': '*',
  'Timing-Allow-Origin': '*',
  'Cache-Control': 'no-store',
};

/** Call it in a describe block, before the service that names them. */
export function useBeacons(placed: Readonly<Record<string, PlacedBeacon>>): UsedBeacons {
  const servers: Server[] = [];
  const urls = new Map<string, string>();
  let answered = 0;
  let held: Promise<void> | undefined;

  async function answerAfter(ms: number, response: ServerResponse): Promise<void> {
    if (used.areAway) return void response.destroy();
    await held;
    setTimeout(() => {
      answered += 1;
      response.writeHead(204, ANSWER).end();
    }, ms);
  }

  const used: UsedBeacons = {
    urls,
    areAway: false,
    get option() {
      const named = Object.entries(placed).map(([id, { place, latency }]) => [
        id,
        { url: urls.get(id), place, latency },
      ]);
      return JSON.stringify(Object.fromEntries(named));
    },
    get answered() {
      return answered;
    },
    hold() {
      let release!: () => void;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
  before('the beacons', async () => {
    for (const [id, { ms }] of Object.entries(placed)) {
      const server = createServer((_, response) => void answerAfter(ms, response));
      servers.push(server);
      await listen(server, '127.0.0.1', 0);
      urls.set(id, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    }
  });
  beforeEach(() => {
    answered = 0;
    used.areAway = false;
  });
  after('the beacons', () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return used;
}
