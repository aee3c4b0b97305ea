/** The figures of the benchmark that documents quote, against bench/RESULTS.md, and the version that was measured. */

import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const README = readDocument('README.md');
const DESIGN = readDocument('docs/design.md');
const RESULTS = readDocument('bench/RESULTS.md');

/** The case of the benchmark behind each row of the documents. */
const CASES: Readonly<Record<string, string>> = {
  'list, gzip': 'list gzip',
  'list, gzip, 1,000 changes a second': 'list gzip, 1000 changes/s',
  'list, plain': 'list plain',
  'list, plain, 1,000 changes a second': 'list plain, 1000 changes/s',
  'list, unchanged (304)': 'list, 304',
  'ping, nothing new': 'ping, unchanged',
  'ping, other players': 'ping, changed',
  'list, plain, the obvious way (2 readers)': 'list plain, 2 readers',
};
const SUBJECTS = ['floor', 'gsls-memory', 'gsls-redis'];

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The rows of the first table after the heading. */
function tableAfter(document: string, heading: string): string[][] {
  const section = document.split(`\n## ${heading}\n`)[1]!;
  const [, , ...rows] = /(?:^\|.*\n)+/m.exec(section)![0].trim().split('\n');
  return rows.map(cellsOf);
}

/** What was measured with 10,000 game servers: requests a second and µs of CPU, each with its ratio to the floor. */
function measured(
  name: string,
  subject: string,
): { req: string; reqRatio: string; cpu: string; cpuRatio: string } {
  const rows = RESULTS.split('\n').map(cellsOf);
  const row = rows.find(([of, servers, by]) => of === CASES[name] && servers === '10000' && by === subject);
  if (row === undefined) throw new Error(`bench/RESULTS.md has no ${name} of ${subject}`);
  const [req, cpu] = [row[3]!, row[6]!].map((spread) => spread.split(' ')[0]!) as [string, string];
  return { req: Number(req).toLocaleString('en'), reqRatio: row[8]!, cpu, cpuRatio: row[11]! };
}

describe('the figures of the benchmark', () => {
  it('are of the version that the README, the design and the results name', () => {
    const [, version] = /^The last figures of `npm run bench`, of (\d+\.\d+\.\d+):/m.exec(RESULTS)!;
    expect(README.split('## Performance')[1]).to.include(` Measured with ${version}. `);
    expect(DESIGN.split('## Performance')[1]).to.include(`This is the last run, of ${version} (`);
  });

  it('of the README are those of the results', () => {
    const rows = tableAfter(README, 'Performance');
    expect(rows).to.have.length(3);
    for (const [name, ...figures] of rows)
      expect(figures, name).to.deep.equal(SUBJECTS.map((subject) => measured(name!, subject).req));
  });

  it('in the first lines of the README are those of its table, at most rounded down to hundreds', () => {
    const [, said] = /([\d,]+) compressed lists of 10,000 game servers a second/.exec(README)!;
    const [, , ...ofGsls] = tableAfter(README, 'Performance').find(([name]) => name === 'list, gzip')!;
    const figures = ofGsls.flatMap((figure) => [figure, roundedDown(figure)]);
    expect(figures).to.include(said);
  });

  it('of the design are those of the results', () => {
    const rows = tableAfter(DESIGN, 'Performance');
    expect(rows).to.have.length(Object.keys(CASES).length);
    for (const [name, ...figures] of rows) expect(figures, name).to.deep.equal(figuresOfDesign(name!));
  });
});

function roundedDown(figure: string): string {
  const value = Number(figure.replaceAll(',', ''));
  return (value - (value % 100)).toLocaleString('en');
}

/** The row as docs/design.md writes it: rivals by requests, pings by CPU, lists by requests. */
function figuresOfDesign(name: string): string[] {
  if (name.includes('the obvious way')) {
    const [stringify, hgetall] = ['rival-stringify', 'rival-hgetall'].map(
      (rival) => measured(name, rival).req,
    );
    return ['', `${stringify} req/s, stringified`, `${hgetall} req/s, hash by hash`];
  }
  return SUBJECTS.map((subject) => {
    const { req, reqRatio, cpu, cpuRatio } = measured(name, subject);
    const [figure, ratio] = name.startsWith('ping')
      ? [`${cpu} µs CPU`, cpuRatio]
      : [`${req} req/s`, reqRatio];
    return subject === 'floor' ? figure : `${figure} (${ratio} ×)`;
  });
}
