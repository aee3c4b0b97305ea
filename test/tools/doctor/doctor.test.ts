/** `gsls doctor` in this process: the causes that it names, its exit codes, and what it prints of hostile answers. */

import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createDoctorCommand } from '../../../src/tools/doctor/doctor.ts';
import { createTokenFile, tokenFolderOf } from '../../../src/tools/announce/token-file.ts';
import { lookHere, type CheckHere, type LookHere } from '../../../src/tools/doctor/doctor-here.ts';
import { FINDINGS } from '../../../src/model/findings.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { TestAnswer } from '../../support/ask.ts';
import { HOME, openStage, STAGED, type Stage } from '../../support/doctor-stages.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** How long the doctor may ask, where a test waits for an answer. */
const PATIENCE_MS = 20_000;

interface Ran {
  readonly code: number;
  readonly printed: string;
}

/** Finds these addresses; nothing is looked up, and nothing is sent. */
const lookOf =
  (addresses?: readonly string[], isThisMachine = false, ...wrong: readonly CheckHere['code'][]): LookHere =>
  async (host) => ({
    addresses: addresses ?? [host],
    isThisMachine,
    checks: wrong.map((code) => ({ code, result: 'wrong', says: `wrong: ${code}` })),
  });
const lookInside = lookOf(['192.168.0.7'], false, 'host_address');

/** A folder that is not there: the user of the machine may keep tokens of their own. */
const NO_TOKENS = { XDG_STATE_HOME: '/nowhere', LOCALAPPDATA: '/nowhere' };

async function run(
  args: readonly string[],
  {
    look = lookOf(),
    environment = {},
    limitMs = PATIENCE_MS,
  }: { look?: LookHere; environment?: Record<string, string>; limitMs?: number } = {},
): Promise<Ran> {
  let printed = '';
  const output = { write: (text: string) => void (printed += text) };
  const code = await createDoctorCommand(look, limitMs)(args, {
    version: '1.2.3',
    environment: { ...NO_TOKENS, ...environment },
    stdout: output,
    stderr: output,
  });
  return { code, printed };
}

describe('gsls doctor', () => {
  const newPath = useDirectory();
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  async function serve(server: Server): Promise<string> {
    await listen(server, '127.0.0.1', 0);
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** What the service sees as the address of the person is this one. */
  const seenAs = (service: string, address: string): Promise<string> =>
    serve(
      createServer((incoming, response) => {
        const headers = { ...incoming.headers, 'X-Forwarded-For': address };
        const outgoing = request(
          `${service}${incoming.url}`,
          { method: incoming.method!, headers },
          (answer) => {
            response.writeHead(answer.statusCode!, answer.headers);
            answer.pipe(response);
          },
        );
        incoming.pipe(outgoing);
      }),
    );

  const answering = (status: number, body: string, headers: Record<string, string> = {}): Promise<string> =>
    serve(createServer((_, response) => void response.writeHead(status, headers).end(body)));

  function tokenFile(text: string, mode = 0o600): string {
    const path = newPath();
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  async function open(environment: Record<string, string> = {}): Promise<Stage> {
    const clock = new ManualClock(Date.now());
    const stage = await openStage(
      { clock, open: async (rules) => new MemoryRegistry({ lifetime, clock, ...rules }) },
      environment,
    );
    closers.push(() => stage.close());
    return stage;
  }

  it('asks the first of several services that answers, and says which one does not', async () => {
    const [{ url }, away] = [await open(), `http://127.0.0.1:${await freePort()}/`];
    const { code, printed } = await run([away, '203.0.113.7:7777', url]);
    expect(code).to.equal(1);
    expect(printed).to.match(
      new RegExp(`^gsls: ${away} is not reached: .*\n203\\.0\\.113\\.7:7777 at ${url}/\n`),
    );
    const nowhere = await run([away, away, '203.0.113.7:7777', '--json']);
    expect(nowhere.code).to.equal(3);
    expect(nowhere.printed).to.include('"reached":false');
  });

  /** One of each way to ask; test/api/doctor/causes.test.ts stages all of them. */
  const SHOWN = [
    'a game server that is listed',
    'one that stopped its pings',
    'one that was removed',
    'one that does not listen',
    'a second process at the address and port of the first',
    'one that announces the address of its container',
    'one behind a proxy that is not trusted',
  ];
  for (const title of SHOWN)
    it(`names the cause of ${title}`, async () => {
      const { cause, environment, stage: prepare, says } = STAGED[title]!;
      const stage = await open(environment);
      const { host = HOME, port = 7777, token, id, from = HOME } = await prepare(stage);
      const url = from === '' ? stage.url : await seenAs(stage.url, from);
      const { code, printed } = await run([
        url,
        `${host}:${port}`,
        ...(token === undefined ? [] : ['--token-file', tokenFile(`${token}\n`)]),
        ...(id === undefined ? [] : [`--id=${id}`]),
      ]);
      expect(printed).to.match(new RegExp(`\nCause: .*\\(${cause}\\)\nNext: .+\n$`));
      expect(/^Cause: (.*) \(\w+\)$/m.exec(printed)![1]).to.match(says);
      expect(printed.endsWith(`\nNext: ${FINDINGS[cause].nextStep}\n`)).to.equal(true);
      expect(code).to.equal(cause === 'listed' ? 0 : 1);
      if (token !== undefined) expect(printed).to.not.include(token.slice(-43));
    });

  it('tells the same as JSON', async () => {
    const stage = await open();
    await stage.broadcast();
    const { code, printed } = await run([await seenAs(stage.url, HOME), `${HOME}:7777`, '--json']);
    expect(code).to.equal(0);
    expect(printed).to.match(/^\{.*\}\n$/);
    const told = JSON.parse(printed) as Record<string, unknown>;
    expect(told).to.include({ host: HOME, port: 7777, reached: true, listed: true, cause: 'listed' });
    expect(told['client_address']).to.equal(HOME);
    expect(told['checks']).to.deep.include({
      from: 'service',
      code: 'registry',
      result: 'fine',
      says: 'the list is current',
    });
  });

  it('asks about what the service sees where the address is of this machine', async () => {
    const stage = await open();
    await stage.broadcast();
    const { code, printed } = await run([await seenAs(stage.url, HOME), 'localhost:7777'], {
      look: lookOf(['127.0.0.1'], true, 'port_here'),
    });
    expect([code, printed.includes('✗ wrong: port_here')], printed).to.deep.equal([0, true]);
  });

  it('asks about an address of the own network only where the service knows nothing better', async () => {
    const stage = await open();
    const url = await seenAs(stage.url, HOME);
    expect((await run([url, '192.168.0.7:7777'], { look: lookInside })).printed).to.include(
      '(private_address)',
    );
    await stage.broadcast();
    expect((await run([url, '192.168.0.7:7777'], { look: lookInside })).printed).to.include('(listed)');
  });

  it('does not take another game server of the same network for the one that is asked about', async () => {
    const stage = await open();
    await stage.broadcast({}, {}, '192.168.0.5');
    const url = await seenAs(stage.url, '192.168.0.5');
    expect((await run([url, '192.168.0.7:7777'], { look: lookInside })).printed).to.include(
      '(other_address)',
    );
    await stage.broadcast({}, {}, '192.168.0.7');
    expect((await run([url, '192.168.0.7:7777'], { look: lookInside })).code).to.equal(0);
  });

  it('says that nothing listens on this machine, where the port would not answer', async () => {
    const stage = await open({ GSLS_VERIFY: 'tcp', GSLS_VERIFY_NETWORKS: 'loopback' });
    const port = await freePort();
    await stage.broadcast({ server_port: port }, {}, '127.0.0.1');
    const args = [await seenAs(stage.url, '127.0.0.1'), `localhost:${port}`];
    const { code, printed } = await run(args, { look: lookHere });
    expect([code, printed.includes('(not_listening)')], printed).to.deep.equal([1, true]);
  });

  it('compares all addresses of a name with the one that the service sees', async () => {
    const stage = await open();
    const url = await seenAs(stage.url, HOME);
    const addresses = ['8.8.8.8', '2001:4860::1'];
    const look = lookOf(addresses);
    expect((await run([url, 'play.example.com:7777'], { look })).printed).to.match(
      /8\.8\.8\.8.*\(other_address\)/,
    );
    await stage.broadcast({ server_ip: '8.8.8.8' }, {}, '8.8.8.8');
    expect((await run([url, 'play.example.com:7777'], { look })).code).to.equal(0);
    addresses.push(HOME);
    expect((await run([url, 'play.example.com:1'], { look })).printed).to.match(/\(unknown\)/);
  });

  it('names a game server whose name is not known', async () => {
    const stage = await open();
    const { code, printed } = await run([await seenAs(stage.url, HOME), 'play.invalid:7777'], {
      look: lookOf([], false, 'host'),
    });
    expect([code, printed.includes('(unknown_name)')]).to.deep.equal([1, true]);
  });

  it('sends the key of GSLS_KEY or --key, and says where one is missing', async () => {
    const stage = await open({ GSLS_KEY: 'a key' });
    const args = [await seenAs(stage.url, HOME), `${HOME}:7777`];
    expect((await run(args)).printed).to.include('(unauthorized)');
    expect((await run(args, { environment: { GSLS_KEY: 'a key' } })).printed).to.include('(unknown)');
    expect((await run([...args, '--key', 'a key'])).printed).to.include('(unknown)');
  });

  it('says what is wrong with a token file, and goes on', async () => {
    const stage = await open();
    const { headers } = await stage.broadcast({}, { 'Server-Token': 'claim' });
    const args = [await seenAs(stage.url, HOME), `${HOME}:7777`, '--token-file'];
    expect((await run([...args, tokenFile('nonsense')])).printed)
      .to.include('✗ ')
      .and.include('holds no Server-Token');
    const token = String(headers['server-token']);
    const open0644 = await run([...args, tokenFile(`${token}\nmore`, 0o644)]);
    expect(open0644.printed).to.match(/✗ other users may read \S+: make it 0600/);
    expect(open0644.printed).to.include('(listed)').and.not.include(token);
  });

  it('finds the token that gsls announce keeps for the game server, and says where', async () => {
    const stage = await open();
    const url = await seenAs(stage.url, HOME);
    const unlisted = await stage.broadcast({ unlisted: true }, { 'Server-Token': 'claim' });
    const other = await stage.broadcast(
      { server_ip: '9.9.9.9', server_port: 2 },
      { 'Server-Token': 'claim' },
    );
    const home = newPath();
    const environment = { XDG_STATE_HOME: home, LOCALAPPDATA: home };
    const keep = ({ headers }: TestAnswer, identity: string): string => {
      const file = createTokenFile(tokenFolderOf(environment, process.platform === 'win32')!, url, identity);
      file.write(String(headers['server-token']));
      return file.path;
    };
    const path = keep(unlisted, '127.0.0.1:7777');
    keep(other, ':2');
    const found = await run([url, `${HOME}:7777`], { environment });
    expect(found.printed).to.include('(unlisted)').and.include(`gsls announce keeps its token in ${path}`);
    // The token of another game server at this port, and none.
    const about = await run([url, `${HOME}:2`], { environment });
    expect(about.printed).to.include('(other_ip)').and.not.include('keeps its token');
    expect((await run([url, `${HOME}:7777`])).printed).to.include('(other_port)');
  });

  it('looks at the list of a service that is older', async () => {
    const old = createServer((incoming, response) => {
      const isList = incoming.url!.startsWith('/servers?limit=1000&ip=8.8.4.4');
      response.writeHead(isList ? 200 : 404);
      const server = { id: 'a', ip: HOME, port: 7777, name: 'Old\u001b[2J' };
      const body = isList
        ? { status: 'success', servers: [server] }
        : { status: 'error', code: 'not_found', error: 'there is nothing at this path' };
      response.end(JSON.stringify(body));
    });
    const url = await serve(old);
    const listed = await run([url, `${HOME}:7777`]);
    expect(listed.code).to.equal(0);
    expect(listed.printed).to.include('older than 0.14').and.include('name Old\\u{1b}[2J');
    const missing = await run([url, `${HOME}:7778`]);
    expect([missing.code, missing.printed.includes('(unknown)')]).to.deep.equal([1, true]);
  });

  it('tells apart why a service is not reached, with exit code 3', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume());
    await listen(silent, '127.0.0.1', 0);
    const sockets = new Set<{ destroy(): void }>();
    silent.on('connection', (socket) => sockets.add(socket));
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => silent.close(resolve));
    });
    const { port } = silent.address() as AddressInfo;
    const page = await answering(502, '<html>Bad Gateway</html>');
    for (const [url, cause] of [
      [`http://127.0.0.1:${await freePort()}`, 'refused'],
      ['http://nobody.invalid', 'unknown_host'],
      [page.replace('http', 'https'), 'tls'],
      [page, 'other_program'],
      [await answering(200, '{"status":"success"}'), 'other_program'],
      [await answering(302, '', { Location: 'https://login.example' }), 'redirected'],
      [`http://127.0.0.1:${port}`, 'timeout'],
    ] as const) {
      const limitMs = cause === 'timeout' ? 300 : PATIENCE_MS;
      const { code, printed } = await run([url, `${HOME}:7777`], { limitMs });
      const told = /^Cause: the service is not reached: .+ \((\w+)\)$/m.exec(printed)?.[1];
      expect([code, told], printed).to.deep.equal([3, cause]);
      expect(printed).to.match(/\nNext: .+\n$/);
      if (cause === 'timeout') {
        expect(printed).to.include('0.3 s');
        continue;
      }
      const json = JSON.parse((await run([url, `${HOME}:7777`, '--json'])).printed) as object;
      expect(json).to.include({ reached: false, cause });
    }
  });

  it('lets no escape of an answer reach the terminal', async () => {
    const text = 'a\u001b]0;x\u0007\u202e\u009b2J';
    const diagnosis = {
      status: 'success',
      client_address: text,
      listed: false,
      cause: text,
      says: text,
      next_step: text,
      entry: { name: text, id: text },
      checks: [{ code: 'x', result: text, says: text }, null, 5],
    };
    for (const url of [
      await answering(200, JSON.stringify(diagnosis)),
      await answering(403, JSON.stringify({ status: 'error', code: 'banned', error: text })),
      await answering(301, '', { Location: 'http://a/%1b[2J' }),
    ])
      for (const args of [
        [url, `${HOME}:1`],
        [url, `${HOME}:1`, '--json'],
      ])
        expect((await run(args)).printed).to.not.match(/[^\P{C}\n]/u);
  });
});

describe('what gsls doctor looks at on this machine', () => {
  it('is whether something listens there, by TCP or UDP', async () => {
    const server = createTcpServer();
    await listen(server, '127.0.0.1', 0);
    const { port } = server.address() as AddressInfo;
    const open = await lookHere('127.0.0.1', port);
    await new Promise((resolve) => server.close(resolve));
    expect(open).to.have.property('isThisMachine', true);
    expect(open.checks.map(({ code, result }) => [code, result])).to.deep.equal([['port_here', 'fine']]);
    const closed = await lookHere('127.0.0.1', port);
    expect(closed.checks.map(({ code, result }) => [code, result])).to.deep.equal([['port_here', 'wrong']]);
  });

  it('is what its name stands for', async () => {
    const { addresses, isThisMachine, checks } = await lookHere('localhost', await freePort());
    expect(addresses).to.include.oneOf(['127.0.0.1', '::1']);
    expect([isThisMachine, checks[0]!.says.startsWith('localhost is ')]).to.deep.equal([true, true]);
    const unknown = await lookHere('nobody.invalid', 1);
    expect(unknown.addresses).to.deep.equal([]);
    expect(unknown.checks[0]).to.include({ code: 'host', result: 'wrong' });
  });

  it('is the kind of an address elsewhere', async () => {
    const { checks } = await lookHere('172.31.255.254', 1);
    expect(checks[0]).to.include({ code: 'host_address', result: 'wrong' });
    expect((await lookHere(HOME, 1)).checks).to.deep.equal([]);
  });
});
