/**
 * The figures that the README quotes. `npm run bench -- requests --readme` writes them into a section of
 * bench/RESULTS.md, and two sentences of the README follow from the text of that section alone.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { MANIFEST } from '../../src/runtime/package-files.ts';
import { printTable } from './print-results.ts';
import type { Results } from './results.ts';
import type { SubjectName } from './subjects.ts';

/** The cases, and what the README calls the answers of each. */
const QUOTED = {
  'list gzip': 'compressed lists',
  'list, 304': 'answers of 304',
  'ping, changed': 'pings that change players',
} as const;

export const QUOTED_COUNT = 10_000;

const README = new URL('../../README.md', import.meta.url);
const RESULTS = new URL('../RESULTS.md', import.meta.url);

const SECTION = /(?<=^## What the README quotes\n\n)(?:(?!^## ).)*(?=\n^## )/ms;
const FAST = /^- \*\*Fast\.\*\* .*$/m;
const PERFORMANCE = /(?<=^## Performance\n\n)(?:(?!^## ).)*(?=\n\n^## )/ms;

export function isQuoted(name: string): name is keyof typeof QUOTED {
  return Object.hasOwn(QUOTED, name);
}

/** Writes both documents. Throws an Error, and writes neither, where a request failed or a sentence has no place. */
export function writeFigures(results: Results): void {
  if (results.rows.some(({ errors }) => errors > 0)) throw new Error('requests failed: nothing is written');
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
  const document = withSection(readFileSync(RESULTS, 'utf8'), version, results);
  const readme = withFigures(readFileSync(README, 'utf8'), document);
  writeFileSync(RESULTS, document);
  writeFileSync(README, readme);
}

/** The text of bench/RESULTS.md with these results of the version as its section. */
export function withSection(document: string, version: string, results: Results): string {
  const command = `npm run bench -- requests --readme --rounds ${results.rounds} --seconds ${results.seconds}`;
  const head = `Of ${version}: \`${command}\` wrote this section, and what the README quotes of it. The load is on the same cores.`;
  return replaced(document, SECTION, `${head}\n\n${printTable(results).trimEnd()}\n`);
}

/** The version that the section of bench/RESULTS.md is of. */
export function measuredVersion(document: string): string {
  return found(found(document, SECTION), /(?<=^Of )\S+(?=: )/);
}

/** The text of the README with the sentences that follow from the section of bench/RESULTS.md. */
export function withFigures(readme: string, document: string): string {
  const section = found(document, SECTION);
  const cores = found(section, /^\d+ cores/m);
  const figure = (name: string, subject: SubjectName): number =>
    Number(
      found(section, new RegExp(`(?<=^\\| ${name} +\\| ${QUOTED_COUNT} +\\| ${subject} +\\| )\\d+`, 'm')),
    );
  const lists = figure('list gzip', 'gsls-memory');
  const percent = Math.round((100 * lists) / figure('list gzip', 'floor'));
  const fast =
    `- **Fast.** ${grouped(lists - (lists % 100))} compressed lists of ${grouped(QUOTED_COUNT)} game servers a second ` +
    `on ${cores}, ${percent} % of what raw node:http sends.`;
  const quotes = Object.entries(QUOTED).map(([name, answers]) => {
    const figures = (['gsls-memory', 'gsls-redis', 'floor'] as const).map((each) => figure(name, each));
    return `${figures.map(grouped).join(' / ')} ${answers}`;
  });
  const performance =
    `Requests a second with ${grouped(QUOTED_COUNT)} game servers, in memory / on Redis / of raw node:http, with the load ` +
    `on the same ${cores}, by \`npm run bench\` of ${measuredVersion(document)}: ${quotes.join('; ')}. ` +
    '[All results](bench/RESULTS.md).';
  return replaced(replaced(readme, FAST, fast), PERFORMANCE, performance);
}

function grouped(figure: number): string {
  return figure.toLocaleString('en');
}

function found(text: string, place: RegExp): string {
  const match = place.exec(text);
  if (match === null) throw new Error(`nothing is like ${place}`);
  return match[0];
}

function replaced(text: string, place: RegExp, by: string): string {
  return text.replace(found(text, place), () => by);
}
