/**
 * What holds with deploy/haproxy.cfg however HAProxy learns of the replicas: of addresses, of the key, and of replicas
 * that are unwell.
 */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { expectTrueAddress } from './expect-true-address.ts';
import { listen } from './listen.ts';
import { until } from './until.ts';
import type { UsedHaproxy } from './use-haproxy.ts';

/** Call it last in the describe block, with some replicas running: none is left after it. */
export function describeAnyWay(haproxy: UsedHaproxy): void {
  it('checks the health with the key', () => {
    for (const host of haproxy.hosts)
      expect(haproxy.log(host).filter((line) => /unauthorized.*"\/health"/.test(line))).to.deep.equal([]);
  });

  it('tells the replica the address of the client, whatever the client says of it', () =>
    expectTrueAddress(haproxy.ask));

  it('uses an unhealthy replica when there is no other', async () => {
    const unwell = createServer(({ url }, response) => {
      response.statusCode = url === '/health' ? 503 : 200;
      response.end('{"answered by":"the unwell"}');
    });
    await listen(unwell, '127.0.0.16', haproxy.port);
    const noneSeemsWell = haproxy.says(/backend replicas has no server available/);
    await Promise.all(haproxy.hosts.map((host) => haproxy.stop(host)));
    haproxy.announce({ others: ['127.0.0.16'] });
    try {
      await noneSeemsWell;
      await until(async () => (await haproxy.ask('GET /')).status === 200, haproxy.process);
      expect(await haproxy.ask('GET /')).to.deep.include({
        status: 200,
        body: { 'answered by': 'the unwell' },
      });
    } finally {
      const noneIsReached = haproxy.says(/backend reachable has no server available/);
      unwell.closeAllConnections();
      await new Promise((resolve) => unwell.close(resolve));
      await noneIsReached;
    }
  });

  it('answers 503 in JSON when no replica is left', async () => {
    const { status, body } = await haproxy.ask('GET /');
    expect(status).to.equal(503);
    expect(body).to.include({ status: 'error', code: 'registry_unavailable' });
  });
}
