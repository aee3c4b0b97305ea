/** The kit against clients with one fault each: it finds every one, by the scene that is there for it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../src/conformance/judge.ts';
import { SCENES } from '../../src/conformance/scenes/scenes.ts';
import { ROOT } from '../support/program.ts';
import { TYPESCRIPT } from './support/typescript.ts';

/** The fault, and the scene that is there for it. */
const FAULTS: Readonly<Record<string, string>> = {
  'another key each time': 'late-answer',
  'one key for all entries': 'unknown-server',
  'a claim with each broadcast': 'ip-mismatch',
  'pings without a token': 'plain-life',
  'each ping twice': 'usual-interval',
  'no remove': 'remove-at-the-end',
  'redirects followed': 'redirect',
  'a 503 taken for the loss of the entry': 'unavailable-until',
  'a page taken for a success': 'page-of-a-proxy',
  'a 404 of a proxy taken for that of the service': 'not-found-by-a-proxy',
  'half an answer taken for a whole one': 'half-an-answer',
  'an answer of any size': 'ten-megabytes',
  'no Retry-After': 'rate-limited',
  'an interval of its own': 'interval-by-header',
  'no chance in its pauses': 'spread-of-pings',
  'any certificate': 'wrong-certificate',
  'a token in the log': 'path-of-the-service',
  'control characters in the log': 'hostile-words',
  'a call that waits for the network': 'calls-return-at-once',
  'a stop that takes its time': 'stop-while-it-hangs',
};

describe('the kit', function () {
  this.timeout(60_000);
  let folder: string;
  let program: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
    program = (await TYPESCRIPT.build(folder)).at(-1)!;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [fault, name] of Object.entries(FAULTS))
    it(`finds ${fault}, by ${name}`, async () => {
      const broken = join(ROOT, 'test/clients/support/broken-client.mjs');
      const { verdicts } = await judge({
        command: [process.execPath, broken, program, fault],
        scenes: SCENES.filter((scene) => scene.name === name),
        isReal: false,
        atOnce: 1,
        onVerdict: () => undefined,
      });
      expect(verdicts.map(({ result }) => result)).to.deep.equal(['failed']);
    });
});
