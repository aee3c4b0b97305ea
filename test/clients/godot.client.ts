/**
 * The addon for Godot 4, as far as it goes without Godot 4: its scripts are read by their grammar, and its rules are
 * run by Godot 3 and held to those of the TypeScript client, which the kit judges.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ServiceAnswer, ServiceRequest } from '../../clients/typescript/src/ask.ts';
import { Announcer } from '../../clients/typescript/src/announcer.ts';
import { ERRORS } from '../../src/model/errors.ts';
import { listen } from '../support/listen.ts';
import { codeOf, readDocument } from '../support/markdown.ts';
import { needs } from '../support/needs.ts';
import { runs } from '../support/runs.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { faultsOf, loadGrammar, undocumentedIn, untypedIn } from './support/godot/gdscript.ts';
import { measure, runRules, type GivenTurn } from './support/godot/godot-3.ts';

const ADDON = 'clients/godot/addons/gsls';
const SCRIPTS = readdirSync(ADDON).filter((name) => name.endsWith('.gd'));
const readme = readDocument('clients/godot/README.md');
const inReadme = codeOf(readme).filter(({ language }) => language === 'gdscript');

const parse = await loadGrammar();

describe('the addon for Godot 4', () => {
  const withGrammar = parse === undefined ? it.skip : it;

  for (const name of SCRIPTS)
    withGrammar(`has GDScript in ${name}, with all types and doc comments`, () => {
      const root = parse!(readDocument(`${ADDON}/${name}`));
      expect(faultsOf(root)).to.deep.equal([]);
      expect(untypedIn(root)).to.deep.equal([]);
      expect(undocumentedIn(root)).to.deep.equal([]);
    });

  withGrammar('has GDScript in its README', () => {
    expect(inReadme).to.have.length.above(0);
    for (const { text } of inReadme) expect(faultsOf(parse!(text)), text).to.deep.equal([]);
  });

  withGrammar('would not pass with a mistake in it', () => {
    expect(faultsOf(parse!('func stop( -> void:\n\tpass\n'))).to.have.length.above(0);
    const untyped = 'func stop(after):\n\tvar seconds = after\n\tfor each in [seconds]:\n\t\tpass\n';
    expect(untypedIn(parse!(untyped))).to.have.length(4);
    expect(undocumentedIn(parse!('var id := ""\n\n\nfunc stop() -> void:\n\tpass\n'))).to.have.length(2);
  });

  it('names in its README nothing that it does not have', () => {
    const scripts = SCRIPTS.map((name) => readDocument(`${ADDON}/${name}`)).join('\n');
    const called = [...readme.matchAll(/\b(?:Gsls|announcement)\.(\w+)/g)].map(([, name]) => name!);
    expect(called).to.include.members(['announce', 'update', 'stop']);
    for (const name of called)
      expect(scripts).to.match(new RegExp(`^(@export.* )?(func|var|signal) ${name}\\b`, 'm'), name);
  });

  it('has in its README all options, signals and functions of an announcement', () => {
    const options = textsOf(readDocument(`${ADDON}/gsls.gd`), /^const OPTIONS: .* = \[(.*)\]$/m, '"');
    const announcement = readDocument(`${ADDON}/announcement.gd`);
    const others = [...announcement.matchAll(/^(?:signal|func|var) ([a-z]\w+)/gm)].map(([, name]) => name!);
    for (const name of [...options, ...others].filter((each) => each !== 'find_fault'))
      expect(readme).to.match(new RegExp(`\`(await )?${name}[\`(]`), name);
  });

  it('has the numbers and the codes of the TypeScript client', () => {
    const rules = readDocument(`${ADDON}/announcer.gd`);
    const client = ['announcer', 'pauses', 'ask']
      .map((name) => readDocument(`clients/typescript/src/${name}.ts`))
      .join('\n');
    const ours = (name: string): number => numberOf(rules, new RegExp(`^const ${name} := ([\\d._]+)$`, 'm'));
    const theirs = (name: string): number =>
      numberOf(client, new RegExp(`^const ${name} = ([\\d_]+);$`, 'm'));
    expect(1000 * ours('PING_INTERVAL')).to.equal(theirs('PING_INTERVAL_MS'));
    expect(1000 * ours('FIRST_PAUSE')).to.equal(theirs('FIRST_PAUSE_MS'));
    expect(1000 * ours('PAUSE_FOR_A_PERSON')).to.equal(theirs('WAIT_FOR_A_PERSON_MS'));
    expect(1000 * ours('LONGEST_RETRY_AFTER')).to.equal(theirs('LONGEST_RETRY_AFTER_MS'));
    const http = readDocument(`${ADDON}/http.gd`);
    expect(numberOf(http, /^const MOST_BYTES := ([\d_]+)$/m)).to.equal(theirs('MOST_BYTES'));
    const announcement = readDocument(`${ADDON}/announcement.gd`);
    expect(1000 * numberOf(announcement, /var timeout: float = ([\d.]+)$/m)).to.equal(theirs('TIMEOUT_MS'));

    for (const name of ['BROADCAST_AGAIN', 'CLAIM_AGAIN']) {
      const codes = textsOf(rules, new RegExp(`^const ${name}: Array\\[String\\] = \\[(.*)\\]$`, 'm'), '"');
      expect(codes).to.have.members(
        textsOf(client, new RegExp(`^const ${name}: .* = \\[(.*)\\];$`, 'm'), "'"),
      );
      expect(Object.keys(ERRORS)).to.include.members(codes);
    }
  });
});

function numberOf(source: string, pattern: RegExp): number {
  return Number(pattern.exec(source)![1]!.replaceAll('_', ''));
}

function textsOf(source: string, pattern: RegExp, quote: string): string[] {
  return pattern
    .exec(source)![1]!
    .split(', ')
    .map((text) => text.replaceAll(quote, ''));
}

const FIELDS = { server_name: 'Frankfurt 1', server_ip: 'auto', players: 3 };
const NOW = Date.parse('2026-01-30T23:59:30Z');

/** What a service, or what is in between, may say to a game server. */
const anyTurn: fc.Arbitrary<GivenTurn> = fc
  .record({
    status: fc.constantFrom(0, 200, 200, 200, 200, 204, 302, 400, 401, 403, 404, 408, 409, 429, 500, 503),
    body: fc.oneof(
      { weight: 6, arbitrary: fc.nat(9).map((id) => ({ status: 'success', server_id: `id-${id}` })) },
      { weight: 2, arbitrary: fc.constantFrom({}, { status: 7 }, { status: 'success', server_id: 7 }) },
      {
        weight: 8,
        arbitrary: fc.record(
          {
            status: fc.constant('error'),
            error: fc.constantFrom('no room\u001b[2J now', 'it is odd'),
            code: fc.constantFrom(...Object.keys(ERRORS), 'not_owner', 'unknown_server', 'an_unknown_one'),
          },
          { requiredKeys: ['code'] },
        ),
      },
    ),
    headers: fc.record(
      {
        'server-token': fc.nat(3).map((token) => `token-${token}`),
        'server-ping-interval': fc.constantFrom(
          '5',
          '20',
          '30.5',
          '0.5',
          '0',
          '1000000',
          '1000001',
          'soon',
          '',
        ),
        'server-verification': fc.constantFrom('verified', 'no answer on UDP\u0007'),
        'retry-after': fc.oneof(
          fc.constantFrom('0', '7', '100000', '-5', 'later', ''),
          fc.integer({ min: -100, max: 100_000 }).map((s) => new Date(NOW + 1000 * s).toUTCString()),
        ),
        date: fc.constant(new Date(NOW).toUTCString()),
        location: fc.constant('https://example.com/'),
      },
      { requiredKeys: ['date'] },
    ),
    chance: fc.nat(1000).map((thousandths) => thousandths / 1000),
  })
  .map((turn) => ({ ...turn, ...(turn.status === 0 && { body: {}, headers: {} }), reason: 'no connection' }));

interface ToldTurn {
  readonly path: string;
  readonly token: string | undefined;
  /** Whether the `Idempotency-Key`, or that there is none, is as it was in the turn before. */
  readonly isKeySame: boolean;
  readonly body: object | undefined;
  readonly pauseMs: number;
  readonly id: string;
}

/** What the TypeScript client makes of the answers: what it sends, and how long it waits. */
async function takeAll(token: string, turns: readonly GivenTurn[]): Promise<ToldTurn[]> {
  let turn: GivenTurn;
  let sent: ServiceRequest;
  const announcer = new Announcer({
    token,
    now: () => NOW,
    random: () => turn.chance,
    ask: async (question) => {
      sent = question;
      return answerOf(turn);
    },
  });
  let key: string | undefined;
  const taken: ToldTurn[] = [];
  for (turn of turns) {
    const { waitMs } = await announcer.announce(FIELDS);
    const { path, headers, body } = sent!;
    const isKeySame = headers?.['Idempotency-Key'] === key;
    key = headers?.['Idempotency-Key'];
    taken.push({
      path,
      token: headers?.['Server-Token'],
      isKeySame,
      body,
      pauseMs: waitMs,
      id: announcer.id ?? '',
    });
  }
  return taken;
}

function answerOf({ status, headers, body, reason }: GivenTurn): ServiceAnswer {
  const printable = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll('\u0007', ''),
  ]);
  const { code } = body;
  return {
    status,
    headers: new Headers(printable),
    body,
    text: JSON.stringify(body),
    code: typeof code === 'string' ? code : undefined,
    reason,
    cause: status === 0 ? 'refused' : undefined,
  };
}

needs('godot3-server').describe('the rules of the addon for Godot 4, run by Godot 3', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  const run = (turns: readonly GivenTurn[], token = 'claim') =>
    runRules(newPath(), { token, key: 'key-to-hide', fields: FIELDS, turns });

  it('do what those of the TypeScript client do, whatever a service answers', async () => {
    const plays = fc.tuple(
      fc.constantFrom('claim', 'token-1'),
      fc.array(anyTurn, { minLength: 100, maxLength: 400, size: 'max' }),
    );
    await fc.assert(
      fc.asyncProperty(plays, async ([token, turns]) => {
        const taken = await run(turns, token);
        let known: string | undefined;
        const told = taken.map(({ path, headers, body, pause, id }) => {
          const isKeySame = headers['Idempotency-Key'] === known;
          known = headers['Idempotency-Key'];
          return {
            path,
            token: headers['Server-Token'],
            isKeySame,
            body,
            pauseMs: Math.round(1000 * pause),
            id,
          };
        });
        // Godot prints a number of seconds with six digits.
        const expected = (await takeAll(token, turns)).map((turn, index) => {
          const { pauseMs } = told[index]!;
          const isNear = Math.abs(turn.pauseMs - pauseMs) <= Math.max(1, pauseMs / 100_000);
          return isNear ? { ...turn, pauseMs } : turn;
        });
        const differing = expected.findIndex((turn, index) => !isDeepStrictEqual(turn, told[index]));
        const answered = JSON.stringify(turns[differing]);
        expect(told[differing], `turn ${differing}, answered ${answered}`).to.deep.equal(expected[differing]);
      }),
      { numRuns: runs(4), endOnFailure: true },
    );
  });

  const LISTED = {
    status: 200,
    headers: { 'server-token': 'token-to-hide' },
    body: { status: 'success', server_id: 'id-1' },
    reason: '',
    chance: 0.5,
  };

  it('begin with a claim, a key of their own and the key of the service, as JSON', async () => {
    const [first, second] = [await run([LISTED]), await run([LISTED])].map(([turn]) => turn!);
    expect(first!.headers).to.include({
      'Content-Type': 'application/json',
      'Server-Token': 'claim',
      Authorization: 'Bearer key-to-hide',
    });
    expect(first!.headers['Idempotency-Key']).to.match(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    expect(second!.headers['Idempotency-Key']).to.not.equal(first!.headers['Idempotency-Key']);
  });

  it('remove the entry that there is, and no other, and keep its id', async () => {
    const gone = { ...LISTED, status: 404, body: { status: 'error', code: 'unknown_server' } };
    const removals = (await run([LISTED, gone])).map(({ removal }) => removal);
    expect(removals).to.deep.equal([{ server_id: 'id-1', server_ip: 'auto', keep_id: true }, null]);
  });

  it('measure after another mark and another address, and tell it while there is a mark', async () => {
    const marked = (mark: string) => ({ ...LISTED, headers: { 'server-beacons': mark } });
    const moved = { ...LISTED, status: 403, headers: {}, body: { status: 'error', code: 'ip_mismatch' } };
    const taken = await run([LISTED, marked('one'), marked('one'), moved, marked('two'), LISTED, LISTED]);
    const measures = [false, true, false, true, true, false, false];
    expect(taken.map((turn) => turn.measures)).to.deep.equal(measures);
    const told = taken.map(({ body }) => body['latency']);
    expect(told).to.deep.equal([
      undefined,
      undefined,
      ...Array.from({ length: 4 }, () => ({ fra: 8 })),
      undefined,
    ]);
  });

  it('take the beacons that are right, and sixteen at most', async () => {
    const url = 'HTTP://fra.example.com:81/a?b=c';
    const odd = [null, 7, 'a', [], {}, { id: 'A', url }, { id: 'a', url: 7 }, { id: 'a"', url }];
    const urls = ['file:///etc/hostname', 'javascript:1', 'http://a:b@c/', 'http://', 'http://a b/', '//c/'];
    const many = Array.from({ length: 16_000 }, (_, id) => ({ id: `b${id}`, url: 'https://[::1]' }));
    const beacons = [...odd, ...urls.map((each) => ({ id: 'a', url: each })), { id: 'fra', url }, ...many];
    const [turn, error] = await run([
      { ...LISTED, body: { status: 'success', beacons } },
      { ...LISTED, body: { status: 'error', beacons } },
    ]);
    expect(turn!.beacons).to.have.length(16);
    expect(turn!.beacons.slice(0, 2)).to.deep.equal([
      ['fra', 'HTTP', 'fra.example.com', '81', '/a?b=c'],
      ['b0', 'https', '::1', '', '/'],
    ]);
    expect(error!.beacons).to.deep.equal([]);
  });

  it('measure the beacons that answer well, from the second request on', async () => {
    const seen = new Map<string, number>();
    const server = createServer((request, response) => {
      const count = (seen.get(request.url!) ?? 0) + 1;
      seen.set(request.url!, count);
      if (request.url === '/hangs') return;
      const status = { '/broken': 500, '/leads': 302, '/well': 204, '/slow': 204 }[request.url!] ?? 200;
      response.writeHead(status, {
        ...(request.url === '/closes' && { Connection: 'close' }),
        Location: '/',
      });
      const answer = () => response.end(status === 200 ? 'x'.repeat(request.url === '/large' ? 1e6 : 9) : '');
      setTimeout(answer, count === 1 ? 300 : request.url === '/slow' ? 80 : 0);
    });
    await listen(server, '127.0.0.1', 0);
    const { port } = server.address() as AddressInfo;
    const paths = ['well', 'broken', 'slow', 'hangs', 'leads', 'large', 'closes', 'text?a=b'];
    const beacons = paths.map((path) => [path, 'http', '127.0.0.1', `${port}`, `/${path}`]);
    const found = await measure(newPath(), [...beacons, ['nobody', 'http', '127.0.0.1', '1', '/']]);
    server.closeAllConnections();
    server.close();
    expect(Object.keys(found)).to.have.members(['well', 'slow', 'closes', 'text?a=b']);
    expect(found['slow']).to.be.within(70, 200);
    expect(found['well']).to.be.within(0, 70);
    expect(seen.get('/well')).to.equal(6);
    expect(seen.get('/broken')).to.equal(1);
  });

  it('are ended at SIGTERM by the script of the README, whose game tells how it ended', async () => {
    const [folder, script] = [newPath(), newPath()];
    mkdirSync(folder);
    writeFileSync(join(folder, 'project.godot'), 'config_version=4\n');
    writeFileSync(
      join(folder, 'game.gd'),
      `extends SceneTree
func _init():
	print("plays")
func _idle(_delta):
	if File.new().file_exists(OS.get_environment("STOP_FILE")):
		print("stops")
		OS.exit_code = 7
		quit(7)
	return false
`,
    );
    writeFileSync(script, codeOf(readme).find(({ language }) => language === 'sh')!.text);
    const game = ['godot3-server', '--no-window', '--path', folder, '-s', 'game.gd'];
    const program = spawn('sh', [script, ...game], { env: { ...process.env, HOME: folder } });
    const exit = once(program, 'exit');
    const seen = { ended: false, lines: [] as string[] };
    program.once('exit', () => (seen.ended = true));
    program.stdout.on('data', (data: Buffer) => seen.lines.push(data.toString()));
    await until(() => seen.lines.join('').includes('plays'), seen);
    program.kill('SIGTERM');
    expect(await exit).to.deep.equal([7, null]);
    expect(seen.lines.join('')).to.include('stops');
  });

  it('say what is wrong in words without secrets and control characters, until all is well', async () => {
    const echo = 'key-to-hide, token-to-hide \u001b[2J\n\u202E';
    const wrong = { ...LISTED, status: 400, headers: {}, body: { status: 'error', error: echo } };
    const leading = { ...LISTED, status: 302, headers: { location: 'https://example.com/' }, body: {} };
    const silent = { ...LISTED, status: 0, headers: {}, body: {}, reason: 'no connection' };
    const page = { ...LISTED, headers: {}, body: {} };
    const taken = await run([LISTED, wrong, leading, silent, page, LISTED]);
    expect(taken.map(({ problem }) => problem)).to.deep.equal([
      '',
      'The service refused the ping (400): …, … ?[2J??',
      'The answer leads to https://example.com/, and no redirect is followed (302).',
      'The service did not answer: no connection.',
      'The answer is none of GSLS (200).',
      '',
    ]);
  });
});
