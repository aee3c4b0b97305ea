/** What the kit says of clients that do not keep to the wire or to its own lines: what it expected, and what it saw. */

import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../src/conformance/judge.ts';
import { SCENES } from '../../src/conformance/scenes/scenes.ts';
import { ROOT } from '../support/program.ts';

const PROGRAM = join(ROOT, 'test/clients/support/odd-client.mjs');

type Action = Readonly<Record<string, unknown>>;
/** What it does, by the name of a line of the kit. */
type Script = Readonly<Record<string, readonly Action[]>>;

const HEADERS = {
  'Content-Type': 'application/json',
  'Server-Token': 'claim',
  'Idempotency-Key': '9f0c6f2e-4d3a-4b52-9d0e-2f1f4f6a7b8c',
};
const broadcast = (headers: object = {}, body: unknown = {}): Action => ({
  send: ['POST /broadcast', { ...HEADERS, ...headers }, body],
});
const waits = (until: unknown): Action => ({ say: { waits: until, at: 'AT' } });
const read = (path: string, headers: object = {}): Action => ({ send: [`GET ${path}`, headers] });
const servers = (line: object): Action => ({ say: { servers: line } });

const CASES: readonly (readonly [
  title: string,
  scene: string,
  script: Script,
  expected: RegExp,
  seen: RegExp,
])[] = [
  ['sleeps for ever', 'plain-life', { start: [waits(null)] }, /^a broadcast$/, /^it waits for ever$/],
  [
    'sleeps until now',
    'plain-life',
    { start: [waits('AT')] },
    /^a broadcast$/,
    /^it waits until a time that/,
  ],
  ['sleeps for too long', 'plain-life', { start: [waits(9e9)] }, /^a broadcast$/, /^it waits for \d+ ms$/],
  [
    'says what it was not asked',
    'plain-life',
    { start: [{ say: { did: 'players' } }] },
    /^a broadcast$/,
    /^the line \{"did":"players"\}$/,
  ],
  ['reads in place of a write', 'plain-life', { start: [read('/')] }, /^the request to be POST/, /^GET \/$/],
  [
    'sends no JSON',
    'plain-life',
    { start: [broadcast({ 'Content-Type': 'text/plain' })] },
    /^Content-Type: application\/json$/,
    /^text\/plain$/,
  ],
  ['sends a text', 'plain-life', { start: [broadcast({}, 'hello')] }, /^a body that is an object/, /^hello$/],
  ['sends an array', 'plain-life', { start: [broadcast({}, [1])] }, /^a body that is an object/, /^\[1\]$/],
  [
    'sends a key that nobody asked for',
    'plain-life',
    { start: [broadcast({ Authorization: 'Bearer x' })] },
    /^no Authorization$/,
    /^another Authorization$/,
  ],
  [
    'leaves out the key of the service',
    'key-of-the-service',
    { start: [broadcast()] },
    /^the key of the service/,
    /^none$/,
  ],
  [
    'makes up a token',
    'plain-life',
    { start: [broadcast({ 'Server-Token': 'mine' })] },
    /^the Server-Token of a broadcast to be claim$/,
    /^an unknown one$/,
  ],
  [
    'has a key that can be guessed',
    'plain-life',
    { start: [broadcast({ 'Idempotency-Key': '1' })] },
    /^an Idempotency-Key of 16 printable characters/,
    /^1 of them$/,
  ],
  [
    'tells other fields',
    'fields-of-now',
    { start: [broadcast({}, { players: 4 })] },
    /^"players" of the broadcast to be 3$/,
    /^4$/,
  ],
  [
    'pings another entry',
    'unknown-server',
    { start: [broadcast(), { send: ['POST /ping', HEADERS, { server_id: 'x' }] }] },
    /^the Server-Token of a ping to be the token A$/,
    /^claim$/,
  ],
  [
    'removes what it does not have',
    'stop-before-it-is-listed',
    { start: [broadcast()], stop: [{ send: ['POST /remove', HEADERS, { server_id: 'x' }] }] },
    /^the line \{"stopped":…\}$/,
    /^POST \/remove$/,
  ],
  [
    'answers a stop with another line',
    'stop-before-it-is-listed',
    { start: [broadcast()], stop: [{ say: { did: 'players' } }] },
    /^the line \{"stopped":…\}$/,
    /^the line \{"did"/,
  ],
  [
    'speaks beside the lines',
    'stop-before-it-is-listed',
    { start: [{ noise: 'hello' }, broadcast()], stop: [{ say: { stopped: true } }] },
    /^lines of JSON alone$/,
    /^hello$/,
  ],
  [
    'complains with a control character',
    'stop-before-it-is-listed',
    { start: [{ complain: '\u001b[2J' }, broadcast()], stop: [{ say: { stopped: true } }] },
    /^a log of printable characters$/,
    /^a control character$/,
  ],
  [
    'asks while its answer is awaited',
    'calls-return-at-once',
    { start: [broadcast()], players: [broadcast()] },
    /^the line \{"did":…\}$/,
    /^POST \/broadcast$/,
  ],
  [
    'does something else in a day',
    'a-day',
    { start: [{ send: ['POST /remove', HEADERS, {}] }] },
    /^a broadcast or a ping$/,
    /^POST \/remove$/,
  ],
  [
    'lists itself twice in a day',
    'a-day',
    {
      start: [1, 2, 3, 4, 5, 6].map((key) =>
        broadcast({ 'Idempotency-Key': `a key of its own, number ${key}` }),
      ),
    },
    /^one entry: a broadcast is repeated under the same key$/,
    /^another key$/,
  ],
  [
    'comes back too late',
    'spread-of-pauses',
    { start: [broadcast(), waits(9e9)], stop: [{ say: { stopped: true } }] },
    /^pauses from 500 to 1000 ms$/,
    /^one of \d+ ms$/,
  ],
  [
    'reads another list',
    'plain-list',
    { list: [read('/servers')] },
    /^the request to be GET \/$/,
    /^GET \/servers$/,
  ],
  [
    'adds to the query',
    'plain-list',
    { list: [read('/?region=%zz&full=true')] },
    /^the query to be $/,
    /region=/,
  ],
  [
    'has a tag from nowhere',
    'plain-list',
    { list: [read('/', { 'If-None-Match': '"x"' })] },
    /^no tag$/,
    /^the tag "?x"?$/,
  ],
  [
    'loses servers',
    'plain-list',
    { list: [read('/'), servers({ ids: [] })] },
    /^the servers \[A, B, C\]$/,
    /^\[\]$/,
  ],
  [
    'calls servers by other names',
    'plain-list',
    { list: [read('/'), servers({ ids: 'IDS', names: ['x', 'y', 'z'] })] },
    /^the name of the server A to be Frankfurt 1$/,
    /^x$/,
  ],
  [
    'takes a list for stale',
    'unchanged-list',
    { list: [read('/'), servers({ ids: 'IDS', names: [], stale: true })] },
    /^a list that is current$/,
    /^the opposite$/,
  ],
  [
    'loses thousands of servers',
    'ten-thousand-servers',
    { list: [read('/'), servers({ ids: [] })] },
    /^the servers 10000 servers$/,
    /^\[\]$/,
  ],
  [
    'reads the first page twice',
    'moving-pages',
    { find: [1, 2].map(() => read('/servers?region=eu&sort=-players')) },
    /^the cursor /,
    /^none$/,
  ],
  [
    'does not keep its token',
    'token-file',
    { start: [broadcast(), waits(2e6)] },
    /^the token A in the token file$/,
    /^no token file$/,
  ],
  [
    'says no servers at all',
    'plain-list',
    { list: [read('/'), servers({})] },
    /^the servers \[A, B, C\]$/,
    /^\[\]$/,
  ],
  [
    'fails where it should not',
    'plain-list',
    { list: [read('/'), { say: { failed: 'no' } }] },
    /^the line \{"servers":…\}$/,
    /^the line \{"failed":"no"\}$/,
  ],
  [
    'asks for pages that are too large',
    'moving-pages',
    { find: [read('/servers?region=eu&sort=-players&limit=5000')] },
    /^a limit of 1 to 1000$/,
    /^5000$/,
  ],
  [
    'asks for no stream',
    'changes-of-a-stream',
    { watch: [read('/changes?region=eu', { Accept: 'text/html' })] },
    /^Accept: text\/event-stream$/,
    /^text\/html$/,
  ],
];

describe('the kit', function () {
  this.timeout(60_000);
  for (const [title, name, script, expected, seen] of CASES)
    it(`says what is wrong with a client that ${title}`, async () => {
      const { verdicts } = await judge({
        command: [process.execPath, PROGRAM, JSON.stringify(script)],
        // What it can do is not asked.
        scenes: SCENES.filter((scene) => scene.name === name).map((scene) => ({ ...scene, needs: [] })),
        isReal: false,
        atOnce: 1,
        onVerdict: () => undefined,
      });
      const { failure } = verdicts[0]!.outcome!;
      expect(failure?.expected).to.match(expected);
      expect(failure?.seen).to.match(seen);
    });
});
