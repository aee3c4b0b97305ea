/** How the contract of protocols plays Luanti servers (protocol-driver.ts). */

import { setTimeout as delay } from 'node:timers/promises';
import { openLuanti } from '../../../src/protocols/luanti/open-luanti.ts';
import { ask } from '../../support/ask.ts';
import { valueOf } from '../../support/metrics.ts';
import type {
  PlayedGameServer,
  ProtocolDriver,
  ProtocolService,
  Said,
} from '../../support/protocol-contract/protocol-driver.ts';
import { anUpdate } from './builders.ts';
import { startUdpServer } from './played-server.ts';

export interface LuantiAnswer {
  readonly status: number;
  readonly text: string;
}

/** A running service. */
type At = Pick<ProtocolService, 'url'>;

/** As Luanti sends it. */
export async function announce({ url }: At, said: object): Promise<LuantiAnswer> {
  const body = new FormData();
  body.set('json', JSON.stringify(said));
  const response = await fetch(`${url}/luanti/announce`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

export type LuantiRow = Readonly<Record<string, unknown>> & { readonly port: number };

export async function luantiRows({ url }: At): Promise<readonly LuantiRow[]> {
  const response = await fetch(`${url}/luanti/list`);
  return ((await response.json()) as { readonly list: readonly LuantiRow[] }).list;
}

/** How many announcements were taken so far, and how many refused: the answer to one comes before it is checked. */
export async function counted(service: At): Promise<{ readonly taken: number; readonly refused: number }> {
  const { text } = await ask(service, 'GET /metrics');
  const count = (outcome: string): number =>
    valueOf(text, 'gsls_protocol_total', { protocol: 'luanti', outcome }) || 0;
  return { taken: count('listed') + count('refreshed'), refused: count('refused') };
}

/** Resolves once the game server was checked, or refused before. */
export async function announceAndWait(
  service: At,
  said: object,
): Promise<LuantiAnswer & { readonly outcome: 'taken' | 'refused' }> {
  const before = await counted(service);
  const answer = await announce(service, said);
  if (answer.status >= 500) throw new Error(answer.text);
  for (;;) {
    const { taken, refused } = await counted(service);
    if (taken > before.taken) return { ...answer, outcome: 'taken' };
    if (refused > before.refused) return { ...answer, outcome: 'refused' };
    await delay(10);
  }
}

async function open(): Promise<PlayedGameServer> {
  const udp = await startUdpServer();
  const { port } = udp;
  let uptime = 0;

  async function heartbeat(
    to: ProtocolService,
    { name, players, maxPlayers }: Said,
  ): Promise<'taken' | 'refused'> {
    uptime += 1;
    const said = { name, port, clients: players, clients_list: undefined, clients_max: maxPlayers, uptime };
    return (await announceAndWait(to, anUpdate(said))).outcome;
  }

  async function signOff(to: ProtocolService): Promise<void> {
    await announce(to, { action: 'delete', port });
  }

  return { port, announce: heartbeat, signOff, close: () => udp.close() };
}

async function sendGarbage(to: ProtocolService): Promise<void> {
  for (const said of [
    {},
    [],
    anUpdate({ port: 0 }),
    anUpdate({ clients: -1 }),
    { action: 'delete', port: 9 },
  ])
    await announce(to, said);
  for (const body of ['', 'json', 'json=%', '--x\r\n', '\0'.repeat(40_000)])
    for (const type of ['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'text/plain'])
      await ask(to, 'POST /luanti/announce', { body, headers: { 'Content-Type': type } });
}

export const luantiDriver: ProtocolDriver = {
  protocol: 'luanti',
  ttlMs: 330_000,
  openRoom: (context) => openLuanti(context),
  environment: async () => ({ GSLS_PROTOCOLS: 'luanti' }),
  open,
  nativePorts: async (service) => (await luantiRows(service)).map(({ port }) => port),
  sendGarbage,
};
