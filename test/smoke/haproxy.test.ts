/** The little of deploy/haproxy.cfg that every run shows; the rest is in test/stack/service. */

import { expect } from 'chai';
import { ask, askCurrent, expectError } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startHaproxy, startReplica } from '../support/processes.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';

needs('Linux', 'haproxy', 'redis-server').describe('haproxy.cfg', () => {
  const closers: (() => Promise<unknown>)[] = [endProcesses];
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it('passes requests on, and hides the death of a replica from all clients', async () => {
    const redis = await startRedisServer();
    closers.push(() => redis.stop());
    const [port, doomedPort, front] = [await freePort(), await freePort(), await freePort()];
    const environment = { GSLS_HOST: '127.0.0.1', GSLS_REDIS: redis.url, GSLS_TRUST_PROXY: 'loopback' };
    const [lasting, doomed] = await Promise.all([
      startTestService({ ...environment, GSLS_PORT: String(port) }),
      startReplica({ ...environment, GSLS_PORT: String(doomedPort), GSLS_LOG_LEVEL: 'debug' }),
    ]);
    closers.push(() => lasting.close());
    const haproxy = startHaproxy({
      LISTEN: `127.0.0.1:${front}`,
      REPLICA_1: `127.0.0.1:${port}`,
      REPLICA_2: `127.0.0.1:${doomedPort}`,
    });
    const target = { host: '127.0.0.1', port: front };
    await until(
      () =>
        ask(target, 'GET /health').then(
          ({ status }) => status === 200,
          () => false,
        ),
      haproxy,
    );

    const { status, body } = await ask(target, 'POST /broadcast', { body: aBroadcast() });
    expect(status).to.equal(200);
    const ping = aBroadcast({ server_id: body.server_id, players: 9 });
    expect((await ask(target, 'POST /ping', { body: ping })).body).to.deep.equal({ status: 'success' });
    const unknown = aBroadcast({ server_id: 'unknown' });
    expectError(await ask(target, 'POST /ping', { body: unknown }), 'unknown_server');

    const statuses: number[] = [];
    const over = new AbortController();
    const clients = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) statuses.push((await ask(target, 'POST /ping', { body: ping })).status);
    });
    const reached = doomed.lines.length;
    await until(() => doomed.lines.length >= reached + 20, doomed);
    await doomed.stop('SIGKILL');
    const enough = statuses.length + 200;
    await until(() => statuses.length >= enough);
    over.abort();
    await Promise.all(clients);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const { servers } = (await askCurrent(target, 'GET /')).body;
    expect(servers?.map(({ id, players }) => [id, players])).to.deep.equal([[body.server_id, 9]]);
  });
});
