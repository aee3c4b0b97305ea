/** deploy/haproxy.cfg with real replicas: what clients see while replicas die, freeze, stop and start. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { deriveGameServerId } from '../../../src/registry/game-server.ts';
import { ask, expectError, type AskOptions } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import { describeAnyWay } from '../../support/describe-haproxy.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import type { RunningProcess } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { AUTHORIZATION, useHaproxy } from '../../support/use-haproxy.ts';
import { useLoad } from '../../support/use-load.ts';

needs('Linux', 'haproxy', 'redis-server').describe('haproxy.cfg with a list of replicas', function () {
  this.timeout(120_000);
  const haproxy = useHaproxy('with a list of replicas');
  const load = useLoad('haproxy', () => ({ front: haproxy.front, headers: AUTHORIZATION }));
  let freezable: RunningProcess;

  before(async () => {
    [, , freezable] = await Promise.all([
      haproxy.addProcess('127.0.0.11'),
      haproxy.add('127.0.0.12'),
      haproxy.addProcess('127.0.0.13'),
    ]);
  });

  // The tests under load come first: the checker knows the entries of the loads and no others.

  it('hides the death of a replica from all clients', async () => {
    // Without a pause, so that the replica dies over requests.
    await load.start(0);
    await load.untilAnswered(200);
    await haproxy.kill('127.0.0.11');
    await load.untilAnswered(600);
    await load.stopWithNothingWrong();
    await haproxy.add('127.0.0.11');
  });

  it('hides from all clients that a replica freezes, and that it goes on', async () => {
    await load.start();
    await load.untilAnswered(100);
    const down = haproxy.says(/Server replicas\S+ is DOWN/);
    freezable.signal('SIGSTOP');
    await down;
    // Ends when all requests that waited for the frozen replica have an answer of another one.
    await load.stopWithNothingWrong();

    await load.start();
    await load.untilAnswered(100);
    const up = haproxy.says(/Server replicas\S+ is UP/);
    freezable.signal('SIGCONT');
    await up;
    await load.untilAnswered(300);
    await load.stopWithNothingWrong();
  });

  it('hides from all clients that all replicas are restarted, one after another', async () => {
    await load.start();
    for (const host of haproxy.hosts) {
      await load.untilAnswered(100);
      await haproxy.stop(host);
      await haproxy.add(host);
    }
    await load.stopWithNothingWrong();
  });

  it('passes on a broadcast, a ping, a list and an error', async () => {
    const { status, body } = await haproxy.ask('POST /broadcast', { body: aBroadcast() });
    expect(status).to.equal(200);
    const ping = aBroadcast({ server_id: body.server_id, players: 9 });
    const pinged = await haproxy.ask('POST /ping', { body: ping });
    expect(pinged).to.deep.include({ status: 200, body: { status: 'success' } });
    const { servers } = (await haproxy.ask('GET /')).body;
    expect(servers?.find(({ id }) => id === body.server_id)).to.include({ players: 9 });
    const unknown = aBroadcast({ server_id: 'unknown' });
    expectError(await haproxy.ask('POST /ping', { body: unknown }), 'unknown_server');
  });

  it('repeats a request after a replica hung up, a broadcast with the same Idempotency-Key', async () => {
    const hungUpOn: { readonly url: string; readonly key: string | undefined }[] = [];
    const quitter = createServer(({ url, headers, socket }, response) => {
      if (url === '/health') {
        response.end('{}');
        return;
      }
      hungUpOn.push({ url: url!, key: headers['idempotency-key'] as string | undefined });
      socket.destroy();
    });
    await listen(quitter, '127.0.0.14', haproxy.port);

    /** Asks until the request reached the quitter first. Resolves with the answer of another replica. */
    async function afterHangUp(call: string, options: AskOptions = {}) {
      for (;;) {
        const earlier = hungUpOn.length;
        const { status, body } = await haproxy.ask(call, options);
        expect(status).to.equal(200);
        const hangUp = hungUpOn.slice(earlier).find(({ url }) => call.endsWith(` ${url}`));
        if (hangUp !== undefined) return { body, key: hangUp.key };
      }
    }

    try {
      expect((await afterHangUp('GET /')).body).to.have.property('servers');
      const made = await afterHangUp('POST /broadcast', { body: aBroadcast() });
      expect(made.key).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(made.body.server_id).to.equal(deriveGameServerId(made.key!, aGameServer()));
      const own = await afterHangUp('POST /broadcast', {
        body: aBroadcast(),
        headers: { 'Idempotency-Key': 'of the client' },
      });
      expect(own.key).to.equal('of the client');
      expect(own.body.server_id).to.equal(deriveGameServerId('of the client', aGameServer()));
    } finally {
      quitter.closeAllConnections();
      await new Promise((resolve) => quitter.close(resolve));
    }
  });

  it('carries streams, and leads their clients to another replica when one stops', async () => {
    const followers = haproxy.startFollowers();
    const { body } = await haproxy.ask('POST /broadcast', { body: aBroadcast({ server_name: 'streamed' }) });
    const untilTold = (players: number): Promise<void> =>
      until(
        () => followers.every(({ servers }) => servers.get(body.server_id!)?.players === players),
        haproxy.process,
      );
    const ping = aBroadcast({ server_id: body.server_id, server_name: 'streamed' });
    await untilTold(3);
    for (const [index, host] of haproxy.hosts.entries()) {
      await haproxy.stop(host);
      await haproxy.ask('POST /ping', { body: { ...ping, players: 10 + index } });
      await untilTold(10 + index);
      await haproxy.add(host);
    }
    await haproxy.stopUndisturbed(followers);
  });

  it('makes another Idempotency-Key for each broadcast', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 50 },
        async () => (await haproxy.ask('POST /broadcast', { body: aBroadcast() })).body.server_id,
      ),
    );
    expect(new Set(ids).size).to.equal(50);
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
