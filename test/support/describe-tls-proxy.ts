/**
 * A proxy with TLS in front of real replicas, as deploy/ configures it: what clients may rely on, whichever proxy it
 * is.
 */

import { connect as connectHttp2 } from 'node:http2';
import { connect, type SecureVersion } from 'node:tls';
import { expect } from 'chai';
import { ask, expectError, type Address, type AskOptions, type TestAnswer } from './ask.ts';
import { expectHangUpsHidden, expectStreamsLed, startFollowers } from './behind-balancer.ts';
import { aBroadcast } from './builders.ts';
import { createCertificate, type Certificate } from './certificate.ts';
import { expectTrueAddress } from './expect-true-address.ts';
import { freePort } from './free-port.ts';
import { DRAIN_DELAY_S, startNearReplica } from './near-replica.ts';
import { needs, type Need } from './needs.ts';
import { endProcesses, startReplica, type RunningProcess } from './processes.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';
import { openTlsTunnel, type TlsTunnel } from './tls-tunnel.ts';
import { until } from './until.ts';
import { useDirectory } from './use-directory.ts';
import { LOAD_TTL_S, useLoad } from './use-load.ts';

/** What a proxy is told, in place of what its file in deploy/ says. */
export interface ProxySite {
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly replicaPorts: readonly number[];
  readonly certificate: Certificate;
  /** A path that nothing has yet, for its own files. */
  readonly newPath: () => string;
}

/** The name in the files of deploy/. */
export const NAME = 'gsls.example.com';

export interface TlsProxy {
  readonly program: Need;
  readonly start: (site: ProxySite) => RunningProcess;
  /** Whether it has several replicas, and repeats at another one what one of them has not answered. */
  readonly balances: boolean;
  /** The ids that it makes for requests; absent when it leaves that to the replicas. */
  readonly requestIds?: RegExp;
}

interface Replica {
  readonly lines: readonly string[];
  stop(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** The program on this machine that listens there. */
const at = (port: number): Address => ({ host: '127.0.0.1', port });

/** The version that was agreed on with a client that knows this one alone, or the reason why there was none. */
function tlsVersion({ httpsPort, certificate }: ProxySite, version: SecureVersion): Promise<string> {
  return new Promise((resolve) => {
    const options = { minVersion: version, maxVersion: version, ca: certificate.pem, servername: NAME };
    // With the usual ciphers OpenSSL refuses TLS 1.1 on the side of the client already.
    const old = version === 'TLSv1.1' && { ciphers: 'DEFAULT:@SECLEVEL=0' };
    const socket = connect({ ...at(httpsPort), ...options, ...old }, () => {
      resolve(socket.getProtocol()!);
      socket.destroy();
    });
    socket.on('error', ({ message }) => resolve(message));
  });
}

export function describeTlsProxy({ program, start, balances, requestIds }: TlsProxy): void {
  needs('Linux', program, 'redis-server', 'openssl').describe(`TLS with ${program} in front`, function () {
    this.timeout(120_000);

    const newPath = useDirectory();
    let redis: RedisServer;
    let proxy: RunningProcess;
    let site: ProxySite;
    let ports: number[];
    let dying: RunningProcess;
    let tunnel: TlsTunnel;
    const replicas = new Map<number, Replica>();
    const load = useLoad(program, () => ({ front: tunnel }));

    /** Through the proxy. */
    const askProxy = (call: string, options?: AskOptions): Promise<TestAnswer> => ask(tunnel, call, options);

    const environmentOf = (port: number): Readonly<Record<string, string>> => ({
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: String(port),
      GSLS_REDIS: redis.url,
      GSLS_TRUST_PROXY: 'loopback',
      GSLS_TTL: String(LOAD_TTL_S),
      GSLS_DRAIN_DELAY: String(DRAIN_DELAY_S),
      // Replicas in this process have all clients beside them.
      GSLS_NO_LOAD_SHEDDING: 'true',
      GSLS_LOG_LEVEL: 'debug',
    });

    async function runReplica(port: number): Promise<void> {
      replicas.set(port, await startNearReplica(environmentOf(port)));
    }

    /** For one that is to be killed or frozen: in the place of the one in this process, if there is one. */
    async function runProcess(port: number): Promise<RunningProcess> {
      await replicas.get(port)?.close();
      const replica = await startReplica(environmentOf(port));
      replicas.set(port, {
        lines: replica.lines,
        stop: () => replica.stop('SIGTERM'),
        close: () => replica.stop('SIGKILL'),
      });
      return replica;
    }

    async function stopReplica(port: number): Promise<void> {
      await replicas.get(port)!.stop();
      replicas.delete(port);
    }

    before(async () => {
      redis = await startRedisServer();
      ports = balances ? [await freePort(), await freePort(), await freePort()] : [await freePort()];
      site = {
        httpsPort: await freePort(),
        httpPort: await freePort(),
        replicaPorts: ports,
        certificate: createCertificate(NAME),
        newPath,
      };
      await Promise.all(ports.slice(balances ? 1 : 0).map(runReplica));
      if (balances) dying = await runProcess(ports[0]!);
      proxy = start(site);
      const { httpsPort, certificate } = site;
      tunnel = await openTlsTunnel({ ...at(httpsPort), ca: certificate.pem, servername: NAME });
      await until(async () => (await askProxy('GET /health').catch(() => undefined))?.status === 200, proxy);
    });

    after(async () => {
      tunnel?.close();
      await endProcesses();
      await Promise.all([...replicas.values()].map((replica) => replica.close()));
      await redis?.stop();
      site?.certificate.remove();
    });

    if (balances)
      describe('with three replicas', () => {
        // The tests under load come first: the checker knows the entries of the loads and no others.

        it('hides the death of a replica from all clients', async () => {
          // Without a pause, so that the replica dies over requests.
          await load.start(0);
          await load.untilAnswered(200);
          await dying.stop('SIGKILL');
          await load.untilAnswered(400);
          await load.stopWithNothingWrong();
          await runReplica(ports[0]!);
        });

        it('hides from all clients that all replicas are restarted, one after another', async () => {
          await load.start();
          for (const port of ports) {
            await load.untilAnswered(100);
            await stopReplica(port);
            await runReplica(port);
          }
          await load.stopWithNothingWrong();
        });

        it('asks another replica when one is frozen', async () => {
          const frozen = await runProcess(ports[1]!);
          const started = frozen.lines.length;
          await until(async () => {
            await askProxy('GET /health');
            return frozen.lines.length > started;
          }, frozen);
          frozen.signal('SIGSTOP');
          const answers = await Promise.all(
            Array.from({ length: 9 }, () => askProxy('POST /broadcast', { body: aBroadcast() })),
          );
          frozen.signal('SIGCONT');
          expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
        });

        it('leads the clients of streams to another replica when one stops', async () => {
          const change = { stop: stopReplica, start: runReplica };
          await expectStreamsLed(askProxy, proxy, startFollowers(tunnel), ports, change);
        });

        it('repeats a request after a replica hung up, a broadcast with the same Idempotency-Key', async () => {
          const port = ports[2]!;
          await replicas.get(port)!.close();
          await expectHangUpsHidden(askProxy, at(port));
          await runReplica(port);
        });
      });

    describe('in front of any number', () => {
      it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
        expect(await tlsVersion(site, 'TLSv1.3')).to.equal('TLSv1.3');
        expect(await tlsVersion(site, 'TLSv1.2')).to.equal('TLSv1.2');
        expect(await tlsVersion(site, 'TLSv1.1')).to.match(/alert protocol version/);
      });

      it('speaks HTTP/2', async () => {
        const session = connectHttp2(`https://127.0.0.1:${site.httpsPort}`, {
          ca: site.certificate.pem,
          servername: NAME,
        });
        const stream = session.request({ ':path': '/health', ':authority': NAME });
        const status = await new Promise((resolve, reject) => {
          stream.on('response', (headers) => resolve(headers[':status']));
          stream.on('error', reject);
          session.on('error', reject);
        });
        session.destroy();
        expect(status).to.equal(200);
      });

      it('leads from http to https, with method and body', async () => {
        const { status, headers } = await ask(at(site.httpPort), 'POST /broadcast', {
          body: aBroadcast(),
          headers: { Host: NAME },
        });
        expect(status).to.equal(308);
        expect(headers.location).to.match(/^https:\/\/gsls\.example\.com(:\d+)?\/broadcast$/);
      });

      it('passes on a broadcast, a ping, a list and an error', async () => {
        const { status, body } = await askProxy('POST /broadcast', { body: aBroadcast() });
        expect(status).to.equal(200);
        const ping = aBroadcast({ server_id: body.server_id, players: 9 });
        expect((await askProxy('POST /ping', { body: ping })).body).to.deep.equal({ status: 'success' });
        const { servers } = (await askProxy('GET /')).body;
        expect(servers?.find(({ id }) => id === body.server_id)).to.include({ players: 9 });
        const unknown = aBroadcast({ server_id: 'unknown' });
        expectError(await askProxy('POST /ping', { body: unknown }), 'unknown_server');
        expectError(await askProxy('POST /ping', { body: '{' }), 'invalid_json');
        expectError(await askProxy('DELETE /'), 'method_not_allowed');
        expectError(await askProxy('GET /nothing//here%20'), 'not_found');
      });

      it('tells the replica the address of the client, whatever the client says of it', () =>
        expectTrueAddress(askProxy));

      it('passes the bytes of a replica on, compressed or not, with their ETag', async () => {
        const [port] = ports;
        for (const encoding of ['identity', 'gzip']) {
          const headers = { 'Accept-Encoding': encoding };
          const [own, passed] = [
            await ask(at(port!), 'GET /', { headers }),
            await askProxy('GET /', { headers }),
          ];
          expect(passed.bytes.equals(own.bytes)).to.equal(true);
          const { etag, vary } = own.headers;
          expect(passed.headers).to.include({ etag, vary });
          expect(passed.headers['content-encoding']).to.equal(encoding === 'gzip' ? 'gzip' : undefined);
          const again = await askProxy('GET /', { headers: { ...headers, 'If-None-Match': etag! } });
          expect(again.status).to.equal(304);
        }
      });

      it('gives each request an id, unless the client did', async () => {
        const made = [await askProxy('GET /health'), await askProxy('GET /health')];
        const ids = made.map(({ headers }) => headers['x-request-id'] as string);
        expect(new Set(ids).size).to.equal(2);
        const logs = [...replicas.values()].map(({ lines }) => lines);
        await until(
          () => ids.every((id) => logs.some((lines) => lines.some((line) => line.includes(id)))),
          proxy,
        );
        if (requestIds) for (const id of ids) expect(id).to.match(requestIds);
        const own = await askProxy('GET /health', { headers: { 'X-Request-Id': 'of-the-client' } });
        expect(own.headers['x-request-id']).to.equal('of-the-client');
      });

      it('carries streams at once, compressed or not', async () => {
        const followers = startFollowers(tunnel);
        const { body } = await askProxy('POST /broadcast', { body: aBroadcast() });
        await until(() => followers.every(({ servers }) => servers.has(body.server_id!)), proxy);
        await Promise.all(followers.map((follower) => follower.stop()));
      });

      it('answers 404 to what is for operators, as to an unknown path', async () => {
        expectError(await ask(at(ports[0]!), 'GET /nothing'), 'not_found');
        expect((await ask(at(ports[0]!), 'GET /metrics')).status).to.equal(200);
        for (const path of [
          '/metrics',
          '/%6Detrics',
          '/metrics?a=b',
          '/livez',
          '/readyz',
          '/debug/config',
          '/admin/bans',
          '/desk',
          '/desk/start.js',
        ])
          expectError(await askProxy(`GET ${path}`), 'not_found');
      });

      it('lets a replica say itself what is too large for it', async () => {
        const body = aBroadcast({ server_name: 'x'.repeat(20_000) });
        expectError(await askProxy('POST /broadcast', { body }), 'body_too_large');
        const headers = { 'X-Large': 'x'.repeat(10_000) };
        expectError(await askProxy('GET /', { headers }), 'headers_too_large');
      });
    });

    describe('without a replica', () => {
      it('answers in JSON when no replica can be reached', async () => {
        await Promise.all([...replicas.values()].map((replica) => replica.close()));
        const { status, headers, body } = await askProxy('GET /');
        expect(status).to.equal(503);
        expect(headers['content-type']).to.match(/^application\/json/);
        expect(headers['retry-after']).to.match(/^[1-3]$/);
        expect(body).to.include({ status: 'error', code: 'registry_unavailable' });
        expect((await askProxy('GET /changes')).body).to.include({ code: 'registry_unavailable' });
      });
    });
  });
}
