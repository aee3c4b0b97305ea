/**
 * deploy/haproxy.cfg with real replicas: what clients see while they hang up, stop and start. A smoke test and the
 * faults have load on replicas that are killed, frozen and restarted.
 */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { expectHangUpsHidden, expectStreamsLed, startFollowers } from '../../support/behind-balancer.ts';
import { describeAnyWay } from '../../support/describe-haproxy.ts';
import { needs } from '../../support/needs.ts';
import { AUTHORIZATION, useHaproxy } from '../../support/use-haproxy.ts';

needs('Linux', 'haproxy', 'redis-server').describe('haproxy.cfg with a list of replicas', function () {
  this.timeout(120_000);
  const haproxy = useHaproxy('with a list of replicas');

  before(() => Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map(haproxy.add)));

  it('repeats a request after a replica hung up, a broadcast with the same Idempotency-Key', async () => {
    const key = await expectHangUpsHidden(haproxy.ask, { host: '127.0.0.14', port: haproxy.port });
    expect(key).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('carries streams, and leads their clients to another replica when one stops', async () => {
    const followers = startFollowers(haproxy.front, AUTHORIZATION);
    const change = { stop: haproxy.stop, start: haproxy.add };
    await expectStreamsLed(haproxy.ask, haproxy.process, followers, haproxy.hosts, change);
  });

  it('answers 404 to operators and moderators, as for an unknown path', async () => {
    const origin = `http://${haproxy.front.host}:${haproxy.front.port}`;
    const operations = [
      '/metrics',
      '/metrics?a=b',
      `${origin}/metrics`,
      '/livez',
      '/readyz',
      '/debug/config',
    ];
    const admin = ['/admin/bans', '/admin/servers?limit=1', '/admin/audit', `${origin}/admin/bans`];
    for (const path of [...operations, ...admin]) {
      const { status, body } = await haproxy.ask(`GET ${path}`);
      expect(status).to.equal(404);
      expect(body).to.include({ status: 'error', code: 'not_found' });
      const without = await ask(haproxy.front, `GET ${path}`);
      expect(without.status).to.equal(401);
      expect(without.body).to.include({ code: 'unauthorized' });
    }
  });

  it('finds a new replica', async () => {
    const { hosts } = haproxy;
    const listedNames = async (): Promise<string[]> =>
      (await haproxy.ask('GET /')).body.servers!.map(({ name }) => name);
    const names = await listedNames();
    await haproxy.add('127.0.0.15');
    await Promise.all(hosts.slice(1).map((host) => haproxy.stop(host)));
    expect(await listedNames()).to.deep.equal(names);
  });

  describeAnyWay(haproxy);
});
