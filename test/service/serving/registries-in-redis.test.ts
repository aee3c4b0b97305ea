/** Several registries of one service while Redis is away, and once it has lost what it had. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { silentLogger, startTestService, type Among } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const registries = (racer: string, more = ''): string =>
  `registries: { racer: { ${racer} }, shooter: ${more} }`;
/** Others listen meanwhile. */
const WORKER: Among = { worker: 2, workers: 2, waitsForList: true, gatherMetrics: async () => [] };

async function statusOf(service: Service, request: string): Promise<number> {
  return (await ask(service, request)).status;
}

needs('redis-server').describe('several registries in one Redis', () => {
  const newPath = useDirectory();
  const started: Service[] = [];
  let redis: RedisServer;
  let path: string;

  beforeEach(async () => {
    redis = await startRedisServer();
    path = newPath();
    writeFileSync(path, registries(''));
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
    await redis.stop();
  });

  async function start(among?: Among): Promise<Service> {
    const environment = { GSLS_REDIS: redis.url, GSLS_CONFIG: path };
    const service = await startTestService(environment, silentLogger, DEADLINES, among);
    started.push(service);
    return service;
  }
  const change = async (service: Service, yaml: string): Promise<void> => {
    writeFileSync(path, yaml);
    await service.reload();
  };
  it('keep their lists through a change while Redis is away, which is in effect once Redis is back', async () => {
    const service = await start();
    const { body } = await ask(service, 'POST /racer/broadcast', { body: aBroadcast() });
    await ask(service, 'GET /racer/');
    await redis.crash();
    await change(service, registries('title: Cars'));
    const stale = await ask(service, 'GET /racer/');
    expect([stale.status, stale.body.count]).to.deep.equal([200, 1]);
    // A later change does not wait for this one.
    await change(service, registries('title: Karts', ', arena:'));
    expect(await statusOf(service, 'GET /arena/')).to.equal(503);

    await redis.restart();
    await until(async () => {
      const page = await ask(service, 'GET /racer/browse', { headers: { Accept: 'text/html' } });
      return page.text.includes('<title>Karts');
    });
    await until(async () => (await ask(service, 'GET /racer/')).headers['warning'] === undefined);
    const whole = await ask(service, 'GET /racer/');
    expect(whole.body.servers?.map(({ id }) => id)).to.deep.equal([body.server_id]);
  });

  it('have a list of their own when they are added while the service runs', async () => {
    const service = await start();
    await ask(service, 'POST /racer/broadcast', { body: aBroadcast() });
    await change(service, registries('', ', arena:'));
    expect((await ask(service, 'GET /arena/')).body.count).to.equal(0);
    await ask(service, 'POST /arena/broadcast', { body: aBroadcast() });
    await change(service, registries('title: Cars', ', arena: { title: Arena }'));
    expect((await ask(service, 'GET /arena/')).body.count).to.equal(1);
    const client = new Redis(redis.url);
    expect(await client.exists('{gsls:racer}:state', '{gsls:arena}:state', '{gsls}:state')).to.equal(2);
    client.disconnect();
  });

  it('are closed in the middle of a change that waits for Redis', async () => {
    const service = await start();
    expect(await statusOf(service, 'GET /racer/')).to.equal(200);
    await redis.crash();
    await change(service, registries('title: Cars'));
    await change(service, 'registries: { shooter: }');
    expect(await statusOf(service, 'GET /racer/')).to.equal(404);
  });

  it('are not healthy before one of them has a list', async () => {
    redis.freeze();
    const service = await start();
    expect(await statusOf(service, 'GET /health')).to.equal(503);
    redis.thaw();
    await until(async () => (await statusOf(service, 'GET /health')) === 200);
  });

  it('keep a worker waiting beside others until they have lists, and none that is new', async () => {
    await redis.crash();
    let isListening = false;
    const starting = start(WORKER).finally(() => (isListening = true));
    await new Promise((resolve) => setTimeout(resolve, 1.5 * DEADLINES.startMs));
    expect(isListening).to.equal(false);
    await redis.restart();
    const service = await starting;
    await redis.crash();
    expect([await statusOf(service, 'GET /racer/'), await statusOf(service, 'GET /shooter/')]).to.deep.equal([
      200, 200,
    ]);
    await change(service, registries('', ', arena:'));
    expect(await statusOf(service, 'GET /arena/')).to.equal(503);
  });

  it('tell each other of a loss, so that those that rest give back at once what only they know', async function () {
    // Less than the half minute after which they would look.
    this.timeout(15_000);
    const client = new Redis(redis.url);
    const service = await start();
    const secretOf = async (name: string): Promise<string | null> =>
      client.hget(`{gsls:${name}}:settings`, 'secret');
    await until(async () => (await secretOf('shooter')) !== null);
    const secret = await secretOf('shooter');
    await ask(service, 'GET /racer/');
    await client.flushall();
    await until(async () => (await secretOf('shooter')) !== null);
    expect(await secretOf('shooter')).to.equal(secret);
    client.disconnect();
  });
});
