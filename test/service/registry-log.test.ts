/** What the log says of entries that are listed and that leave. */

import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { needs } from '../support/needs.ts';
import { useRedis } from '../support/redis-server.ts';
import { aBroadcast } from '../support/builders.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';

interface Line {
  readonly id: string;
  readonly why: string;
  readonly message: string;
}

/** The lines that say why, after entries have come and gone in a service. */
async function linesAfter(environment: Readonly<Record<string, string>> = {}): Promise<readonly object[]> {
  const lines: object[] = [];
  const debug = (fields: object, message: string): void => {
    if ('why' in fields) lines.push({ ...fields, message });
  };
  const logger = { ...silentLogger, debug };
  const service = await startTestService({ GSLS_ADMIN_KEY: 'admin', ...environment }, logger);
  try {
    const { body, headers } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const id = body.server_id!;
    const token = { 'Server-Token': headers['server-token'] as string };
    await ask(service, 'POST /ping', { body: { ...aBroadcast(), server_id: id, players: 9 } });
    await ask(service, 'POST /broadcast', { body: aBroadcast(), headers: token });
    await ask(service, 'POST /remove', { body: { ...aBroadcast(), server_id: id }, headers: token });
    const second = await ask(service, 'POST /broadcast', { body: aBroadcast({ server_port: 2 }) });
    const path = `/admin/servers/${second.body.server_id}`;
    await ask(service, `DELETE ${path}`, { headers: { Authorization: 'Bearer admin' } });
    return lines;
  } finally {
    await service.close();
  }
}

async function ipsIn(environment: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const lines = (await linesAfter(environment)) as readonly { readonly ip?: string }[];
  return [...new Set(lines.map(({ ip }) => ip))];
}

describe('the log at debug', () => {
  it('has a line for each entry that is listed or has left, with its address and why', async () => {
    const lines = await linesAfter();
    const [first, last] = [lines[0] as Line, lines.at(-1) as Line];
    const [listed, left] = ['a game server is listed', 'a game server has left'];
    const ip = '203.0.113.7';
    expect(lines).to.deep.equal([
      { id: first.id, ip, port: 7777, why: 'new', message: listed },
      { id: first.id, ip, port: 7777, why: 'again', message: listed },
      { id: first.id, ip, port: 7777, why: 'removed', message: left },
      { id: last.id, ip, port: 2, why: 'new', message: listed },
      { id: last.id, ip, port: 2, why: 'evicted', message: left },
    ]);
  });

  it('has no more of an address than --log-addresses allows', async () => {
    expect(await ipsIn({ GSLS_LOG_ADDRESSES: 'masked' })).to.deep.equal(['203.0.113.0/24']);
    expect(await ipsIn({ GSLS_LOG_ADDRESSES: 'none' })).to.deep.equal([undefined]);
  });
});

needs('redis-server').describe('the log of a replica whose Redis was emptied', () => {
  const redis = useRedis();

  for (const [what, environment, expected] of [
    ['says that nothing is lost', {}, 'Redis is empty: the list goes on from memory and is written back'],
    [
      'says without write-back that the list is loaded anew',
      { GSLS_NO_WRITE_BACK: 'true' },
      'Redis has lost the registry, or holds another one: loading the list anew',
    ],
  ] as const)
    it(`${what}, before all else`, async () => {
      await redis.client.flushall();
      const warnings: string[] = [];
      const warn = (_: object, message: string): void => void warnings.push(message);
      const service = await startTestService(
        { GSLS_REDIS: redis.url, ...environment },
        { ...silentLogger, warn },
      );
      try {
        await ask(service, 'POST /broadcast', { body: aBroadcast() });
        await ask(service, 'GET /');
        warnings.length = 0;
        await redis.client.flushall();
        await ask(service, 'GET /');
        expect(warnings[0]).to.equal(expected);
      } finally {
        await service.close();
      }
    });
});
