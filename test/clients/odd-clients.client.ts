/** What the kit says of clients that do not keep to the wire or to its own lines: what it expected, and what it saw. */

import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../src/tools/conformance/judge.ts';
import { SCENES } from '../../src/tools/conformance/scenes/scenes.ts';
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
const write = (what: string): Action => ({ send: [`POST /${what}`, HEADERS, { server_id: 'x' }] });
const waits = (until: unknown): Action => ({ say: { waits: until, at: 'AT' } });
const read = (path: string, headers: object = {}): Action => ({ send: [`GET ${path}`, headers] });
const servers = (line: object): Action => ({ say: { servers: line } });
const DID: Action = { say: { did: 'players' } };
const STOPPED: Action = { say: { stopped: true } };
const PAGE = '/servers?region=eu&sort=-players';

/** By scene: what the client does wrong, and the failure that the kit says, as `what it expected / what it saw`. */
const CASES: Readonly<
  Record<string, readonly (readonly [title: string, script: Script, failure: RegExp])[]>
> = {
  'plain-life': [
    ['sleeps for ever', { start: [waits(null)] }, /^a broadcast \/ it waits for ever$/],
    ['sleeps until now', { start: [waits('AT')] }, /^a broadcast \/ it waits until a time that/],
    ['sleeps for too long', { start: [waits(9e9)] }, /^a broadcast \/ it waits for \d+ ms$/],
    ['says what it was not asked', { start: [DID] }, /^a broadcast \/ the line \{"did":"players"\}$/],
    ['reads in place of a write', { start: [read('/')] }, /^the request to be POST.* \/ GET \/$/],
    [
      'sends no JSON',
      { start: [broadcast({ 'Content-Type': 'text/plain' })] },
      /^Content-Type: application\/json \/ text\/plain$/,
    ],
    ['sends a text', { start: [broadcast({}, 'hello')] }, /^a body that is an object.* \/ hello$/],
    ['sends an array', { start: [broadcast({}, [1])] }, /^a body that is an object.* \/ \[1\]$/],
    [
      'sends a key that nobody asked for',
      { start: [broadcast({ Authorization: 'Bearer x' })] },
      /^no Authorization \/ another Authorization$/,
    ],
    [
      'makes up a token',
      { start: [broadcast({ 'Server-Token': 'mine' })] },
      /^the Server-Token of a broadcast to be claim \/ an unknown one$/,
    ],
    [
      'has a key that can be guessed',
      { start: [broadcast({ 'Idempotency-Key': '1' })] },
      /^an Idempotency-Key of 16 printable characters.* \/ 1 of them$/,
    ],
  ],
  'key-of-the-service': [
    ['leaves out the key of the service', { start: [broadcast()] }, /^the key of the service.* \/ none$/],
  ],
  'fields-of-now': [
    [
      'tells other fields',
      { start: [broadcast({}, { players: 4 })] },
      /^"players" of the broadcast to be 3 \/ 4$/,
    ],
  ],
  'unknown-server': [
    [
      'pings another entry',
      { start: [broadcast(), write('ping')] },
      /^the Server-Token of a ping to be the token A \/ claim$/,
    ],
  ],
  'stop-before-it-is-listed': [
    [
      'removes what it does not have',
      { start: [broadcast()], stop: [write('remove')] },
      /^the line \{"stopped":…\} \/ POST \/remove$/,
    ],
    [
      'answers a stop with another line',
      { start: [broadcast()], stop: [DID] },
      /^the line \{"stopped":…\} \/ the line \{"did"/,
    ],
    [
      'speaks beside the lines',
      { start: [{ noise: 'hello' }, broadcast()], stop: [STOPPED] },
      /^lines of JSON alone \/ hello$/,
    ],
    [
      'complains with a control character',
      { start: [{ complain: '\u001b[2J' }, broadcast()], stop: [STOPPED] },
      /^a log of printable characters \/ a control character$/,
    ],
  ],
  'calls-return-at-once': [
    [
      'asks while its answer is awaited',
      { start: [broadcast()], players: [broadcast()] },
      /^the line \{"did":…\} \/ POST \/broadcast$/,
    ],
  ],
  'a-day': [
    [
      'does something else in a day',
      { start: [write('remove')] },
      /^a broadcast or a ping \/ POST \/remove$/,
    ],
    [
      'lists itself twice in a day',
      {
        start: [1, 2, 3, 4, 5, 6].map((key) =>
          broadcast({ 'Idempotency-Key': `a key of its own, number ${key}` }),
        ),
      },
      /^one entry: a broadcast is repeated under the same key \/ another key$/,
    ],
  ],
  'spread-of-pauses': [
    [
      'comes back too late',
      { start: [broadcast(), waits(9e9)], stop: [STOPPED] },
      /^pauses from 500 to 1000 ms \/ one of \d+ ms$/,
    ],
  ],
  'plain-list': [
    ['reads another list', { list: [read('/servers')] }, /^the request to be GET \/ \/ GET \/servers$/],
    ['adds to the query', { list: [read('/?region=%zz&full=true')] }, /^the query to be  \/ .*region=/],
    [
      'has a tag from nowhere',
      { list: [read('/', { 'If-None-Match': '"x"' })] },
      /^no tag \/ the tag "?x"?$/,
    ],
    ['loses servers', { list: [read('/'), servers({ ids: [] })] }, /^the servers \[A, B, C\] \/ \[\]$/],
    [
      'calls servers by other names',
      { list: [read('/'), servers({ ids: 'IDS', names: ['x', 'y', 'z'] })] },
      /^the name of the server A to be Frankfurt 1 \/ x$/,
    ],
    ['says no servers at all', { list: [read('/'), servers({})] }, /^the servers \[A, B, C\] \/ \[\]$/],
    [
      'fails where it should not',
      { list: [read('/'), { say: { failed: 'no' } }] },
      /^the line \{"servers":…\} \/ the line \{"failed":"no"\}$/,
    ],
  ],
  'unchanged-list': [
    [
      'takes a list for stale',
      { list: [read('/'), servers({ ids: 'IDS', names: [], stale: true })] },
      /^a list that is current \/ the opposite$/,
    ],
  ],
  'refused-reports': [
    [
      'reports something else',
      { report: [{ send: ['POST /report', HEADERS, { id: 'x', reason: 'cheating' }] }] },
      /^the body of the report to be .* \/ .*"x"/,
    ],
    [
      'takes back a report',
      { report: [write('remove')] },
      /^the request to be POST \/report \/ POST \/remove$/,
    ],
  ],
  'ten-thousand-servers': [
    [
      'loses thousands of servers',
      { list: [read('/'), servers({ ids: [] })] },
      /^the servers 10000 servers \/ \[\]$/,
    ],
  ],
  'moving-pages': [
    ['reads the first page twice', { find: [1, 2].map(() => read(PAGE)) }, /^the cursor .* \/ none$/],
    [
      'asks for pages that are too large',
      { find: [read(`${PAGE}&limit=5000`)] },
      /^a limit of 1 to 1000 \/ 5000$/,
    ],
  ],
  'token-file': [
    [
      'does not keep its token',
      { start: [broadcast(), waits(2e6)] },
      /^the token A in the token file \/ no token file$/,
    ],
  ],
  'changes-of-a-stream': [
    [
      'asks for no stream',
      { watch: [read('/changes?region=eu', { Accept: 'text/html' })] },
      /^Accept: text\/event-stream \/ text\/html$/,
    ],
  ],
};

describe('the kit', function () {
  this.timeout(60_000);
  for (const [name, cases] of Object.entries(CASES))
    for (const [title, script, wanted] of cases)
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
        expect(`${failure?.expected} / ${failure?.seen}`).to.match(wanted);
      });
});
