/** The figures of the benchmark that the README quotes, against bench/RESULTS.md, and the version that was measured. */

import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const README = readDocument('README.md');
const RESULTS = readDocument('bench/RESULTS.md');

/** The cases of the benchmark that it quotes, each in memory and on Redis; of the first also the floor. */
const CASES = ['list gzip', 'list, 304', 'ping, changed'];
const [LISTS] = CASES;

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The requests a second that were measured with 10,000 game servers. */
function measured(name: string, subject: string): string {
  const rows = RESULTS.split('\n').map(cellsOf);
  const row = rows.find(([of, servers, by]) => of === name && servers === '10000' && by === subject);
  if (row === undefined) throw new Error(`bench/RESULTS.md has no ${name} of ${subject}`);
  return Number(row[3]!.split(' ')[0]).toLocaleString('en');
}

describe('the figures of the benchmark in the README', () => {
  it('are of the version that the results name', () => {
    const [, version] = /^The last figures of `npm run bench -- requests`, of (\d+\.\d+\.\d+):/m.exec(
      RESULTS,
    )!;
    expect(README.split('## Performance')[1]).to.include(` Measured with ${version}: `);
  });

  it('are those of the results', () => {
    const [section] = README.split('## Performance\n')[1]!.split('\n## ');
    const quoted = CASES.flatMap((name) => [
      ...['gsls-memory', 'gsls-redis'].map((subject) => measured(name, subject)),
      ...(name === LISTS ? [measured(name, 'floor')] : []),
    ]);
    expect(section!.match(/\b\d{1,3},\d{3}\b/g)).to.deep.equal(['10,000', ...quoted]);
  });

  it('in its first lines are those of its section, at most rounded down to hundreds', () => {
    const [, said] = /([\d,]+) compressed lists of 10,000 game servers a second/.exec(README)!;
    const figures = ['gsls-memory', 'gsls-redis'].map((subject) => measured(LISTS!, subject));
    expect(figures.flatMap((figure) => [figure, roundedDown(figure)])).to.include(said);
  });
});

function roundedDown(figure: string): string {
  const value = Number(figure.replaceAll(',', ''));
  return (value - (value % 100)).toLocaleString('en');
}
