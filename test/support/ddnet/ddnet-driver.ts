/** The protocol of DDNet and Teeworlds for its contract. */

import { openDdnet } from '../../../src/protocols/ddnet/open-ddnet.ts';
import { ask } from '../ask.ts';
import type { ProtocolDriver, ProtocolService, Said } from '../protocol-contract/protocol-driver.ts';
import { aClient, anInfo, DdnetGameServer } from './ddnet-game-server.ts';

const GARBAGE: readonly (readonly [headers: Readonly<Record<string, string | undefined>>, body: string])[] = [
  [{ Address: undefined }, ''],
  [{ Address: 'tw-0.6+udp://192.0.2.1:8303' }, '{}'],
  [{ Address: 'tw-0.9+udp://connecting-address.invalid:8303' }, '{}'],
  [{ Secret: 's'.repeat(65) }, ''],
  [{ 'Info-Serial': '9'.repeat(30) }, ''],
  [{ 'Challenge-Token': 'guessed' }, '{'],
  [{ Action: 'explode' }, ''],
  [{}, 'x'.repeat(40_000)],
];

export const ddnetDriver: ProtocolDriver = {
  protocol: 'ddnet',
  ttlMs: 30_000,
  openRoom: async (context) => openDdnet(context),
  environment: async () => ({ GSLS_PROTOCOLS: 'ddnet' }),
  async open() {
    const server = await DdnetGameServer.open();
    let last: Said | undefined;
    return {
      port: server.port,
      async announce({ url }, says) {
        if (last !== undefined && JSON.stringify(says) !== JSON.stringify(last)) server.serial += 1;
        last = says;
        const { name, players, maxPlayers } = says;
        const clients = Array.from({ length: players }, () => aClient());
        const info = anInfo({ name, clients, max_clients: maxPlayers, max_players: maxPlayers });
        return (await server.registerWith(url, info)).status === 'success' ? 'taken' : 'refused';
      },
      async signOff({ url }) {
        await server.delete(url);
      },
      close: () => server.close(),
    };
  },
  async nativePorts(service) {
    return (await addressesAt(service)).map((address) => Number(new URL(address).port));
  },
  async sendGarbage({ url }) {
    const server = await DdnetGameServer.open();
    for (const [headers, body] of GARBAGE)
      await server.register(url, { headers: { 'Content-Type': 'application/json', ...headers }, body });
    await server.close();
  },
};

async function addressesAt({ url }: Pick<ProtocolService, 'url'>): Promise<readonly string[]> {
  const { text } = await ask({ url }, 'GET /ddnet/15/servers.json');
  const { servers } = JSON.parse(text) as {
    readonly servers: readonly { readonly addresses: readonly string[] }[];
  };
  return servers.flatMap(({ addresses }) => addresses);
}
