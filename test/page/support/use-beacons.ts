/** Beacons, each as far away as a test says, behind a service that names them to its page. */

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

export interface UsedBeacons {
  /** The address of the service. */
  readonly url: string;
  readonly named: readonly Beacon[];
  /** How many requests the beacons have answered. */
  readonly answered: number;
  /** Whether connections to the beacons break. */
  areAway: boolean;
  /** What the service says in place of its beacons, as JSON; undefined for these. */
  said: string | undefined;
  /** Holds all answers of the beacons until the returned function is called. */
  hold(): () => void;
}

/** A beacon as a test makes it: how far it is from the player, in ms, and from others. */
export type PlacedBeacon = Omit<Beacon, 'url'> & { readonly ms: number };

const ANSWER = {
  'Access-Control-Allow-Origin': '*',
  'Timing-Allow-Origin': '*',
  'Cache-Control': 'no-store',
};

async function open(
  servers: Server[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await listen(server, '127.0.0.1', 0);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Call it in a describe block, behind useService(). */
export function useBeacons(service: { readonly url: string }, placed: readonly PlacedBeacon[]): UsedBeacons {
  const servers: Server[] = [];
  const named: Beacon[] = [];
  let url = '';
  let answered = 0;
  let held: Promise<void> | undefined;

  async function answerFrom(ms: number, response: ServerResponse): Promise<void> {
    if (used.areAway) return void response.destroy();
    await held;
    setTimeout(() => {
      answered += 1;
      response.writeHead(204, ANSWER).end();
    }, ms);
  }

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

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    if (path === '/beacons') {
      outgoing.setHeader('Content-Type', 'application/json');
      outgoing.end(used.said ?? JSON.stringify({ status: 'success', beacons: named }));
      return;
    }
    const asked = { method, headers: { ...headers, 'accept-encoding': 'identity' } };
    const passed = ask(`${service.url}${path}`, asked, (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
      if (isPage) void passPage(answer, outgoing);
      else answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }

  before('the beacons', async () => {
    for (const { ms, ...beacon } of placed) {
      const at = await open(servers, (_, response) => void answerFrom(ms, response));
      named.push({ ...beacon, url: `${at}/` });
    }
    url = await open(servers, pass);
  });
  beforeEach(() => {
    answered = 0;
    used.areAway = false;
    used.said = undefined;
  });
  after('the beacons', () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const used: UsedBeacons = {
    named,
    areAway: false,
    said: undefined,
    get url() {
      return url;
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
  return used;
}
