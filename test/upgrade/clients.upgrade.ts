/** The clients of the oldest release, as it had them, before the service that the kit of this version plays. */

import { availableParallelism } from 'node:os';
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { judge } from '../../src/tools/conformance/judge.ts';
import { SCENES } from '../../src/tools/conformance/scenes/scenes.ts';
import { C } from '../clients/support/c.ts';
import { CSHARP } from '../clients/support/csharp.ts';
import { PYTHON } from '../clients/support/python.ts';
import { TYPESCRIPT } from '../clients/support/typescript.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { describeWithRelease } from './support/release.ts';

/** The core of what the kit of that release asked, too. */
const PLAYED = {
  announces:
    'plain-life fields-of-now interval-by-header unknown-fields-and-headers names-of-every-script remove-at-the-end',
  recovers: 'unknown-server not-owner address-taken idempotency-key-used unavailable-until',
  restarts: 'token-file token-of-before',
  reads: 'plain-list unchanged-list moving-pages query-as-it-is key-of-a-reader',
  follows:
    'changes-of-a-stream full-replaces cut-streams forms-of-events stale-watch retry-of-a-stream polls',
};
/** What the kit expects at the end of a scene, once all else has passed, and asks of later clients alone. */
const LATER: Readonly<Record<string, string>> = {
  'a log of whole sentences': 'the words for people are no promise, and were notes then',
  '"keep_id" of the remove to be true': 'it is of 0.15: a client without it gives up its id when it stops',
};

describeWithRelease(
  'the clients of RELEASE',
  (release) => {
    const newPath = useDirectory();
    const names = Object.values(PLAYED).join(' ').split(' ');
    const scenes = SCENES.filter(({ name }) => names.includes(name));

    it('are asked scenes that there are', () => {
      expect(scenes.map(({ name }) => name)).to.have.members(names);
    });

    for (const client of [TYPESCRIPT, PYTHON, C, CSHARP])
      needs(...client.needs).it(`for ${client.name} announce and read at this version`, async () => {
        const folder = newPath();
        mkdirSync(folder);
        const { client: introduced, verdicts } = await judge({
          command: await client.build(folder, release()),
          scenes,
          isReal: false,
          atOnce: 2 * availableParallelism(),
          onVerdict: () => undefined,
        });
        const failed = verdicts.filter(
          ({ result, outcome }) => result === 'failed' && LATER[outcome!.failure!.expected] === undefined,
        );
        expect(failed.map(({ scene, outcome }) => ({ ...outcome?.failure, name: scene.name }))).to.deep.equal(
          [],
        );
        const concerned = verdicts.filter(({ result }) => result !== 'not concerned');
        expect(concerned).to.have.length(introduced.can.includes('list') ? scenes.length : 13);
      });
  },
  'oldestOrigin',
);
