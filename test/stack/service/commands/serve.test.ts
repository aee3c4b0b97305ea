/** A service as a process: its flags and variables, its first lines, its signals and exit codes. */

import { expect } from 'chai';
import { OPTIONS } from '../../../../src/service/config/options.ts';
import type { OptionDefinition } from '../../../../src/service/config/option.ts';
import { ask, askCurrent, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { openRawConnection, type RawConnection } from '../../../support/raw-connection.ts';
import { freePort } from '../../../support/free-port.ts';
import { needs } from '../../../support/needs.ts';
import { startRedisServer } from '../../../support/redis-server.ts';
import { runCli, startCli, startListeningCli, type ListeningCli } from '../../../support/start-cli.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';

/** A broadcast that the service has begun to read, without its body. */
async function beginBroadcast(cli: ListeningCli): Promise<{ connection: RawConnection; body: string }> {
  const connection = await openRawConnection(cli);
  const body = JSON.stringify(aBroadcast());
  connection.send(
    `POST /broadcast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  expect((await connection.answer()).status).to.equal(100);
  return { connection, body };
}

/** Makes Node print the CommonJS modules that were loaded when the process ends. */
const TELLING_MODULES = [
  '--import',
  `data:text/javascript,import { Module } from 'node:module';
  process.on('exit', () => process.stderr.write(Object.keys(Module._cache).join(' ')));`,
];

/** Starts the built program: coverage counts such a service elsewhere, and to measure it here too takes a minute. */
function start(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ListeningCli> {
  return startListeningCli(args, environment, false);
}

const KOA = /[\\/]koa[\\/]/;
const AJV = /[\\/]ajv[\\/]/;

/** The files of packages that a service has loaded once it has answered the request. */
async function packagesAfter(flags: readonly string[], request: string): Promise<string> {
  const args = ['--port', '0', '--host', '127.0.0.1', ...flags];
  const cli = startCli(args, {}, { nodeArgs: TELLING_MODULES });
  const { url } = await cli.logged('listening on');
  await ask({ url: url! }, request, request.startsWith('POST') ? { body: aBroadcast() } : {});
  cli.kill('SIGINT');
  return (await cli.exited).stderr;
}

describe('a service process', function () {
  this.timeout(120_000);

  it('what makes the log pretty is loaded only where it is pretty', async () => {
    const [json, pretty] = await Promise.all(
      ['json', 'pretty'].map((format) => {
        // An address of no machine, so that it ends by itself.
        const args = ['--log-format', format, '--port', '0', '--host', '203.0.113.1'];
        return startCli(args, {}, { nodeArgs: TELLING_MODULES }).exited;
      }),
    );
    expect(pretty!.stderr).to.include('pino-pretty').and.to.include('is not an address of this machine');
    expect(json!.stderr).to.include('pino.js').and.to.not.include('pino-pretty');
  });

  needs('POSIX').it('in memory, what only some requests need is loaded for the first of them', async () => {
    const list = await packagesAfter([], 'GET /');
    expect(list).to.include('pino').and.to.not.match(KOA).and.to.not.match(AJV).and.to.not.include('ioredis');
    expect(await packagesAfter([], 'POST /broadcast'))
      .to.match(AJV)
      .and.to.not.match(KOA);
    expect(await packagesAfter([], 'GET /nothing'))
      .to.match(KOA)
      .and.to.not.match(AJV);
  });

  needs('POSIX').it('a replica on Redis has loaded it before it answers', async () => {
    const absent = `redis://127.0.0.1:${await freePort()}`;
    expect(await packagesAfter(['--redis', absent], 'GET /health'))
      .to.match(KOA)
      .and.to.match(AJV);
  });

  describe('in memory', () => {
    let cli: ListeningCli;
    afterEach(() => cli.stop());

    it('the log says where the registry is and where the service listens, one JSON object per line', async () => {
      cli = await start();
      const { msg } = await cli.logged('the registry is');
      expect(msg).to.include('in the memory of this process').and.to.include('--redis');
      expect((await ask(cli, 'GET /')).text).to.equal('{"servers":[],"count":0}');
    });

    it('the log names the operations port as well, where there is one', async () => {
      cli = await start(['--ops-port', '0']);
      const { url, opsUrl, msg } = await cli.logged('listening on');
      expect(msg).to.equal(`listening on ${url}, for people on ${url}/browse, for operators on ${opsUrl}`);
      expect((await ask({ url: opsUrl! }, 'GET /readyz')).text).to.equal('{"ready":true}');
    });

    it('the log says where the page for people is, unless there is none', async () => {
      cli = await start();
      const { url, browseUrl, msg } = await cli.logged('listening on');
      expect([browseUrl, msg]).to.deep.equal([
        `${url}/browse`,
        `listening on ${url}, for people on ${url}/browse`,
      ]);
      expect((await ask(cli, 'GET /browse')).status).to.equal(200);
      const other = await start(['--no-page']);
      const without = await other.logged('listening on');
      await other.stop();
      expect([without.browseUrl, without.msg]).to.deep.equal([undefined, `listening on ${other.url}`]);
    });

    it('the log says where the games of each protocol register', async () => {
      cli = await start(['--protocols', 'ddnet,luanti']);
      const { registerUrl } = await cli.logged('games that speak the protocol of ddnet register at');
      expect(registerUrl).to.equal(`${cli.url}/ddnet/15/register`);
      expect((await ask(cli, 'POST /ddnet/15/register')).status).not.to.equal(404);
      const luanti = await cli.logged('games that speak the protocol of luanti register at');
      expect(luanti.registerUrl).to.equal(`${cli.url}/luanti`);
      expect((await ask(cli, 'POST /luanti/announce')).status).not.to.equal(404);
    });

    it('the log warns that no key is set, and only then', async () => {
      cli = await start();
      const { level, msg } = await cli.logged('no key is set');
      const { port } = new URL(cli.url);
      expect([level, msg]).to.deep.equal([
        40,
        `no key is set: any client that can reach port ${port} may read and write; see --key`,
      ]);
      const other = await start([], { GSLS_KEY: 'secret' });
      other.kill('SIGINT');
      expect((await other.exited).stdout).to.not.include('no key is set');
    });

    it('every switch is accepted, except those that need another option or the page', async () => {
      const needing =
        '--redis-tls --public-read --page-redirect --registry-index --report-notes --players-seen --proxy-protocol'.split(
          ' ',
        );
      const switches = Object.values<OptionDefinition<unknown>>(OPTIONS).filter(
        ({ argument, flag }) => argument === undefined && !needing.includes(flag),
      );
      cli = await start([...switches.map(({ flag }) => flag), '--trust-proxy', 'loopback']);
      const body = aBroadcast({ server_ip: '1.1.1.1' });
      const headers = { 'X-Forwarded-For': '1.1.1.1' };
      for (let n = 0; n < 2; n += 1) await ask(cli, 'POST /broadcast', { body, headers });
      expect((await ask(cli, 'GET /')).body.count).to.equal(1);
    });

    it('a flag wins over a variable', async () => {
      cli = await start(['--ttl', '90', '--key', 'a', '--key', 'b'], {
        GSLS_TTL: '30',
        GSLS_KEY: 'c',
      });
      const statusOf = async (key: string) =>
        (await ask(cli, 'GET /', { headers: { Authorization: key } })).status;
      expect([await statusOf('a'), await statusOf('b'), await statusOf('c')]).to.deep.equal([200, 200, 401]);
      const { headers } = await ask(cli, 'POST /broadcast', {
        body: aBroadcast(),
        headers: { Authorization: 'a' },
      });
      expect(headers['server-ttl']).to.equal('90');
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      it(`${signal} lets running requests finish, and ends with code 0`, async () => {
        cli = await start();
        const { connection, body } = await beginBroadcast(cli);
        cli.kill(signal);
        await cli.logged('draining');
        expect((await connection.send(body).answer()).status).to.equal(200);
        await connection.end();
        const { code, stdout, stderr } = await cli.exited;
        expect([code, stderr]).to.deep.equal([0, '']);
        expect(stdout).to.include('"stopped"');
      });

    it('requests are answered for --drain-delay after SIGTERM, with a failing health', async () => {
      cli = await start(['--drain-delay', '300']);
      cli.kill('SIGTERM');
      expect(await cli.logged('draining')).to.include({ delayMs: 300_000 });
      expectError(await ask(cli, 'GET /health'), 'shutting_down');
      const { status, headers } = await ask(cli, 'GET /');
      expect([status, headers.connection]).to.deep.equal([200, 'close']);
      const check = await runCli(['healthcheck', '--host', '127.0.0.1', '--port', new URL(cli.url).port]);
      expectComplaint(check, 1, /answers 503: this replica is about to stop/);
    });

    it('SIGINT does not wait for --drain-delay: it comes from a terminal', async () => {
      cli = await start(['--drain-delay', '300']);
      cli.kill('SIGINT');
      expect(await cli.exited).to.include({ code: 0, stderr: '' });
    });

    it('a second signal ends the process at once', async () => {
      cli = await start();
      const { connection } = await beginBroadcast(cli);
      // Closed or reset: the process does not wait for its connections.
      const closed = new Promise((resolve) => connection.socket.once('close', resolve));
      cli.kill('SIGTERM');
      await cli.logged('draining');
      cli.kill('SIGTERM');
      const { code, stdout } = await cli.exited;
      expect(code).to.equal(1);
      expect(stdout).to.not.include('"stopped"');
      await closed;
    });
  });

  needs('redis-server').describe('without its Redis', () => {
    it('a service starts, says so, refuses with Retry-After, and is healthy as soon as Redis is there', async () => {
      const port = await freePort();
      const cli = await start([], { GSLS_REDIS: `redis://127.0.0.1:${port}` });
      try {
        expect(await cli.logged('Redis is away')).to.include({
          level: 40,
          redis: `127.0.0.1:${port}`,
          reason: `connect ECONNREFUSED 127.0.0.1:${port}: nothing listens there; does Redis run, and are host and port right?`,
        });
        // Each of them waits a second for Redis.
        const calls = ['POST /broadcast', 'GET /', 'GET /health'];
        const answers = calls.map((call) => ask(cli, call, { body: aBroadcast() }));
        for (const answer of await Promise.all(answers)) {
          expectError(answer, 'registry_unavailable');
          expect(answer.headers['retry-after']).to.match(/^[1-5]$/);
        }
        const redis = await startRedisServer({ port });
        try {
          expect((await cli.logged('Redis is back')).outageMs).to.be.above(0);
          expect(cli.log.filter(({ msg }) => msg.includes('Redis is'))).to.have.lengthOf(2);
          const { status, body } = await ask(cli, 'POST /broadcast', { body: aBroadcast() });
          expect(status).to.equal(200);
          const list = await askCurrent(cli, 'GET /');
          expect(list.body.servers?.map(({ id }) => id)).to.deep.equal([body.server_id]);
          cli.kill('SIGTERM');
          expect(await cli.logged('draining')).to.include({ delayMs: 3000 });
          expect(await cli.exited).to.include({ code: 0, stderr: '' });
        } finally {
          await redis.stop();
        }
      } finally {
        await cli.stop();
      }
    });
  });
});
