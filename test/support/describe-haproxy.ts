/** deploy/haproxy.cfg with real replicas: what clients see while replicas die, freeze, stop and start. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { deriveGameServerId } from '../../src/registry/game-server.ts';
import { Checker } from './load/checker.ts';
import { FULL_LOAD, Load } from './load/load.ts';
import { Recorder } from './load/recorder.ts';
import { ask, expectError, type Address, type AskOptions, type TestAnswer } from './ask.ts';
import { aBroadcast, aGameServer } from './builders.ts';
import { startDnsServer, type DnsServer } from './dns-server.ts';
import { ChangesFollower } from './follow-changes.ts';
import { freePort } from './free-port.ts';
import { listen } from './listen.ts';
import { needs } from './needs.ts';
import { endProcesses, startHaproxy, startReplica, type RunningProcess } from './processes.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';
import { until } from './until.ts';
import { expectTrueAddress } from './expect-true-address.ts';

/** Characters that have a meaning in the configuration of HAProxy. */
export const KEY = '50% of a "key" \\ $HOME #1';
const AUTHORIZATION = { Authorization: `Bearer ${KEY}` };

/** Longer than the tests: entries without pings stay listed. */
const TTL_S = 3600;

/** Every address that listens in these tests. In 127.0.0.0/8 each is this machine: on Linux. */
export const HOSTS = [11, 12, 13, 14, 15, 16].map((last) => `127.0.0.${last}`);

/** How HAProxy learns of the replicas: the variables, by the DNS server and the port of all replicas. */
export type Way = (dns: DnsServer, port: number) => Readonly<Record<string, string>>;

/** All that clients may rely on. Each way has a file of its own, so that they run side by side. */
export function describeHaproxy(way: string, replicasOf: Way): void {
  needs('Linux', 'haproxy', 'redis-server').describe(`haproxy.cfg ${way}`, function () {
    this.timeout(120_000);

    let redis: RedisServer;
    let dns: DnsServer;
    let haproxy: RunningProcess;
    let port: number;
    let front: Address;
    const replicas = new Map<string, RunningProcess>();
    const recorder = new Recorder();
    const checker = new Checker(recorder, TTL_S * 1000);
    const loads: Load[] = [];

    /** Through HAProxy, with the key. */
    function askHaproxy(call: string, options: AskOptions = {}): Promise<TestAnswer> {
      return ask(front, call, { ...options, headers: { ...AUTHORIZATION, ...options.headers } });
    }

    async function listedNames(): Promise<string[]> {
      return (await askHaproxy('GET /')).body.servers!.map(({ name }) => name);
    }

    async function addReplica(host: string): Promise<void> {
      await untilReached(await runReplica(host));
    }

    async function runReplica(host: string): Promise<RunningProcess> {
      const replica = await startReplica({
        GSLS_HOST: host,
        GSLS_PORT: String(port),
        GSLS_REDIS: redis.url,
        GSLS_KEY: KEY,
        GSLS_TRUST_PROXY: 'loopback',
        GSLS_ADMIN_KEY: 'boss',
        GSLS_TTL: String(TTL_S),
        GSLS_LOG_LEVEL: 'debug',
      });
      replicas.set(host, replica);
      announce();
      return replica;
    }

    /** Answers with the addresses of all replicas, as Docker's DNS does. */
    function announce(...others: readonly string[]): void {
      dns.setAddresses([...replicas.keys(), ...others]);
    }

    /** Waits until HAProxy sends a request to the replica, which logs the paths that it refuses. */
    async function untilReached(replica: RunningProcess): Promise<void> {
      const path = `/marker-${Math.random()}`;
      await until(async () => {
        await askHaproxy(`GET ${path}`).catch(() => undefined);
        return replica.lines.some((line) => line.includes(path));
      }, haproxy);
    }

    async function stopReplica(host: string, signal: NodeJS.Signals): Promise<number | null> {
      const replica = replicas.get(host)!;
      const code = await replica.stop(signal);
      replicas.delete(host);
      return code;
    }

    /** Waits for a new line of HAProxy's log. */
    async function untilHaproxySays(what: RegExp): Promise<void> {
      const said = haproxy.lines.length;
      await until(() => haproxy.lines.slice(said).some((line) => what.test(line)), haproxy);
    }

    /** Of eight game servers and some visitors. Clears the records of earlier loads. */
    async function startLoad(pingIntervalMs = 100): Promise<Load> {
      recorder.operations.length = 0;
      checker.reset();
      const site = { front, serving: [], ttlMs: TTL_S * 1000, headers: AUTHORIZATION };
      // No removals: HAProxy repeats one that a replica carried out before it died, and the second answer is 404.
      const load = new Load(site, recorder, checker, {
        ...FULL_LOAD,
        fleet: 8,
        pingIntervalMs,
        broadcastsPerSecond: 10,
        listsPerSecond: 10,
        shareOfRemovals: 0,
        giveUpAfterMs: 60_000,
      });
      loads.push(load);
      await load.start();
      return load;
    }

    async function untilAnswered(count: number): Promise<void> {
      const enough = recorder.operations.length + count;
      await until(() => recorder.operations.length >= enough);
    }

    /** Every request succeeded, and every list shows each acknowledged game server once. */
    async function expectNothingWrong(load: Load): Promise<void> {
      await load.list(front, 'haproxy');
      const outcomes = recorder.operations.map(({ kind, outcome }) => `${kind}: ${outcome}`);
      expect(outcomes.filter((each) => !each.endsWith(': 200'))).to.deep.equal([]);
      expect(checker.reasons).to.deep.equal([]);
    }

    before(async () => {
      redis = await startRedisServer();
      dns = await startDnsServer();
      port = await freePort();
      front = { host: '127.0.0.1', port: await freePort() };
      const first = await Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map(runReplica));
      haproxy = startHaproxy({
        LISTEN: `${front.host}:${front.port}`,
        ...replicasOf(dns, port),
        GSLS_KEY: KEY,
      });
      await Promise.all(first.map(untilReached));
    });

    after(async () => {
      // A test that failed has not stopped its load.
      await Promise.all(loads.map((load) => load.stop()));
      await endProcesses();
      await dns?.stop();
      await redis?.stop();
    });

    // The tests under load come first: the checker knows the entries of the loads and no others.

    it('hides the death of a replica from all clients', async () => {
      // Without a pause, so that the replica dies over requests.
      const load = await startLoad(0);
      await untilAnswered(200);
      await stopReplica('127.0.0.11', 'SIGKILL');
      await untilAnswered(600);
      await load.stop();
      await expectNothingWrong(load);
      await addReplica('127.0.0.11');
    });

    it('hides from all clients that a replica freezes, and that it goes on', async () => {
      const frozen = replicas.get('127.0.0.13')!;
      const load = await startLoad();
      await untilAnswered(100);
      const down = untilHaproxySays(/Server replicas\S+ is DOWN/);
      frozen.signal('SIGSTOP');
      await down;
      // Ends when all requests that waited for the frozen replica have an answer of another one.
      await load.stop();
      await expectNothingWrong(load);

      const after = await startLoad();
      await untilAnswered(100);
      const up = untilHaproxySays(/Server replicas\S+ is UP/);
      frozen.signal('SIGCONT');
      await up;
      await untilAnswered(300);
      await after.stop();
      await expectNothingWrong(after);
    });

    it('hides from all clients that all replicas are restarted, one after another', async () => {
      const load = await startLoad();
      const hosts = [...replicas.keys()];
      for (const host of hosts) {
        await untilAnswered(100);
        expect(await stopReplica(host, 'SIGTERM')).to.equal(0);
        await addReplica(host);
      }
      await load.stop();
      await expectNothingWrong(load);
    });

    it('passes on a broadcast, a ping, a list and an error', async () => {
      const { status, body } = await askHaproxy('POST /broadcast', { body: aBroadcast() });
      expect(status).to.equal(200);
      const ping = aBroadcast({ server_id: body.server_id, players: 9 });
      const pinged = await askHaproxy('POST /ping', { body: ping });
      expect(pinged).to.deep.include({ status: 200, body: { status: 'success' } });
      const { servers } = (await askHaproxy('GET /')).body;
      expect(servers?.find(({ id }) => id === body.server_id)).to.include({ players: 9 });
      const unknown = aBroadcast({ server_id: 'unknown' });
      expectError(await askHaproxy('POST /ping', { body: unknown }), 'unknown_server');
    });

    it('checks the health with the key', () => {
      for (const { lines } of replicas.values())
        expect(lines.filter((line) => line.includes('unauthorized'))).to.deep.equal([]);
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
      await listen(quitter, '127.0.0.14', port);
      announce('127.0.0.14');

      /** Asks until the request reached the quitter first. Resolves with the answer of another replica. */
      async function afterHangUp(call: string, options: AskOptions = {}) {
        for (;;) {
          const earlier = hungUpOn.length;
          const { status, body } = await askHaproxy(call, options);
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
        announce();
        quitter.closeAllConnections();
        await new Promise((resolve) => quitter.close(resolve));
      }
    });

    it('tells the replica the address of the client, whatever the client says of it', () =>
      expectTrueAddress(askHaproxy));

    it('carries streams, and leads their clients to another replica when one stops', async () => {
      const url = `http://${front.host}:${front.port}`;
      const followers = Array.from({ length: 6 }, () =>
        new ChangesFollower({ urls: [url], by: 'stream', headers: AUTHORIZATION, isGzip: true }).start(),
      );
      const { body } = await askHaproxy('POST /broadcast', { body: aBroadcast({ server_name: 'streamed' }) });
      const untilTold = (players: number): Promise<void> =>
        until(
          () => followers.every(({ servers }) => servers.get(body.server_id!)?.players === players),
          haproxy,
        );
      const ping = aBroadcast({ server_id: body.server_id, server_name: 'streamed' });
      await untilTold(3);
      const hosts = [...replicas.keys()];
      for (const [index, host] of hosts.entries()) {
        expect(await stopReplica(host, 'SIGTERM')).to.equal(0);
        await askHaproxy('POST /ping', { body: { ...ping, players: 10 + index } });
        await untilTold(10 + index);
        await addReplica(host);
      }
      for (const { fulls, failures, complaints } of followers)
        expect({ fulls, failures, complaints }).to.deep.equal({ fulls: 1, failures: 0, complaints: [] });
      await Promise.all(followers.map((follower) => follower.stop()));
    });

    it('makes another Idempotency-Key for each broadcast', async () => {
      const ids = await Promise.all(
        Array.from(
          { length: 50 },
          async () => (await askHaproxy('POST /broadcast', { body: aBroadcast() })).body.server_id,
        ),
      );
      expect(new Set(ids).size).to.equal(50);
    });

    it('finds a new replica', async () => {
      const names = await listedNames();
      const others = [...replicas.keys()];
      await addReplica('127.0.0.15');
      await Promise.all(others.map((host) => stopReplica(host, 'SIGTERM')));
      expect(await listedNames()).to.deep.equal(names);
    });

    it('answers 404 to operators and moderators, as for an unknown path', async () => {
      const origin = `http://${front.host}:${front.port}`;
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
        const { status, body } = await askHaproxy(`GET ${path}`);
        expect(status).to.equal(404);
        expect(body).to.include({ status: 'error', code: 'not_found' });
        const without = await ask(front, `GET ${path}`);
        expect(without.status).to.equal(401);
        expect(without.body).to.include({ code: 'unauthorized' });
      }
    });

    it('uses an unhealthy replica when there is no other', async () => {
      const unwell = createServer(({ url }, response) => {
        response.statusCode = url === '/health' ? 503 : 200;
        response.end('{"answered by":"the unwell"}');
      });
      await listen(unwell, '127.0.0.16', port);
      const noneSeemsWell = untilHaproxySays(/backend replicas has no server available/);
      await stopReplica('127.0.0.15', 'SIGTERM');
      announce('127.0.0.16');
      try {
        await noneSeemsWell;
        await until(async () => (await askHaproxy('GET /')).status === 200, haproxy);
        expect(await askHaproxy('GET /')).to.deep.include({
          status: 200,
          body: { 'answered by': 'the unwell' },
        });
      } finally {
        const noneIsReached = untilHaproxySays(/backend reachable has no server available/);
        unwell.closeAllConnections();
        await new Promise((resolve) => unwell.close(resolve));
        await noneIsReached;
      }
    });

    it('answers 503 in JSON when no replica is left', async () => {
      const { status, body } = await askHaproxy('GET /');
      expect(status).to.equal(503);
      expect(body).to.include({ status: 'error', code: 'registry_unavailable' });
    });
  });
}
