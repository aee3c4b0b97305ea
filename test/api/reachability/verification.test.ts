/** Verification from end to end: a game server is listed once it has answered, and is told why it is not. */

import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

describe('a service with --verify tcp', () => {
  let service: Service;
  let gameServer: Server;
  before(async () => {
    gameServer = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => gameServer.listen(0, '127.0.0.1', resolve));
  });
  after(() => gameServer.close());
  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await startTestService({
      GSLS_VERIFY: 'tcp',
      GSLS_VERIFY_NETWORKS: 'loopback',
      ...environment,
    });
  };
  afterEach(() => service.close());

  const broadcast = (port: number, ip = '127.0.0.1'): Promise<TestAnswer> =>
    ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: ip, server_port: port }) });
  const pingWords = async (id: string, port: number, ip = '127.0.0.1'): Promise<unknown> => {
    const body = aBroadcast({ server_id: id, server_ip: ip, server_port: port });
    return (await ask(service, 'POST /ping', { body })).headers['server-verification'];
  };
  const listedCount = async (): Promise<number> => (await ask(service, 'GET /')).body.count!;

  /** What moderators are told of the entries, by their ports. */
  const told = async (): Promise<Record<number, unknown>> => {
    const { text } = await ask(service, 'GET /admin/servers', { headers: { Authorization: 'boss' } });
    const { servers } = JSON.parse(text) as { servers: { port: number; not_reached?: string }[] };
    return Object.fromEntries(servers.map((each) => [each.port, each.not_reached]));
  };

  it('lists a game server once it has answered, and says so in the answer to its ping', async () => {
    await start();
    const { port } = gameServer.address() as AddressInfo;
    const { headers, body } = await broadcast(port);
    expect(headers['server-verification']).to.equal('not verified yet: the first attempt is under way');
    await until(async () => (await listedCount()) === 1);
    expect(await pingWords(body.server_id!, port)).to.equal('verified');
    expect((await ask(service, 'GET /metrics')).text).to.match(/gsls_probes_total\{outcome="answered"\} 1/);
  });

  it('does not list one that does not answer, and says what was tried', async () => {
    await start();
    const port = await freePort();
    const { body } = await broadcast(port);
    await until(async () => String(await pingWords(body.server_id!, port)).includes('refused'));
    expect(await listedCount()).to.equal(0);
  });

  it('lists all of them with --unverified show', async () => {
    await start({ GSLS_UNVERIFIED: 'show' });
    await broadcast(await freePort());
    expect(await listedCount()).to.equal(1);
  });

  it('tries no address but that of the client, and says why', async () => {
    await start();
    const { headers } = await broadcast(7777, '203.0.113.7');
    expect(headers['server-verification']).to.match(/^203\.0\.113\.7 is not tried: /);
    expect(await listedCount()).to.equal(0);
  });

  it('tells moderators of each entry why it does not count as reached', async () => {
    await start({ GSLS_ADMIN_KEY: 'boss', GSLS_LOG_ADDRESSES: 'masked' });
    const { port } = gameServer.address() as AddressInfo;
    const closed = await freePort();
    for (const each of [22, port, closed]) await broadcast(each);
    await broadcast(7777, '203.0.113.7');
    await until(async () => {
      const { [port]: reached, [closed]: refused } = await told();
      return reached === undefined && String(refused).includes('refused');
    });
    expect(await told()).to.deep.equal({
      22: 'port 22 is not tried: of the ports below 1024 only 80 and 443 are',
      [port]: undefined,
      [closed]: `TCP 127.0.0.0/24:${closed} refused the connection: is the game server listening?`,
      7777: '203.0.113.0/24 is not tried: it is not a public address',
    });
  });
});
