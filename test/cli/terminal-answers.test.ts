/** What list and watch say of services that do not list, and in which forms list prints one that does. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { ClientCommand } from '../../src/tools/client-command.ts';
import { list } from '../../src/tools/terminal/list.ts';
import { watch } from '../../src/tools/terminal/watch.ts';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { listen } from '../support/listen.ts';
import { startTestService } from '../support/start-test-service.ts';
import { aServer, HOSTILE_NAMES } from '../tools/terminal/a-server.ts';

/** What no terminal may get of a game server: control characters but line ends, and directions. */
const HARMFUL = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  command: ClientCommand,
  args: readonly string[],
  {
    environment = {},
    columns,
  }: { readonly environment?: Record<string, string>; readonly columns?: number } = {},
): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const outputOf = (name: keyof Printed) => ({
    write: (text: string): void => void (printed[name] += text),
    ...(columns !== undefined && { isTTY: true, columns }),
  });
  const [stdout, stderr] = [outputOf('stdout'), outputOf('stderr')];
  await command(args, { version: '1.2.3', environment, stdout, stderr });
  return printed;
}

/** Lists two game servers. */
async function broadcastTwo(
  service: Service,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  for (const fields of [
    { server_name: '=1+1', players: 3, meta: { rules: 'none' } },
    { server_name: 'Zweiter', server_port: 7778, players: 9, map: 'de_dust2' },
  ])
    await ask(service, 'POST /broadcast', { body: aBroadcast(fields), headers });
  return service.url;
}

async function complaint(...about: Parameters<typeof run>): Promise<string> {
  return run(...about).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

describe('a command for terminals', () => {
  const servers: Server[] = [];
  const services: Service[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await Promise.all(services.splice(0).map((each) => each.close()));
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await listen(server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function start(flags: Parameters<typeof startTestService>[0] = {}): Promise<Service> {
    const started = await startTestService(flags);
    services.push(started);
    return started;
  }

  for (const [name, command] of Object.entries({ list, watch }))
    describe(name, () => {
      it('says in one line that nobody answers', async () => {
        const url = await serve(() => undefined);
        await new Promise((resolve) => servers.pop()!.close(resolve));
        expect(await complaint(command, [url])).to.match(
          / does not answer: the connection was refused \(ECONNREFUSED\)$/,
        );
      });

      it('says in one line that another program answers, whatever it says', async () => {
        const url = await serve((_, response) => response.writeHead(404).end('<h1>\u001b[2JNot found</h1>'));
        expect(await complaint(command, [url])).to.match(/ answers 404: the answer is none of GSLS$/);
      });

      it('says in one line where a redirect leads', async () => {
        const url = await serve((_, response) =>
          response.writeHead(301, { Location: 'http://a.example/' }).end(),
        );
        expect(await complaint(command, [url])).to.match(
          / answers 301: the answer leads to http:\/\/a\.example\//,
        );
      });

      it('asks for the key that is missing or wrong', async () => {
        const { url } = await start({ GSLS_KEY: 'schlüssel' });
        expect(await complaint(command, [url])).to.match(/ asks for a key: set GSLS_KEY, or give --key$/);
        expect(await complaint(command, [url, '--key', 'other'])).to.match(/ asks for a key/);
      });

      it('says of several services why the first one does not answer', async () => {
        const { url } = await start({ GSLS_KEY: 'schlüssel' });
        const other = await serve((_, response) => response.writeHead(404).end());
        expect(await complaint(command, [url, other])).to.match(/ asks for a key/);
      });

      it('names the parameter that the service does not take', async () => {
        const { url } = await start();
        expect(await complaint(command, [url, 'players=many'])).to.match(/ answers 400: players /);
      });
    });

  describe('list', () => {
    it('prints what the next service lists where one fails, and says of which', async () => {
      const url = await broadcastTwo(await start());
      const other = await serve((_, response) => response.writeHead(502).end());
      const printed = await run(list, [other, 'players=9', url, '--json']);
      expect(JSON.parse(printed.stdout)).to.have.length(1);
      expect(printed.stderr).to.equal(
        `gsls: ${other}/ answers 502: the answer is none of GSLS; this is the list of ${url}/\n`,
      );
    });

    it('prints JSON, of an empty list as well', async () => {
      const url = await broadcastTwo(await start());
      const { stdout } = await run(list, [url, '--json', 'sort=name']);
      expect(stdout).to.match(/^\[\n\{.*\},\n\{.*\}\n\]\n$/);
      const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
      expect(names).to.deep.equal(['=1+1', 'Zweiter']);
      expect(JSON.parse((await run(list, [url, '--json', '--limit', '1'])).stdout)).to.have.length(1);
      expect((await run(list, [url, '--json', 'region=none'])).stdout).to.equal('[]\n');
    });

    it('prints CSV in which no text is a formula', async () => {
      const { stdout } = await run(list, [
        await broadcastTwo(await start()),
        '--csv',
        '--columns',
        'name,meta.rules',
      ]);
      expect(stdout.split('\r\n').slice(0, 2)).to.deep.equal(['name,meta.rules', "'=1+1,none"]);
    });

    it('prints a table that fits', async () => {
      const url = await broadcastTwo(await start({ GSLS_KEY: 'secret' }), { Authorization: 'Bearer secret' });
      const environment = { GSLS_KEY: 'secret', TERM: 'xterm-256color' };
      const { stdout: plain } = await run(list, [url], {
        environment: { ...environment, NO_COLOR: '1' },
        columns: 40,
      });
      expect(plain).to.not.include('\u001b');
      expect(plain).to.include('Zweiter').and.include('2 servers, 12 players');
      for (const line of plain.split('\n')) expect(line.length).to.be.at.most(40);
    });

    it('lets nothing of a hostile name through, in any form, and gives each server a line', async () => {
      const hostile = HOSTILE_NAMES.map((name) => aServer({ name, map: name }));
      const total = hostile.length;
      const url = await serve((_, response) =>
        response.end(
          JSON.stringify({ status: 'success', servers: hostile, count: total, total, next: null }),
        ),
      );
      for (const args of [[], ['--csv'], ['--json']])
        expect((await run(list, [url, ...args])).stdout).to.not.match(HARMFUL);
      const { stdout } = await run(list, [url], { environment: { NO_COLOR: '1' }, columns: 30 });
      expect(stdout).to.not.match(/(?!\n)\p{Cc}/u);
      const lines = stdout.split('\n');
      expect(lines.filter((line) => line.includes('3/16'))).to.have.length(total);
      expect(lines.at(-2)).to.equal(`${total} servers, ${3 * total} players`.slice(0, 30));
    });

    it('says as of when a stale list is', async () => {
      const answer = { status: 'success', servers: [], count: 0, total: 0, next: null };
      const url = await serve((_, response) => {
        response.setHeader('Warning', '110 - "Response is Stale"');
        response.setHeader('Age', '90');
        response.end(JSON.stringify(answer));
      });
      expect((await run(list, [url])).stderr).to.match(
        /^gsls: the list is as of \d{4}-.*Z: the service has none newer\n$/,
      );
    });
  });
});
