/** Plays game servers and clients of the Quake 3 family for the contract of protocols. */

import { DPMASTER_LIFETIME, openDpmaster } from '../../../src/protocols/dpmaster/open-dpmaster.ts';
import { freePort } from '../free-port.ts';
import type {
  PlayedGameServer,
  ProtocolDriver,
  ProtocolService,
  Said,
} from '../protocol-contract/protocol-driver.ts';
import { until } from '../until.ts';
import { UdpPlayer } from './udp-player.ts';

/** What any client may ask: its answer shows that all packets before it were handled. */
const REQUEST = 'getservers Testing 3 empty full';

const GARBAGE = [
  '',
  '\0',
  'heartbeat',
  'heartbeat \n',
  'heartbeat Unknown-1\n',
  `heartbeat ${'x'.repeat(1300)}\n`,
  'infoResponse\n',
  'infoResponse\n\\challenge\\',
  `infoResponse\n\\challenge\\${'A'.repeat(19)}\\gamename\\Testing\\protocol\\3\\clients\\1\\sv_maxclients\\8`,
  'getservers ',
  'getservers Testing',
  'getserversExt 3',
  'getserversResponse\\EOT\0\0\0',
  'getinfo x',
];

export const dpmasterDriver: ProtocolDriver = {
  protocol: 'dpmaster',
  ttlMs: DPMASTER_LIFETIME.ttlMs,
  // What a challenge is good for is little time already.
  openRoom: (context, clock) => openDpmaster({ ...context, now: Date.now }, clock),

  async environment() {
    return {
      GSLS_DPMASTER_PORT: String(await freePort()),
      GSLS_DPMASTER_HOST: '127.0.0.1',
      GSLS_RATE_LIMIT: 'list=100000/s',
    };
  },

  open: async () => new PlayedServer(await UdpPlayer.open(0)),

  async nativePorts(service) {
    const client = await UdpPlayer.open(portOf(service));
    const addresses = await client.list(REQUEST);
    await client.close();
    return addresses.map((address) => Number(address.split(':').at(-1)));
  },

  async sendGarbage(service) {
    const stranger = await UdpPlayer.open(portOf(service));
    for (const each of GARBAGE) stranger.send(each);
    stranger.sendBytes(Buffer.alloc(0));
    stranger.sendBytes(Buffer.alloc(3000, 0xff));
    await stranger.list(REQUEST);
    await stranger.close();
  },
};

class PlayedServer implements PlayedGameServer {
  readonly port: number;
  #player: UdpPlayer;

  constructor(player: UdpPlayer) {
    this.#player = player;
    this.port = player.port;
  }

  async announce(to: ProtocolService, { name, players, maxPlayers }: Said): Promise<'taken' | 'refused'> {
    const challenge = await this.#ask(to);
    if (challenge === undefined) return 'refused';
    const [taken, refused] = [await countOf(to, 'listed', 'refreshed'), await countOf(to, 'refused')];
    const info = { hostname: name, clients: players, sv_maxclients: maxPlayers };
    this.#player.infoResponse(challenge, info, addressOf(to));
    let isTaken = false;
    await until(async () => {
      isTaken = (await countOf(to, 'listed', 'refreshed')) > taken;
      return isTaken || (await countOf(to, 'refused')) > refused;
    });
    return isTaken ? 'taken' : 'refused';
  }

  async signOff(to: ProtocolService): Promise<void> {
    const left = await countOf(to, 'left');
    for (let i = 0; i < 2; i += 1) this.#player.send('heartbeat DarkPlaces\n', addressOf(to));
    for (let i = 0; i < 2; i += 1) await this.#player.challenge();
    // At once: the port is looked at soon.
    await this.#player.close();
    await until(async () => (await countOf(to, 'left')) > left);
    this.#player = await UdpPlayer.open(0, undefined, undefined, this.port);
  }

  close(): Promise<void> {
    return this.#player.close();
  }

  /** The challenge that a heartbeat is answered with; undefined if there is none. */
  async #ask(to: ProtocolService): Promise<string | undefined> {
    this.#player.send('heartbeat DarkPlaces\n', addressOf(to));
    this.#player.send('getservers Nothing 0', addressOf(to));
    const challenge = await this.#player.challenge();
    if (challenge !== undefined) await this.#player.next();
    return challenge;
  }
}

function portOf({ environment }: ProtocolService): number {
  return Number(environment['GSLS_DPMASTER_PORT']);
}

function addressOf(service: ProtocolService): UdpPlayer['address'] {
  return { address: '127.0.0.1', port: portOf(service) };
}

/** How often these came of what was sent. */
async function countOf({ url }: ProtocolService, ...outcomes: readonly string[]): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const lines = metrics.matchAll(/^gsls_protocol_total\{protocol="dpmaster",outcome="(\w+)"\} (\d+)$/gm);
  return [...lines].reduce(
    (sum, [, outcome, count]) => sum + (outcomes.includes(outcome!) ? Number(count) : 0),
    0,
  );
}
