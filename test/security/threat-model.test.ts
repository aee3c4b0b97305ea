/**
 * The threat model of SECURITY.md: each of its rows, on three replicas with one Redis, or on one in memory where
 * nothing is shared that matters.
 */

import { createSocket } from 'node:dgram';
import { createServer as createHttpServer, request, type IncomingMessage } from 'node:http';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sha256Of } from '../../src/api/http/key-ring.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import type { Logger } from '../../src/runtime/log/logger.ts';
import { createUnlistedId } from '../../src/model/unlisted-id.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError, type AskOptions, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { anInfo, DdnetGameServer } from '../support/ddnet/ddnet-game-server.ts';
import { readDocument, tableOf } from '../support/markdown.ts';
import { valueOf } from '../support/metrics.ts';
import { needs } from '../support/needs.ts';
import { proxyHeader } from '../support/proxy-header.ts';
import { openRawConnection, plainRequest } from '../support/raw-connection.ts';
import { useRedis } from '../support/redis-server.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useServices, type Environment } from '../support/use-services.ts';

const CLAIM = { 'Server-Token': 'claim' };

/** The key as a browser sends it that keeps it. */
const kept = (key: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
});

/** A port of this machine that counts who connects to it. */
async function openVictim(): Promise<{
  port: number;
  connections: () => number;
  close: () => Promise<void>;
}> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

needs('redis-server').describe('the threat model', function () {
  const redis = useRedis();
  const newPath = useDirectory();
  const services = useServices(() => ({ GSLS_REDIS: redis.url }));
  const inMemory = useServices(() => ({}));
  /** The keys of a registry that is whole and has no entries: replicas find one at once. */
  const empty = new Map<string, Buffer>();
  before(async () => {
    await (await startTestService({ GSLS_REDIS: redis.url })).close();
    for (const key of ['{gsls}:state', '{gsls}:settings']) empty.set(key, await redis.client.dumpBuffer(key));
  });
  let replicas: readonly Service[];
  const start = async (environment: Environment = {}): Promise<void> => {
    await redis.client.flushall();
    for (const [key, dump] of empty) await redis.client.restore(key, 0, dump);
    replicas = await Promise.all([1, 2, 3].map(() => services.start(environment)));
  };
  /** Replicas with two registries, each with a key of its own. */
  const startMany = async (): Promise<void> => {
    const file = newPath();
    const keys = ['racer', 'shooter'].map((name) => {
      const sha256 = sha256Of(`${name} servers`);
      return `{ name: ${name} servers, sha256: ${sha256}, may: [announce], registries: [${name}] }`;
    });
    writeFileSync(file, `registries: { racer: , shooter: }\nkeys: [${keys.join(', ')}]\n`);
    await start({ GSLS_CONFIG: file });
  };
  const startOne = async (environment: Environment = {}, logger?: Logger): Promise<void> => {
    replicas = [await inMemory.start(environment, logger)];
  };
  let turn = 0;
  /** Each request goes to the next replica. */
  const send = (what: string, options: AskOptions = {}): Promise<TestAnswer> =>
    ask(replicas[(turn += 1) % replicas.length]!, what, options);
  const broadcast = (overrides: object = {}, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    send('POST /broadcast', { body: { ...aBroadcast(), ...overrides }, headers });
  const namesListed = async (): Promise<readonly string[]> =>
    (await send('GET /')).body.servers!.map(({ name }) => name);

  /** What the list shows of the first entry, as the fields of a request. */
  async function shown(): Promise<Record<string, unknown>> {
    const [server] = (await send('GET /')).body.servers!;
    const { id, host, name, port, ip } = server!;
    return aBroadcast({
      server_id: id,
      server_host: host,
      server_name: name,
      server_port: port,
      server_ip: ip,
    });
  }

  async function expectAttacksRefused(code: ErrorCode, headers: Record<string, string> = {}): Promise<void> {
    const fields = await shown();
    for (let i = 0; i < replicas.length; i += 1) {
      for (const body of [fields, { ...fields, players: 9 }, { ...fields, server_name: 'taken over' }])
        expectError(await send('POST /ping', { body, headers }), code);
      expectError(await send('POST /remove', { body: fields, headers }), code);
    }
    expect(await namesListed()).to.deep.equal(['A server']);
  }

  const flood = (address: string): Promise<TestAnswer[]> =>
    Promise.all(
      Array.from({ length: 12 }, (_, i) => broadcast({ server_port: i + 1 }, { 'X-Forwarded-For': address })),
    );

  /** Asks the doctor about this machine, as from an address. */
  const askAt = (server_port: number, from: string): Promise<TestAnswer> =>
    send('POST /doctor', {
      body: { server_host: '127.0.0.1', server_port },
      headers: { 'X-Forwarded-For': from },
    });

  async function ban(about: object): Promise<void> {
    const headers = { Authorization: 'boss' };
    const body = { author: 'ann', reason: 'spam', ...about };
    expect((await send('POST /admin/bans', { body, headers })).status).to.equal(201);
  }

  const THREATS: Readonly<Record<string, () => Promise<void>>> = {
    async 'overwrite, keep alive or remove an entry with what the list shows'() {
      await start();
      await broadcast();
      expect((await send('POST /remove', { body: await shown() })).status).to.equal(200);
      await broadcast({}, CLAIM);
      await expectAttacksRefused('not_owner');
      await startOne({ GSLS_REQUIRE_SERVER_TOKEN: 'true' });
      await broadcast();
      await expectAttacksRefused('server_token_required');
    },

    async 'use the token of one entry for another, or guess one'() {
      await start();
      await broadcast();
      const { headers } = await broadcast({ server_port: 2 });
      const token = String(headers['server-token']);
      const { body } = await send('GET /');
      await send('POST /remove', { body: { server_id: body.servers![1]!.id, server_ip: '203.0.113.7' } });
      for (const wrong of [token, `${body.servers![0]!.id}.${token.slice(-43)}`, 'guess'])
        await expectAttacksRefused('not_owner', { 'Server-Token': wrong });
    },

    async 'take the unique address of a claimed entry'() {
      await start({ GSLS_UNIQUE_ADDRESS: 'true' });
      await broadcast({}, CLAIM);
      for (const headers of [{}, CLAIM] as Record<string, string>[])
        expectError(await broadcast({ server_name: 'rival' }, headers), 'address_taken');
      expect(await namesListed()).to.deep.equal(['A server']);
      await startOne({ GSLS_UNIQUE_ADDRESS: 'true', GSLS_VERIFY_SOURCE: 'true' });
      expectError(await broadcast({ server_name: 'rival' }), 'source_mismatch');
    },

    async 'take an address or a place, or evade a ban, after Redis lost data'() {
      await start({
        GSLS_UNIQUE_ADDRESS: 'true',
        GSLS_MAX_SERVERS_PER_ADDRESS: '2',
        GSLS_TRUST_PROXY: 'loopback',
        GSLS_ADMIN_KEY: 'boss',
      });
      const own = await broadcast({}, CLAIM);
      await broadcast({ server_port: 2 });
      await ban({ name: 'casino', mode: 'refuse' });
      const rival = { ...CLAIM, 'X-Forwarded-For': '203.0.113.66' };
      for (let n = 0; n < replicas.length; n += 1) {
        for (const _ of replicas) await send('GET /');
        await redis.client.flushall();
        const [thief, spammer, banned] = await Promise.all([
          broadcast({}, rival),
          broadcast({ server_port: 3 }),
          broadcast({ server_name: 'Casino' }, { 'X-Forwarded-For': '203.0.113.67' }),
        ]);
        expectError(thief, 'address_taken');
        expectError(spammer, 'quota_exceeded');
        expectError(banned, 'banned');
      }
      const body = aBroadcast({ server_id: own.body.server_id });
      const headers = { 'Server-Token': String(own.headers['server-token']) };
      expect((await send('POST /ping', { body, headers })).status).to.equal(200);
      expect(await namesListed()).to.have.length(2);
    },

    async 'list a game server at an address that is not its own'() {
      await startOne({ GSLS_VERIFY_SOURCE: 'true' });
      expectError(await broadcast(), 'source_mismatch');
      expect((await broadcast({ server_ip: 'auto' })).status).to.equal(200);
    },

    async 'list an address that no player can reach'() {
      await startOne({ GSLS_PUBLIC_ADDRESSES_ONLY: 'true' });
      for (const server_ip of ['192.168.0.5', '127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '64:ff9b::a00:1'])
        expectError(await broadcast({ server_ip }), 'invalid_request');
      await startOne({ GSLS_VERIFY: 'tcp' });
      expect((await broadcast()).status).to.equal(200);
      expect(await namesListed()).to.deep.equal([]);
    },

    async 'name another client address in a header of HTTP or of the PROXY protocol'() {
      await startOne({ GSLS_VERIFY_SOURCE: 'true' });
      for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP'])
        for (const value of ['203.0.113.7', 'for=203.0.113.7', '203.0.113.7, 127.0.0.1'])
          expectError(await broadcast({}, { [name]: value }), 'source_mismatch');
      await startOne({ GSLS_VERIFY_SOURCE: 'true', GSLS_TRUST_PROXY: 'loopback' });
      const byProxy = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.9' };
      expectError(await broadcast({}, byProxy), 'source_mismatch');
      expect((await broadcast({ server_ip: '198.51.100.9' }, byProxy)).status).to.equal(200);
      await startOne({
        GSLS_VERIFY_SOURCE: 'true',
        GSLS_TRUST_PROXY: '10.0.0.0/8',
        GSLS_PROXY_PROTOCOL: 'true',
      });
      const forger = await openRawConnection(replicas[0]!);
      const named = proxyHeader('203.0.113.7');
      expect((await forger.send(named).send(plainRequest('GET /')).answer()).status).to.equal(400);
      await startOne({
        GSLS_VERIFY_SOURCE: 'true',
        GSLS_TRUST_PROXY: 'loopback',
        GSLS_PROXY_PROTOCOL: 'true',
      });
      const proxied = await openRawConnection(replicas[0]!);
      const elsewhere = plainRequest('POST /broadcast', aBroadcast({ server_ip: '198.51.100.9' }));
      const forged = elsewhere.replace('\r\n', '\r\nX-Forwarded-For: 198.51.100.9\r\n');
      proxied.send(named);
      for (const bytes of [elsewhere, forged])
        expect((await proxied.send(bytes).answer()).status).to.equal(403);
      proxied.destroy();
    },

    async 'change something through the browser of whoever opens a web page'() {
      await startOne({ GSLS_CORS_WRITE_ORIGIN: 'https://game.example' });
      const { body } = await broadcast();
      for (const from of ['cross-site', 'same-site'])
        for (const _ of replicas) {
          const headers = { 'Sec-Fetch-Site': from, Origin: 'https://evil.example' };
          expectError(await broadcast({ server_port: 2 }, headers), 'cross_site');
          const own = { body: aBroadcast({ server_id: body.server_id, players: 9 }), headers };
          expectError(await send('POST /ping', own), 'cross_site');
          expectError(await send('POST /remove', own), 'cross_site');
        }
      expectError(await broadcast({ server_port: 2 }, { Origin: 'https://evil.example' }), 'cross_site');
      expect(await shown()).to.include({ players: 3, server_port: 7777 });
      expect((await broadcast({}, { Origin: 'https://game.example' })).status).to.equal(200);
    },

    async 'use the key that a browser keeps for its user'() {
      await startOne({ GSLS_KEY: 'key', GSLS_ADMIN_KEY: 'boss' });
      const { body } = await broadcast({}, kept('key'));
      const image = `server_id=${body.server_id}&server_ip=203.0.113.7`;
      expectError(await send(`GET /ping?${image}`, { headers: kept('key') }), 'unauthorized');
      const form = { body: { name: '*', reason: 'all' }, headers: { 'Sec-Fetch-Site': 'cross-site' } };
      const sent = { ...form, headers: { ...form.headers, ...kept('boss') } };
      expectError(await send('POST /admin/bans', sent), 'cross_site');
      expectError(
        await send(`DELETE /admin/servers/${body.server_id}`, { headers: sent.headers }),
        'cross_site',
      );
      expect((await send('GET /', { headers: kept('key') })).body.count).to.equal(1);
    },

    async 'pass for nobody, by a reset as soon as it has sent'() {
      await start({ GSLS_MAX_SERVERS_PER_ADDRESS: '2' });
      for (let n = 1; n <= 12; n += 1) {
        const { socket } = await openRawConnection(replicas[n % replicas.length]!);
        const bytes = plainRequest('POST /broadcast', aBroadcast({ server_port: n }));
        await new Promise((resolve) => socket.write(bytes, resolve));
        socket.resetAndDestroy();
      }
      // Whatever those have sent is carried out before this is answered.
      for (const _ of replicas) await broadcast({ server_port: 100 });
      expect((await namesListed()).length).to.be.at.most(2);
    },

    async 'fill the list with invented game servers'() {
      await start({ GSLS_MAX_SERVERS_PER_ADDRESS: '5', GSLS_MAX_SERVERS: '8', GSLS_TRUST_PROXY: 'loopback' });
      const answers = [...(await flood('203.0.113.66')), ...(await flood('203.0.113.67'))];
      expect(answers.filter(({ status }) => status === 200)).to.have.length(8);
      for (const answer of answers) if (answer.status !== 200) expectError(answer, 'quota_exceeded');
      expect(await namesListed()).to.have.length(8);
    },

    async 'send more requests than its share'() {
      await start({ GSLS_RATE_LIMIT: 'broadcast=5/h,list=3/h' });
      let [taken, takenInTime] = [0, 0];
      for (let n = 0; n < 30; n += 1) {
        const sentAt = performance.now();
        const answer = await broadcast();
        if (answer.status !== 200) expectError(answer, 'rate_limited');
        else {
          taken += 1;
          // A replica waits 150 ms for the count of all, and then goes by its own.
          if (performance.now() - sentAt < 140) takenInTime += 1;
        }
      }
      expect(taken).to.be.at.least(5);
      expect(takenInTime).to.be.at.most(5);
      const lists = await Promise.all(
        Array.from({ length: 30 }, (_, n) => ask(replicas[n % replicas.length]!, 'GET /')),
      );
      expect(lists.filter(({ status }) => status === 200)).to.have.length(3 * 3);
    },

    async 'write without the key, or read the metrics'() {
      await startOne({ GSLS_KEY: 'key', GSLS_PUBLIC_READ: 'true' });
      for (const what of ['POST /broadcast', 'POST /ping', 'POST /remove', 'GET /metrics', 'GET /ping'])
        expectError(await send(what, what.startsWith('POST') ? { body: aBroadcast() } : {}), 'unauthorized');
      for (const what of ['GET /', 'GET /health', 'HEAD /']) expect((await send(what)).status).to.equal(200);
    },

    async 'reach the metrics, the configuration or /admin from outside'() {
      await startOne({ GSLS_OPS_PORT: '0', GSLS_ADMIN_KEY: 'boss' });
      const paths = ['/metrics', '/debug/config', '/livez', '/readyz', '/admin/bans', '/admin/servers'];
      for (const path of paths)
        for (const headers of [{}, { Authorization: 'boss' }] as Record<string, string>[])
          expectError(await send(`GET ${path}`, { headers }), 'not_found');
      for (const { opsUrl } of replicas) expect(opsUrl).to.match(/^http:\/\/127\.0\.0\.1:/);
    },

    async 'slow the public port by way of the operations port'() {
      await startOne({ GSLS_OPS_PORT: '0' });
      const { opsUrl } = replicas[0]!;
      const hostile = await Promise.all(
        Array.from({ length: 80 }, () => openRawConnection({ url: opsUrl! })),
      );
      for (const connection of hostile) connection.send(plainRequest('GET /metrics').repeat(10));
      const ends = Promise.allSettled(hostile.map((connection) => connection.answer()));
      for (let n = 0; n < 20; n += 1) expect((await ask(replicas[0]!, 'GET /')).status).to.equal(200);
      // The port takes 64 connections of one address.
      expect((await ends).filter(({ status }) => status === 'fulfilled')).to.have.length(64);
      for (const connection of hostile) connection.destroy();
    },

    async 'moderate with the key of game servers'() {
      await startOne({ GSLS_KEY: 'key', GSLS_ADMIN_KEY: 'boss' });
      const paths = ['GET /admin/bans', 'POST /admin/bans', 'GET /admin/servers', 'DELETE /admin/servers/id'];
      for (const what of paths) {
        expectError(await send(what, { body: {} }), 'unauthorized');
        expectError(await send(what, { headers: { Authorization: 'key' }, body: {} }), 'not_allowed');
      }
      expect((await send('GET /admin/bans', { headers: { Authorization: 'boss' } })).status).to.equal(200);
      expectError(await send('GET /', { headers: { Authorization: 'boss' } }), 'not_allowed');
      await startOne();
      expectError(await send('GET /admin/bans'), 'not_found');
    },

    async 'do with a key what it may not, or in another registry'() {
      await startMany();
      const own: AskOptions = { headers: { Authorization: 'racer servers' }, body: aBroadcast() };
      for (const what of ['GET /racer/', 'GET /racer/servers', 'GET /metrics'])
        expectError(await send(what, own), 'not_allowed');
      for (const what of ['POST /shooter/broadcast', 'POST /shooter/ping', 'POST /shooter/remove'])
        expectError(await send(what, own), 'not_allowed');
      expect((await send('POST /racer/broadcast', own)).status).to.equal(200);
    },

    async 'learn from one registry of another, or use its ids, tokens and codes there'() {
      await startMany();
      const listed = await send('POST /racer/broadcast', {
        body: aBroadcast({ server_name: 'a racer' }),
        headers: { Authorization: 'racer servers', ...CLAIM },
      });
      const headers = {
        Authorization: 'shooter servers',
        'Server-Token': String(listed.headers['server-token']),
      };
      const body = aBroadcast({ server_id: listed.body.server_id });
      expectError(await send('POST /shooter/ping', { body, headers }), 'unknown_server');
      for (const path of ['/shooter/', '/shooter/servers', '/', '/nowhere'])
        expect((await send(`GET ${path}`, { headers })).text).to.not.include('racer');
    },

    async 'say to a mirror, as one of its origins, what no game server could say'() {
      const good = {
        id: 'good',
        host: 'h',
        name: 'n',
        port: 1,
        ip: '203.0.113.7',
        players: 0,
        max_players: 1,
      };
      const forged = [
        { ...good, id: '~hidden' },
        { ...good, id: 'long', name: 'x'.repeat(200) },
        { ...good, id: 'turned', name: 'a\u202eb' },
        { ...good, id: 'nowhere', ip: '<script>' },
      ];
      const servers = [good, ...forged].map((server) => ({
        ...server,
        registered_at: '2026-01-01T00:00:00Z',
      }));
      const origin = createHttpServer((_, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ servers, removed: [], full: true, tag: 'a.1' }));
      });
      await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
      const { port } = origin.address() as AddressInfo;
      const mirror = await startTestService({ GSLS_MIRRORS: `o=http://127.0.0.1:${port}` });
      const list = await ask(mirror, 'GET /');
      await mirror.close();
      origin.closeAllConnections();
      origin.close();
      expect(list.body.servers).to.deep.equal([good]);
    },

    async 'come back after a ban under the same name or address'() {
      await start({ GSLS_ADMIN_KEY: 'boss' });
      const { body } = await broadcast({ server_name: 'Casino' }, CLAIM);
      await broadcast({ server_ip: '198.51.100.9', server_port: 2 });
      await ban({ name: '*casino*', mode: 'refuse' });
      await ban({ address: '198.51.100.0/24', mode: 'silent' });
      for (const _ of replicas) {
        expect(await namesListed()).to.deep.equal([]);
        for (const server_name of [
          'CASINO',
          'my casino',
          'Ca\u0301si\u0336no',
          '\uff23\uff41\uff53\uff49\uff4e\uff4f',
        ]) {
          const refused = await broadcast({ server_name });
          expectError(refused, 'banned');
          expect(refused.body.error).to.equal('banned: spam');
        }
        expectError(
          await send('POST /ping', {
            body: aBroadcast({ server_id: body.server_id, server_name: 'Casino' }),
          }),
          'banned',
        );
        for (const server_ip of ['198.51.100.77', '64:ff9b::c633:644d', '2002:c633:644d::1'])
          expect((await broadcast({ server_ip })).status).to.equal(200);
        expect((await broadcast({ server_host: '198.51.100.77.:7777' })).status).to.equal(200);
      }
      expect(await namesListed()).to.deep.equal([]);
    },

    async 'have the service connect to others, as a port scanner'() {
      const victim = await openVictim();
      const { port } = victim;
      // The client is on the same machine, whose address is not public.
      await startOne({ GSLS_VERIFY: 'tcp', GSLS_UNVERIFIED: 'show' });
      for (const server_ip of ['127.0.0.1', '::ffff:127.0.0.1', '::1']) {
        const { headers } = await broadcast({ server_ip, server_port: port });
        expect(headers['server-verification']).to.match(/is not tried/);
      }
      expect(
        (await broadcast({ server_ip: '8.8.8.8', server_port: 53 })).headers['server-verification'],
      ).to.match(/not tried/);
      expect(victim.connections()).to.equal(0);
      await victim.close();
    },

    async 'find an unlisted game server without its id or join code'() {
      await start({ GSLS_ALLOW_UNLISTED: 'true' });
      const unlisted = { unlisted: true, server_name: 'Our evening', map: 'home' };
      const { body, headers } = await broadcast(unlisted);
      await broadcast();
      const { tag } = JSON.parse((await send('GET /changes')).text) as { tag: string };
      const fields = aBroadcast({ server_id: body.server_id, ...unlisted, players: 9 });
      expect((await send('POST /ping', { body: fields })).status).to.equal(200);
      const readings = [
        '/',
        '/servers',
        '/servers?q=evening',
        `/servers?id=${body.server_id}`,
        '/servers?map=home&include=meta',
        '/stats?map=home',
        '/stats',
        '/changes',
        `/changes?since=${tag}`,
        '/history',
      ];
      for (const path of readings)
        expect((await send(`GET ${path}`)).text.replace(path, '')).to.not.match(
          new RegExp(`${body.server_id}|evening|"home"`),
        );
      expect((await send('POST /remove', { body: fields })).status).to.equal(200);
      for (const _ of replicas)
        expect((await send(`GET /changes?since=${tag}`)).text).to.not.include(body.server_id);
      // Nor is one found by what the list shows of an entry of the same key.
      const key = { 'Idempotency-Key': 'a key' };
      const hidden = (await broadcast(unlisted, key)).body.server_id!;
      const seen = (await broadcast({}, key)).body.server_id!;
      expect(hidden).to.not.include(seen);
      expectError(await send(`GET /servers/~${seen}`), 'unknown_server');
      const tries = Array.from({ length: 31 }, () =>
        ask(replicas[0]!, `GET /join/${String(headers['server-join-code'])}`),
      );
      expect((await Promise.all(tries)).map(({ status }) => status)).to.include(429);
    },

    async 'learn of an unlisted game server by a conflict of addresses'() {
      await start({ GSLS_UNIQUE_ADDRESS: 'true', GSLS_ALLOW_UNLISTED: 'true' });
      const hidden = [await broadcast({ unlisted: true }, CLAIM), await broadcast({ unlisted: true })];
      for (const headers of [{}, CLAIM] as Record<string, string>[])
        expect((await broadcast({}, headers)).status).to.equal(200);
      for (const { body } of hidden)
        expect((await send(`GET /servers/${body.server_id}`)).status).to.equal(200);
    },

    async 'learn from the doctor of unlisted entries, silent bans or other addresses'() {
      await start({ GSLS_ALLOW_UNLISTED: 'true', GSLS_TRUST_PROXY: 'loopback', GSLS_ADMIN_KEY: 'boss' });
      const at = { 'X-Forwarded-For': '203.0.113.7' };
      const stranger = { 'X-Forwarded-For': '198.51.100.9' };
      const doctor = async (body: object, headers: Record<string, string>): Promise<string> =>
        (await send('POST /doctor', { body, headers })).text;
      const hidden = (await broadcast({ unlisted: true }, { ...CLAIM, ...at })).body.server_id!;
      for (const headers of [at, stranger])
        for (const wrong of [{}, { 'Server-Token': `${hidden}.${'a'.repeat(43)}` }]) {
          const nobody = await doctor({ server_id: createUnlistedId() }, { ...headers, ...wrong });
          for (const _ of replicas)
            expect(await doctor({ server_id: hidden }, { ...headers, ...wrong })).to.equal(nobody);
        }
      const asked = { server_host: '203.0.113.7', server_port: 7777 };
      const nothing = await doctor(asked, stranger);
      const named = await broadcast({ server_name: 'Casino' }, at);
      const told = await doctor(asked, stranger);
      await ban({ name: 'casino', mode: 'silent' });
      expect(await namesListed()).to.deep.equal([]);
      for (const _ of replicas) expect(await doctor(asked, stranger)).to.equal(told);
      await ban({ name: 'casino', mode: 'refuse' });
      await send('GET /');
      for (const _ of replicas) {
        await namesListed();
        expect(await doctor({ ...asked, server_id: named.body.server_id }, stranger)).to.equal(nothing);
      }
    },

    async 'have the doctor try other machines, or many ports of its own'() {
      const victim = await openVictim();
      const { port } = victim;
      await start({ GSLS_VERIFY: 'tcp', GSLS_VERIFY_NETWORKS: 'loopback', GSLS_TRUST_PROXY: 'loopback' });
      for (const _ of replicas) await askAt(port, '198.51.100.9');
      expect(victim.connections()).to.equal(0);
      for (let n = 0; n < 2 * replicas.length; n += 1) await askAt(port, '127.0.0.1');
      for (const _ of replicas) await askAt(port + 1, '127.0.0.1');
      expect(victim.connections()).to.equal(1);
      await victim.close();
    },

    async 'wear a replica out by asking the doctor'() {
      await startOne();
      const body = { server_port: 7777 };
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => ask(replicas[0]!, 'POST /doctor', { body })),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(30);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectError(answer, 'rate_limited');
    },

    async 'list or keep a game server by another protocol at an address that is not its own'() {
      await startOne({ GSLS_PROTOCOLS: 'ddnet', GSLS_TRUST_PROXY: 'loopback' });
      const server = await DdnetGameServer.open();
      expect((await server.registerWith(replicas[0]!.url, anInfo())).status).to.equal('success');
      await server.delete(replicas[0]!.url);
      // Its own proof is none for another address.
      for (const { url } of replicas) {
        const headers = { 'X-Forwarded-For': '198.51.100.7', 'Content-Type': 'application/json' };
        const answer = await server.register(url, { headers, body: anInfo() });
        expect(answer).to.deep.equal({ http: 200, status: 'need_challenge' });
      }
      await server.close();
      expect(await namesListed()).to.deep.equal([]);
    },

    async 'have a victim flooded by packets with its address as sender'() {
      const ports: number[] = [];
      const info = (fields: object): void => {
        if ('port' in fields && 'addresses' in fields) ports.push(Number(fields.port));
      };
      await startOne({ GSLS_DPMASTER_PORT: '0' }, { ...silentLogger, info });
      const victim = createSocket('udp4');
      const packets: Buffer[] = [];
      victim.on('message', (packet) => packets.push(packet));
      const sendPacket = (text: string): void =>
        victim.send(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(text)]), ports[0], '127.0.0.1');
      for (let i = 0; i < 100; i += 1) {
        sendPacket('heartbeat DarkPlaces\n');
        sendPacket('getservers 71 empty full');
      }
      const limited = { protocol: 'dpmaster', outcome: 'limited' };
      await until(
        async () =>
          valueOf((await send('GET /metrics')).text, 'gsls_protocol_total', limited) === 184 &&
          packets.length === 16,
      );
      victim.close();
      const bytesOf = (command: string): number =>
        packets.filter((packet) => packet.includes(command)).reduce((sum, { length }) => sum + length, 0);
      expect(bytesOf('getinfo')).to.be.at.most(6 * 31);
      expect(bytesOf('getserversResponse')).to.be.at.most(10 * 1400);
    },

    async 'fill memory and Redis with documents of another protocol'() {
      await startOne({ GSLS_PROTOCOLS: 'ddnet', GSLS_MAX_PROTOCOL_BYTES_PER_ADDRESS: '32768' });
      const servers = await Promise.all([1, 2].map(() => DdnetGameServer.open()));
      const answers = [];
      for (const server of servers) {
        const info = anInfo({ motd: 'x'.repeat(20_000) });
        const headers = { 'Content-Type': 'application/json' };
        answers.push(await server.registerWith(replicas[0]!.url, info, { headers }));
      }
      await Promise.all(servers.map((server) => server.close()));
      expect(answers.map(({ http }) => http)).to.deep.equal([200, 403]);
      expect(answers[1]!.message).to.include('32768 bytes');
    },

    async 'give itself a label of the operator'() {
      await start({ GSLS_ADMIN_KEY: 'boss' });
      await broadcast({ tags: ['official'], labels: ['official'], meta: { labels: ['official'] } });
      expect(JSON.parse((await send('GET /servers?labels=*')).text)).to.include({ total: 0 });
      expect(JSON.parse((await send('GET /servers?tags=official')).text)).to.include({ total: 1 });
      const body = { label: 'official', id: String((await shown())['server_id']) };
      expectError(await send('POST /admin/labels', { body }), 'unauthorized');
      const headers = { Authorization: 'boss' };
      expect((await send('POST /admin/labels', { body, headers })).status).to.equal(201);
      expect(JSON.parse((await send('GET /servers?labels=official')).text)).to.include({ total: 1 });
    },

    async 'have an honest game server hidden by reports'() {
      await start({ GSLS_REPORT_REASONS: 'spam', GSLS_TRUST_PROXY: 'loopback' });
      await broadcast();
      const body = { id: (await shown())['server_id'], reason: 'spam' };
      for (let n = 0; n < 30; n += 1)
        expect(
          (await send('POST /report', { body, headers: { 'X-Forwarded-For': `198.51.${n}.1` } })).status,
        ).to.equal(200);
      expect(await namesListed()).to.deep.equal(['A server']);
    },

    async 'fill memory with reports, or vote often'() {
      await start({ GSLS_REPORT_REASONS: 'spam', GSLS_ADMIN_KEY: 'boss' });
      await broadcast();
      const body = { id: (await shown())['server_id'], reason: 'spam' };
      const answers = [];
      for (let n = 0; n < 36; n += 1) answers.push((await send('POST /report', { body })).status);
      expect(answers.filter((status) => status === 429)).to.have.length(6);
      const { text } = await send('GET /admin/reports', { headers: { Authorization: 'boss' } });
      expect((JSON.parse(text) as { reports: object[] }).reports[0]).to.include({ count: 1 });
    },

    async 'announce players who are not there, to be on top'() {
      const game = createSocket('udp4');
      game.on('message', (packet, { address, port }) => {
        const [, challenge] = /getinfo (\w+)/.exec(packet.toString('latin1'))!;
        const info = `\\challenge\\${challenge}\\clients\\2\\g_humanplayers\\2`;
        game.send(Buffer.from(`\u00ff\u00ff\u00ff\u00ffinfoResponse\n${info}`, 'latin1'), port, address);
      });
      await new Promise<void>((resolve) => game.bind(0, '127.0.0.1', resolve));
      const verify = {
        GSLS_VERIFY: 'quake3',
        GSLS_VERIFY_NETWORKS: '127.0.0.0/8',
        GSLS_PLAYERS_SEEN: 'true',
      };
      await startOne(verify);
      await broadcast({
        server_ip: '127.0.0.1',
        server_port: game.address().port,
        players: 60,
        max_players: 64,
      });
      await until(async () => (await send('GET /servers')).text.includes('"players_seen":2,'));
      const { servers } = JSON.parse((await send('GET /servers?sort=-players')).text) as {
        servers: object[];
      };
      expect(servers[0]).to.include({ players: 2 });
      game.close();
    },

    async 'be the nearest to every player, by the distances that it says'() {
      const latency = { nyc: 82 };
      const beacons = { fra: { url: 'https://a.example.com', latency }, nyc: 'https://b.example.com' };
      await start({ GSLS_BEACONS: JSON.stringify(beacons) });
      await broadcast({ server_name: 'honest', latency: { fra: 30, nyc: 100 } });
      await broadcast({ server_name: 'liar', server_port: 1, latency: { fra: 1, nyc: 1 } });
      await broadcast({ server_name: 'copy', server_port: 2, latency: { fra: 30, nyc: 100 } });
      for (let n = 0; n < replicas.length; n += 1) {
        const { text } = await send('GET /servers?near=fra:10,nyc:85&sort=near');
        const { servers } = JSON.parse(text) as { servers: { name: string; near_ms?: number }[] };
        expect(servers.map(({ name, near_ms: ms }) => [name, ms])).to.deep.equal([
          ['honest', 40],
          ['copy', 40],
          ['liar', undefined],
        ]);
      }
    },

    async 'learn where a player is, from a query for what is near'() {
      const lines: string[] = [];
      const note = (fields: object, text: string): void => void lines.push(JSON.stringify([fields, text]));
      const environment = { GSLS_BEACONS: '{"fra":"https://a.example.com"}', GSLS_LOG_LEVEL: 'debug' };
      await startOne(environment, { debug: note, info: note, warn: note, error: note });
      await broadcast({ latency: { fra: 30 } });
      for (const query of ['near=fra:1735', 'near=fra:1735&sort=wrong', 'near=fra:1735,&limit=1']) {
        const { headers, status } = await send(`GET /servers?${query}`);
        if (status === 200) expect(headers['cache-control']).to.equal('private, no-store');
      }
      expect(lines.some((line) => line.includes('/servers'))).to.equal(true);
      for (const line of lines) expect(line).to.not.include('1735');
      expect((await send('GET /metrics')).text).to.not.include('1735');
    },

    async 'pass for a moderator by the header of a proxy'() {
      await start({
        GSLS_OPS_PORT: '0',
        GSLS_MODERATOR_HEADER: 'X-User',
        GSLS_MODERATOR_PROXIES: '203.0.113.1',
      });
      const headers = { 'X-User': 'ann', 'X-Forwarded-For': '203.0.113.1' };
      for (const { url, opsUrl } of replicas) {
        expectError(await ask({ url: opsUrl! }, 'GET /admin/bans', { headers }), 'unauthorized');
        expectError(await ask({ url }, 'GET /admin/bans', { headers }), 'not_found');
      }
    },

    async 'take all the streams of a replica'() {
      await startOne({ GSLS_MAX_STREAMS_PER_ADDRESS: '2' });
      const stream = { headers: { Accept: 'text/event-stream' } };
      const [replica] = replicas;
      const held = [1, 2].map(() => request(`${replica!.url}/changes`, stream).end());
      const answers = held.map(
        (each) => new Promise<IncomingMessage>((resolve) => each.once('response', resolve)),
      );
      for (const answer of answers) expect((await answer).statusCode).to.equal(200);
      expectError(await ask(replica!, 'GET /changes', stream), 'too_many_streams');
      expect((await ask(replica!, 'GET /changes')).status).to.equal(200);
      for (const each of held) each.destroy();
    },

    async 'run a script or lead players astray on the page, by its texts'() {
      await startOne({ GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}?name={name}' });
      const hostile = `"><script>a()</script><a href='javascript:a()'>`;
      await broadcast({ server_name: hostile, server_host: hostile, map: hostile, tags: ['javascript:a()'] });
      const { text, headers } = await send('GET /browse');
      expect(headers['content-security-policy']).to.include("script-src 'self'");
      expect(text).to.include('&lt;script>');
      expect(text).to.not.match(/<script(?! (?:defer )?src="\.\/browse\/)/);
      for (const [, href] of text.matchAll(/href="([^"]*)"/g))
        expect(href).to.match(/^(#|(\.\/)+(browse|docs$|$)|steam:)/);
      await startOne({ GSLS_NO_PAGE: 'true' });
      expectError(await send('GET /browse'), 'not_found');
    },

    async 'control the terminal or forge a line of the log with its texts'() {
      const lines: string[] = [];
      const note = (fields: object): void => void lines.push(JSON.stringify(fields));
      await startOne({}, { debug: note, info: note, warn: note, error: note });
      const hostile = '\u001b]0;owned\u0007\r\n{"level":60}';
      for (const server_name of [hostile, `a${hostile}`])
        expectError(await broadcast({ server_name }), 'invalid_request');
      await send(`GET /${encodeURIComponent(hostile)}`);
      // What the log makes of such texts is tested in test/runtime/log.
      for (const line of lines) expect(line).to.not.include('owned\u0007');
    },
  };

  for (const [threat, check] of Object.entries(THREATS)) it(`a client may try to ${threat}`, check);

  it('is the table of SECURITY.md', () => {
    expect(tableOf(readDocument('SECURITY.md'), 'threats').map(([threat]) => threat)).to.deep.equal(
      Object.keys(THREATS),
    );
  });
});
