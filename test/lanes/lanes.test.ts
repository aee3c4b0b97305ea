/** The lanes of the tests, against the files, the scripts and the documents. */

import { join, sep } from 'node:path';
import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

// Mocha reads its configuration as JavaScript.
const { LANES, LONGEST, mochaOf } = (await import(new URL('lanes.mjs', import.meta.url).href)) as {
  LANES: Readonly<Record<string, { readonly script: string; readonly goalS: number }>>;
  LONGEST: readonly string[];
  mochaOf: (lane: string) => { readonly spec: readonly string[] };
};
const { filesEnding, startersOf } = (await import(new URL('test-files.mjs', import.meta.url).href)) as {
  filesEnding: (end: string) => string[];
  startersOf: (path: string) => ReadonlySet<string>;
};

const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };

describe('the lanes of the tests', () => {
  it('have every file of tests once, and the quick ones in the loop too', () => {
    const names = [
      'test',
      'page',
      'stack',
      'clients',
      'protocols',
      'upgrade',
      'release',
      'faults',
      'nemesis',
    ];
    const lanes = names.map((lane) => mochaOf(lane).spec);
    const ends = ['.test.ts', '.client.ts', '.real.ts', '.upgrade.ts', '.release.ts', '.fault.ts'];
    expect(lanes.flat()).to.have.members(ends.flatMap(filesEnding));
    expect(lanes[0]).to.include.members([...mochaOf('quick').spec]);
    expect(lanes.flat()).to.include.members([...LONGEST]);
  });

  it('start no program but GSLS and Redis in the loop, apart from its smoke tests', () => {
    const allowed = ['redis-server', 'start-cli', 'make-pipe'].map((name) =>
      join('test', 'support', `${name}.ts`),
    );
    const files = mochaOf('test').spec.filter((path) => !path.startsWith(join('test', 'smoke') + sep));
    const others = files.filter((path) => [...startersOf(path)].some((each) => !allowed.includes(each)));
    expect(others).to.deep.equal([]);
  });

  it('are scripts of the package, and stand in CONTRIBUTING.md with their goals', () => {
    const contributing = readDocument('CONTRIBUTING.md');
    for (const { script, goalS } of Object.values(LANES)) {
      expect(scripts).to.have.property(script);
      const command = script === 'test' ? 'npm test' : `npm run ${script}`;
      expect(contributing).to.match(new RegExp(`^\\| \`${command}\` +\\|.*\\| ${goalS} s +\\|$`, 'm'));
    }
  });
});
