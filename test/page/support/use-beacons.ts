/** Beacons, each as far away as a test says, and what stands before a service and names them to its page. */

import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Beacon } from '../../../src/model/near.ts';
import { listen } from '../../support/listen.ts';

/** A beacon as a test makes it: how far it is from the player, in ms, and from others. */
export type PlacedBeacon = Omit<Beacon, 'url'> & { readonly ms: number };

export interface UsedBeacons {
  /** The beacons as a service names them, once they have started. */
  readonly named: readonly Beacon[];
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

/** Returns a function that starts a server for the tests of the block, and resolves with its URL. */
function useServers(): (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) => Promise<string> {
  const servers: Server[] = [];
  after('the servers', () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async (answer) => {
    const server = createServer(answer);
    servers.push(server);
    await listen(server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
}

/** Call it in a describe block, before a service that names them. */
export function useBeacons(placed: readonly PlacedBeacon[]): UsedBeacons {
  const start = useServers();
  const named: Beacon[] = [];
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
    named,
    areAway: false,
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
    for (const { ms, ...beacon } of placed) {
      const url = await start((_, response) => void answerAfter(ms, response));
      named.push({ ...beacon, url: `${url}/` });
    }
  });
  beforeEach(() => {
    answered = 0;
    used.areAway = false;
  });
  return used;
}

export interface UsedFront {
  readonly url: string;
  /** What the service says in place of its beacons in this test, as JSON; undefined for these. */
  said: string | undefined;
}

/** Call it in a describe block. Passes everything on to the service, and names the beacons in its place. */
export function useFront(service: { readonly url: string }, { named }: UsedBeacons): UsedFront {
  const start = useServers();
  let url = '';

  /** Tells the page that there are beacons, and lets it ask them. */
  async function passPage(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const html = Buffer.concat((await answer.toArray()) as Buffer[]).toString();
    const { 'content-length': _, 'content-security-policy': policy, ...headers } = answer.headers;
    const origins = named.map((beacon) => new URL(beacon.url).origin).join(' ');
    outgoing.writeHead(answer.statusCode!, {
      ...headers,
      'content-security-policy': String(policy).replace(
        "connect-src 'self'",
        `connect-src 'self' ${origins}`,
      ),
    });
    outgoing.end(html.replace('&quot;hasBeacons&quot;:false', '&quot;hasBeacons&quot;:true'));
  }

  function pass({ method, url: path, headers }: IncomingMessage, outgoing: ServerResponse): void {
    const asked = { method, headers: { ...headers, 'accept-encoding': 'identity' } };
    const passed = ask(`${service.url}${path}`, asked, (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
      if (isPage) void passPage(answer, outgoing);
      else answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end();
  }

  const used: UsedFront = {
    said: undefined,
    get url() {
      return url;
    },
  };
  before('the front', async () => {
    url = await start((request, response) => {
      if (request.url !== '/beacons') return pass(request, response);
      response.setHeader('Content-Type', 'application/json');
      response.end(used.said ?? JSON.stringify({ status: 'success', beacons: named }));
    });
  });
  beforeEach(() => {
    used.said = undefined;
  });
  return used;
}
