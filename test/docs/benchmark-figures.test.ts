/** The figures of the benchmark in the README: written by it, from bench/RESULTS.md, and of this version. */

import { expect } from 'chai';
import { measuredVersion, withFigures, withSection } from '../../bench/requests/readme.ts';
import type { Row } from '../../bench/requests/results.ts';
import { readDocument } from '../support/markdown.ts';

const README = readDocument('README.md');
const RESULTS = readDocument('bench/RESULTS.md');
const { version } = JSON.parse(readDocument('package.json')) as { version: string };

function rowsOf(name: string, floor: number): Row[] {
  const spread = { min: floor, max: floor };
  return (['floor', 'gsls-memory', 'gsls-redis'] as const).map((subject, index) => ({
    name,
    count: 10_000,
    subject,
    requestsPerSecond: floor - 1000 * index,
    p50Ms: 1,
    p99Ms: 1,
    cpuUs: 1,
    redisCpuUs: 0,
    errors: 0,
    spread: { requestsPerSecond: spread, cpuUs: spread },
    ratio: { requestsPerSecond: 1, p50: 1, p99: 1, cpu: 1 },
  }));
}

/** The lines of a text that another has not. */
function linesBeyond(other: string, text: string): string[] {
  const known = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}

function minorOf(full: string): string {
  return full.split('.').slice(0, 2).join('.');
}

describe('the figures of the benchmark in the README', () => {
  it('are those that the benchmark composes from bench/RESULTS.md', () => {
    expect(linesBeyond(withFigures(README, RESULTS), README)).to.deep.equal([]);
  });

  it('are of this version, but for its patch: else `npm run bench -- requests --readme` is due', () => {
    expect(minorOf(measuredVersion(RESULTS))).to.equal(minorOf(version));
  });

  it('follow a new run, and leave the rest of both documents as it is', () => {
    const machine = { cpus: 'made up', cores: 64, memoryGiB: 1, node: 'v24.0.0' };
    const floors = { 'list gzip': 5050, 'list, 304': 30_000, 'ping, changed': 20_000 };
    const rows = Object.entries(floors).flatMap(([name, floor]) => rowsOf(name, floor));
    const results = { machine, rounds: 3, seconds: 1, rows, extras: [] };
    const written = withSection(RESULTS, '7.8.9', results);
    const readme = withFigures(README, written);
    expect(measuredVersion(written)).to.equal('7.8.9');
    expect(readme).to.match(/^- \*\*Fast\.\*\* 4,000 compressed .* on 64 cores, 80 % of what raw node:http/m);
    expect(readme).to.match(
      / of 7\.8\.9: 4,050 \/ 3,050 \/ 5,050 compressed lists; 29,000 \/ 28,000 \/ 30,000 /,
    );
    expect(linesBeyond(README, readme)).to.have.length(2);
    expect(written.split('\n## ').length).to.equal(RESULTS.split('\n## ').length);
  });
});
