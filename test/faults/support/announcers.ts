/**
 * Game servers that other protocols list, as simple as they can be: each announces itself at any replica, and gives up
 * what gets no answer. Tells what replicas show of them, and judges nothing.
 */

import { ask, type Address } from '../../support/ask.ts';
import type { ListedBody } from '../../support/builders.ts';
import { anInfo, DdnetGameServer } from '../../support/ddnet/ddnet-game-server.ts';
import { UdpPlayer } from '../../support/dpmaster/udp-player.ts';
import { aStart, anUpdate } from '../../protocols/luanti/builders.ts';
import { announce, luantiRows } from '../../protocols/luanti/luanti-driver.ts';
import { startUdpServer } from '../../protocols/luanti/played-server.ts';

export interface Announcer {
  readonly name: string;
  /** Of UDP: no two have the same. */
  readonly port: number;
  /** May come to nothing: what a game server sends next repairs that. */
  announce(at: Address): Promise<void>;
  /** Whether the replica has said that it is not listed any more. */
  signOff(at: Address): Promise<boolean>;
  close(): Promise<void>;
}

export async function openDdnet(name: string): Promise<Announcer> {
  const server = await DdnetGameServer.open();
  const info = anInfo({ name });
  return {
    name,
    port: server.port,
    announce: (at) => tried(server.registerWith(urlOf(at), info)),
    async signOff(at) {
      const { status, message } = await server.delete(urlOf(at));
      return status === 'success' || message === 'could not find registered server';
    },
    close: () => server.close(),
  };
}

export async function openLuanti(name: string): Promise<Announcer> {
  const udp = await startUdpServer();
  const { port } = udp;
  let uptime = 0;
  return {
    name,
    port,
    announce(at) {
      uptime += 1;
      const said = uptime === 1 ? aStart({ name, port }) : anUpdate({ name, port, uptime });
      return tried(announce({ url: urlOf(at) }, said));
    },
    signOff: async (at) => (await announce({ url: urlOf(at) }, { action: 'delete', port })).status === 200,
    close: () => udp.close(),
  };
}

/** With an address of its own: what one address may send is limited. */
export async function openDpmaster(name: string, dpmasterPort: number, from: string): Promise<Announcer> {
  const player = await UdpPlayer.open(dpmasterPort, '127.0.0.1', from);
  let asked = { address: '127.0.0.1', port: dpmasterPort };
  void (async () => {
    for (;;) {
      const challenge = await player.challenge();
      if (challenge !== undefined) player.infoResponse(challenge, { hostname: name }, asked);
    }
  })();
  return {
    name,
    port: player.port,
    async announce({ host }) {
      asked = { address: host, port: dpmasterPort };
      player.send('heartbeat DarkPlaces\n', asked);
    },
    signOff: () => Promise.reject(new Error('it has no answer that says so')),
    close: () => player.close(),
  };
}

/** The list of the API. Undefined if it does not answer, or with a list that may not be current. */
export async function listedAt(replica: Address): Promise<readonly ListedBody[] | undefined> {
  const answer = await ask(replica, 'GET /servers?limit=1000').catch(() => undefined);
  return answer?.status === 200 && answer.headers['warning'] === undefined ? answer.body.servers : undefined;
}

/** The ports in the native lists of DDNet and of Luanti, sorted. */
export async function nativePortsAt(replica: Address): Promise<readonly number[]> {
  const url = urlOf(replica);
  const { text } = await ask(replica, 'GET /ddnet/15/servers.json');
  const { servers } = JSON.parse(text) as { readonly servers: readonly { readonly addresses: string[] }[] };
  const ofDdnet = servers.flatMap(({ addresses }) => addresses.map((each) => Number(new URL(each).port)));
  return [...ofDdnet, ...(await luantiRows({ url })).map(({ port }) => port)].toSorted((a, b) => a - b);
}

function urlOf({ host, port }: Address): string {
  return `http://${host}:${port}`;
}

async function tried(attempt: Promise<unknown>): Promise<void> {
  await attempt.catch(() => undefined);
}
