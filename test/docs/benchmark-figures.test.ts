/** The figures of the benchmark that the README quotes, against bench/RESULTS.md, and the version that was measured. */

import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const README = readDocument('README.md');
const RESULTS = readDocument('bench/RESULTS.md');

/** The case of the benchmark behind each row of its table. */
const CASES: Readonly<Record<string, string>> = {
  'list, gzip': 'list gzip',
  'list, unchanged (304)': 'list, 304',
  'ping, other players': 'ping, changed',
};
const SUBJECTS = ['floor', 'gsls-memory', 'gsls-redis'];

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The rows of the table of the README. */
function tableOfReadme(): string[][] {
  const [, section] = README.split('\n## Performance\n');
  const [, , ...rows] = /(?:^\|.*\n)+/m.exec(section!)![0].trim().split('\n');
  return rows.map(cellsOf);
}

/** The requests a second that were measured with 10,000 game servers. */
function measured(name: string, subject: string): string {
  const rows = RESULTS.split('\n').map(cellsOf);
  const row = rows.find(([of, servers, by]) => of === CASES[name] && servers === '10000' && by === subject);
  if (row === undefined) throw new Error(`bench/RESULTS.md has no ${name} of ${subject}`);
  return Number(row[3]!.split(' ')[0]).toLocaleString('en');
}

describe('the figures of the benchmark in the README', () => {
  it('are of the version that the results name', () => {
    const [, version] = /^The last figures of `npm run bench -- requests`, of (\d+\.\d+\.\d+):/m.exec(
      RESULTS,
    )!;
    expect(README.split('## Performance')[1]).to.include(` Measured with ${version}. `);
  });

  it('are those of the results', () => {
    const rows = tableOfReadme();
    expect(rows).to.have.length(Object.keys(CASES).length);
    for (const [name, ...figures] of rows)
      expect(figures, name).to.deep.equal(SUBJECTS.map((subject) => measured(name!, subject)));
  });

  it('in its first lines are those of its table, at most rounded down to hundreds', () => {
    const [, said] = /([\d,]+) compressed lists of 10,000 game servers a second/.exec(README)!;
    const [, , ...ofGsls] = tableOfReadme().find(([name]) => name === 'list, gzip')!;
    const figures = ofGsls.flatMap((figure) => [figure, roundedDown(figure)]);
    expect(figures).to.include(said);
  });
});

function roundedDown(figure: string): string {
  const value = Number(figure.replaceAll(',', ''));
  return (value - (value % 100)).toLocaleString('en');
}
