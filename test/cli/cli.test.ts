/** The program as its users meet it: a process with flags, variables, output, signals and exit codes. */

import { expect } from 'chai';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { OPTIONS } from '../../src/config/config.ts';
import type { OptionDefinition } from '../../src/config/option.ts';
import { ask, expectError } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { openRawConnection, type RawConnection } from '../support/raw-connection.ts';
import { freePort, hasRedisServer, startRedisServer } from '../support/redis-server.ts';
import {
  runCli,
  startCli,
  startListeningCli,
  type CliExit,
  type ListeningCli,
} from '../support/start-cli.ts';

/** One line for a person, and no stack. */
function expectComplaint({ code, stdout, stderr }: CliExit, exitCode: number, line: RegExp): void {
  expect(stderr).to.match(/^gsls: [^\n]+\n$/);
  expect(stderr).to.match(line);
  expect(stderr).to.not.match(/^ +at |node_modules|\.ts:\d/m);
  expect(stdout).to.not.include('listening on');
  expect(code).to.equal(exitCode);
}

/** A broadcast whose body is still to come, and of which the service knows. */
async function beginBroadcast(cli: ListeningCli): Promise<{ connection: RawConnection; body: string }> {
  const connection = await openRawConnection(cli);
  const body = JSON.stringify(aBroadcast());
  connection.send(
    `POST /broadcast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  expect((await connection.answer()).status).to.equal(100);
  return { connection, body };
}

function check(url: string, environment: Record<string, string> = {}): Promise<CliExit> {
  return runCli(['healthcheck', '--host', '127.0.0.1', '--port', new URL(url).port], environment);
}

describe('the command line', function () {
  this.timeout(30_000);

  describe('asked for words', () => {
    it('shows every option with its variable, and examples, with --help', async () => {
      const { code, stdout, stderr } = await runCli(['--help']);
      for (const { flag, argument, variable } of Object.values<OptionDefinition<unknown>>(OPTIONS)) {
        expect(stdout).to.include(`\n  ${argument ? `${flag} ${argument}` : flag}\n`);
        expect(stdout).to.include(`(${variable};`);
      }
      expect(stdout)
        .to.include('healthcheck')
        .and.to.match(/\nExamples:\n {2}gsls /);
      expect([code, stderr]).to.deep.equal([0, '']);
    });

    it('groups the options, in 80 columns where there is no terminal', async () => {
      const { stdout } = await runCli(['help']);
      const groups = ['Service', 'Access', 'Redis', 'Registry', 'List', 'Logs'];
      expect(stdout.match(/^\w+(?=:$)/gm)).to.deep.equal([...groups, 'Options', 'Commands', 'Examples']);
      expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    });

    it('shows the help of a command', async () => {
      const { code, stdout } = await runCli(['help', 'reset']);
      expect(stdout).to.match(/^Usage: gsls reset .*\n {2}--yes\n {6}do not ask for confirmation\n/s);
      expect([code, (await runCli(['reset', '--help'])).stdout]).to.deep.equal([0, stdout]);
    });

    it('tells the version of the package with --version, -v and -V', async () => {
      const { version } = JSON.parse(
        readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
      ) as {
        version: string;
      };
      for (const flag of ['--version', '-v', '-V'])
        expect(await runCli([flag])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it('ends without a stack when its words cannot be written', async function () {
      if (process.platform !== 'linux') this.skip();
      const stdout = openSync('/dev/full', 'w');
      const { exited } = startCli(['--help'], {}, { stdout });
      closeSync(stdout);
      expect(await exited).to.include({ code: 0, stderr: '' });
    });
  });

  describe('told what it cannot do', () => {
    const COMPLAINTS: readonly (readonly [readonly string[], Record<string, string>, RegExp])[] = [
      [['--prot', '1'], {}, /: --prot is no option of ours: did you mean --port\?$/m],
      [['-port', '1'], {}, /did you mean --port\?$/m],
      [['--redis-url', 'x'], {}, /did you mean --redis\?$/m],
      [['reset', '--yse'], {}, /did you mean --yes\?$/m],
      [['--nonsense'], {}, /: --nonsense is no option of ours; see gsls --help$/m],
      [['--unique-address=no'], {}, /--unique-address takes no value: give it alone, or leave it out/],
      [['healthchek'], {}, /: healthchek is no command of ours: did you mean healthcheck\?$/m],
      [['start'], {}, /gsls alone starts the service, its commands are healthcheck and reset/],
      [['healthcheck', 'extra'], {}, /healthcheck takes options only/],
      [['help', 'nonsense'], {}, /help is there for healthcheck and reset/],
      [['--port'], {}, /argument missing/],
      [['--port', '65536'], {}, /--port must be an integer from 0 to 65535, not "65536"/],
      [['--key-file', '/nowhere/keys'], {}, /the key file \/nowhere\/keys cannot be read/],
      [[], { GSLS_PROT: '1' }, /: GSLS_PROT is no variable of ours: did you mean GSLS_PORT\?$/m],
      [[], { GSLS_NONSENSE: '1' }, /GSLS_NONSENSE is no variable of ours; see gsls --help$/m],
      [[], { GSLS_PORT: 'tcp://10.0.0.1:53600' }, /enableServiceLinks: false/],
    ];

    for (const [args, variables, line] of COMPLAINTS)
      it(`ends with code 2 and one line: ${[...args, ...Object.entries(variables)].join(' ')}`, async () => {
        expectComplaint(await runCli(args, variables), 2, line);
      });

    it('repeats no control characters', async () => {
      expectComplaint(await runCli(['--ttl', '1\n\u001B[2J']), 2, /, not "1 \[2J"; see gsls --help\n$/);
    });

    it('does not repeat what may be a key', async () => {
      for (const args of [['--kye=hunter2'], ['--key', 'my', 'hunter2'], ['reset', 'hunter2']]) {
        const exit = await runCli(args);
        expectComplaint(exit, 2, /^gsls: /);
        expect(exit.stderr).to.not.include('hunter2');
      }
    });

    it('ends with code 1 and one line when the port is in use', async () => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
      const { port } = holder.address() as AddressInfo;
      try {
        const exit = await runCli(['--host', '127.0.0.1', '--port', String(port)]);
        expectComplaint(exit, 1, new RegExp(`port ${port} is already in use.*--port`));
      } finally {
        await new Promise((resolve) => holder.close(resolve));
      }
    });

    it('ends with code 1 and one line when the host is no address of this machine', async () => {
      const exit = await runCli(['--host', '203.0.113.1', '--port', '0']);
      expectComplaint(exit, 1, /203\.0\.113\.1 is no address of this machine.*--host/);
    });
  });

  describe('running', () => {
    let cli: ListeningCli;
    afterEach(() => cli.stop());

    it('says where it listens and where the registry is, one JSON object a line', async () => {
      cli = await startListeningCli();
      const { msg } = await cli.logged('the registry is');
      expect(msg).to.include('in the memory of this process').and.to.include('--redis');
      expect((await ask(cli, 'GET /')).text).to.equal('{"servers":[],"count":0}');
    });

    it('warns that no key is set, in words, and only then', async () => {
      cli = await startListeningCli();
      const { level, msg } = await cli.logged('no key is set');
      const { port } = new URL(cli.url);
      expect([level, msg]).to.deep.equal([
        40,
        `no key is set: any client that can reach port ${port} may read and write; see --key`,
      ]);
      const other = await startListeningCli([], { GSLS_KEY: 'secret' });
      other.kill('SIGINT');
      expect((await other.exited).stdout).to.not.include('no key is set');
    });

    it('takes every switch, but for that of TLS, which needs a Redis', async () => {
      const switches = Object.values<OptionDefinition<unknown>>(OPTIONS).filter(
        ({ argument, flag }) => argument === undefined && flag !== '--redis-tls',
      );
      cli = await startListeningCli(switches.map(({ flag }) => flag));
      for (let n = 0; n < 2; n += 1) await ask(cli, 'POST /broadcast', { body: aBroadcast() });
      expect((await ask(cli, 'GET /')).body.count).to.equal(1);
    });

    it('takes flags before variables', async () => {
      cli = await startListeningCli(['--ttl', '90', '--key', 'a', '--key', 'b'], {
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
      it(`finishes what is running at ${signal}, and ends with code 0`, async () => {
        cli = await startListeningCli();
        const { connection, body } = await beginBroadcast(cli);
        cli.kill(signal);
        await cli.logged('draining');
        expect((await connection.send(body).answer()).status).to.equal(200);
        await connection.end();
        const { code, stdout, stderr } = await cli.exited;
        expect([code, stderr]).to.deep.equal([0, '']);
        expect(stdout).to.include('"stopped"');
      });

    it('serves on for --drain-delay at SIGTERM, but is unhealthy', async () => {
      cli = await startListeningCli(['--drain-delay', '300']);
      cli.kill('SIGTERM');
      expect(await cli.logged('draining')).to.include({ delayMs: 300_000 });
      expectError(await ask(cli, 'GET /health'), 'shutting_down');
      const { status, headers } = await ask(cli, 'GET /');
      expect([status, headers.connection]).to.deep.equal([200, 'close']);
      expectComplaint(await check(cli.url), 1, /answers 503: this replica is about to stop/);
    });

    it('does not wait for --drain-delay at SIGINT: somebody at a terminal does', async () => {
      cli = await startListeningCli(['--drain-delay', '300']);
      cli.kill('SIGINT');
      expect(await cli.exited).to.include({ code: 0, stderr: '' });
    });

    it('ends at once at the second signal', async () => {
      cli = await startListeningCli();
      const { connection } = await beginBroadcast(cli);
      const closed = once(connection.socket, 'close');
      cli.kill('SIGTERM');
      await cli.logged('draining');
      cli.kill('SIGTERM');
      const { code, stdout } = await cli.exited;
      expect(code).to.equal(1);
      expect(stdout).to.not.include('"stopped"');
      await closed;
    });
  });

  describe('healthcheck', () => {
    it('ends with code 0 while the replica is well', async () => {
      const cli = await startListeningCli();
      await ask(cli, 'POST /broadcast', { body: aBroadcast() });
      const exit = await check(cli.url);
      await cli.stop();
      expect(exit).to.deep.equal({ code: 0, stdout: 'healthy, 1 servers listed\n', stderr: '' });
    });

    it('uses the key it is configured with', async () => {
      const cli = await startListeningCli([], { GSLS_KEY: 'secret' });
      const [right, wrong, none] = await Promise.all([
        check(cli.url, { GSLS_KEY: 'secret' }),
        check(cli.url, { GSLS_KEY: 'other' }),
        check(cli.url),
      ]);
      await cli.stop();
      expect(right.code).to.equal(0);
      expectComplaint(wrong, 1, /answers 401/);
      expectComplaint(none, 1, /answers 401/);
    });

    it('sends a key of any letters as the service reads it', async () => {
      for (const key of ['k\u00e9y \u{1F511} \u4e2d', '\u00e0']) {
        const cli = await startListeningCli([], { GSLS_KEY: key });
        const exit = await check(cli.url, { GSLS_KEY: key });
        await cli.stop();
        expect(exit).to.include({ code: 0, stderr: '' });
      }
    });

    it('ends with code 1 and one line when something else answers, or keeps silent', async () => {
      const other = createHttpServer((request, response) => {
        if (request.headers.authorization === undefined) response.end('<html>');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const [html, silence] = await Promise.all([check(url), check(url, { GSLS_KEY: 'secret' })]);
      other.closeAllConnections();
      await new Promise((resolve) => other.close(resolve));
      expectComplaint(html, 1, /answers 200: it is not GSLS that listens there$/m);
      expectComplaint(silence, 1, /does not answer: nothing for 2 s$/m);
    });

    it('ends with code 1 and one line when nobody answers', async () => {
      const exit = await check(`http://127.0.0.1:${await freePort()}`);
      expectComplaint(exit, 1, /does not answer: ECONNREFUSED/);
    });
  });

  describe('with Redis away', () => {
    if (!hasRedisServer()) return;

    it('starts, says so, refuses with Retry-After, and is well as soon as Redis is there', async () => {
      const port = await freePort();
      const cli = await startListeningCli([], { GSLS_REDIS: `redis://127.0.0.1:${port}` });
      try {
        expect(await cli.logged('Redis is away')).to.include({
          level: 40,
          redis: `127.0.0.1:${port}`,
          reason: `connect ECONNREFUSED 127.0.0.1:${port}: nothing listens there; does Redis run, and are host and port right?`,
        });
        for (const call of ['POST /broadcast', 'GET /', 'GET /health']) {
          const answer = await ask(cli, call, { body: aBroadcast() });
          expectError(answer, 'registry_unavailable');
          expect(answer.headers['retry-after']).to.match(/^[1-5]$/);
        }
        const redis = await startRedisServer({ port });
        try {
          expect((await cli.logged('Redis is back')).outageMs).to.be.above(0);
          expect(cli.log.filter(({ msg }) => msg.includes('Redis is'))).to.have.lengthOf(2);
          const { status, body } = await ask(cli, 'POST /broadcast', { body: aBroadcast() });
          expect(status).to.equal(200);
          const list = await ask(cli, 'GET /');
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
