/** The kit against a client without a fault on the wall clock, and against clients with one fault each. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../src/tools/conformance/judge.ts';
import { SCENES } from '../../src/tools/conformance/scenes/scenes.ts';
import { ROOT } from '../support/program.ts';
import { TYPESCRIPT } from './support/typescript.ts';

/** The fault, the scene that is there for it, and what the client did not do. */
const FAULTS: readonly (readonly [fault: string, scene: string, expected: RegExp])[] = [
  ['another key each time', 'late-answer', /^the same Idempotency-Key/],
  ['one key for all entries', 'unknown-server', /^a fresh Idempotency-Key/],
  ['a claim with each broadcast', 'ip-mismatch', /^the Server-Token of a broadcast to be the token A/],
  ['pings without a token', 'plain-life', /^the Server-Token of a ping to be the token A/],
  ['each ping twice', 'usual-interval', /^a ping from 18000 to 22000 ms after/],
  ['no remove', 'remove-at-the-end', /^a remove/],
  ['redirects followed', 'redirect', /^a broadcast from 500 to 1000 ms after/],
  ['a 503 taken for the loss of the entry', 'spread-of-pauses', /^pauses from 500 to 1000 ms/],
  ['a page taken for a success', 'page-of-a-proxy', /^(a broadcast|the request)/],
  [
    'a 404 of a proxy taken for that of the service',
    'not-found-by-a-proxy',
    /^(a broadcast|the same Idempotency-Key)/,
  ],
  ['half an answer taken for a whole one', 'half-an-answer', /^(a broadcast|the request)/],
  ['an answer of any size', 'ten-megabytes', /^(a broadcast|the request)/],
  ['no Retry-After', 'rate-limited', /^a broadcast from 7000 to 8000 ms after/],
  ['an interval of its own', 'interval-by-header', /^a ping/],
  ['no chance in its pauses', 'spread-of-pings', /^100 pauses spread over 18000 to 22000 ms/],
  ['any certificate', 'wrong-certificate', /^no request/],
  ['a token in the log', 'path-of-the-service', /^no token and no key in the log/],
  ['control characters in the log', 'hostile-words', /^a log of printable characters/],
  [
    'a call that waits for the network',
    'calls-return-at-once',
    /^that the client waits for its answer meanwhile/,
  ],
  ['a stop that takes its time', 'stop-while-it-hangs', /^that the stop is over within 2 s/],
  ['no ears for SIGTERM', 'sigterm', /^a remove$/],
  ['a stop that ends nothing', 'sigterm', /^that its process ends within 2 s$/],
  ['an id given up at a stop', 'stopped-and-started', /^"keep_id" of the remove to be true$/],
  ['an id given up at a stop', 'sigterm-keeps-the-id', /^"keep_id" of the remove to be true$/],
  ['half sentences in the log', 'plain-life', /^a log of whole sentences$/],
  ['no compression', 'compressed-list', /^gzip in Accept-Encoding/],
  ['a list without its ETag', 'unchanged-list', /^the tag first/],
  ['a Warning unseen', 'stale-list', /^a list that is stale/],
  ['servers without an id left out', 'broken-lists', /^the line \{"failed"/],
  ['pages of another query', 'moving-pages', /^the /],
  ['polls alone', 'stream-after-polls', /^Accept: text\/event-stream/],
  ['a place forgotten', 'full-replaces', /^the tag/],
  ['removals unseen', 'changes-of-a-stream', /^the servers/],
  ['bookmarks unseen', 'bookmarks', /^the tag/],
  ['a retry unseen', 'retry-of-a-stream', /^a GET of \/changes from/],
  ['an event that was cut taken for a whole one', 'cut-streams', /^the tag/],
];

describe('the kit', function () {
  this.timeout(60_000);
  let folder: string;
  let program: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
    program = (await TYPESCRIPT.build(folder)).at(-1)!;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('plays the short scenes alone on the wall clock, and passes a client that does all it has to', async () => {
    const { verdicts } = await judge({
      command: [process.execPath, program],
      scenes: SCENES,
      isReal: true,
      atOnce: 4,
      onVerdict: () => undefined,
    });
    expect(verdicts.map(({ outcome }) => outcome?.failure).filter(Boolean)).to.deep.equal([]);
    const played = verdicts.filter(({ result }) => result === 'passed').map(({ scene }) => scene.name);
    expect(played).to.have.members(SCENES.filter(({ short }) => short).map(({ name }) => name));
  });

  for (const [fault, name, expected] of FAULTS)
    it(`finds ${fault}, by ${name}`, async () => {
      const broken = join(ROOT, 'test/clients/support/broken-client.mjs');
      const { verdicts } = await judge({
        command: [process.execPath, broken, program, fault],
        scenes: SCENES.filter((scene) => scene.name === name),
        isReal: false,
        atOnce: 1,
        onVerdict: () => undefined,
      });
      const { failure } = verdicts[0]!.outcome!;
      expect(failure?.expected, failure?.seen).to.match(expected);
    });
});
