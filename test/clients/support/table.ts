/** The table in clients/README.md: which client passes which scene. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENES } from '../../../src/conformance/scenes/scenes.ts';
import type { Verdict } from '../../../src/conformance/judge.ts';
import { ROOT } from '../../support/program.ts';

const PATH = join(ROOT, 'clients/README.md');
const [BEGIN, END] = ['<!-- conformance: begin -->', '<!-- conformance: end -->'];
const MARKS = { passed: 'yes', failed: 'NO', 'not concerned': '–' } as const;

type Result = Verdict['result'];

/** Cells without spaces around them, the head first. */
export function readTable(): readonly (readonly string[])[] {
  const [, table = ''] = readFileSync(PATH, 'utf8').split(BEGIN);
  return table
    .split(END)[0]!
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| -+/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What the table says of a client, in the order of the scenes; undefined where it says nothing. */
export function columnOf(
  [head = [], ...rows]: readonly (readonly string[])[],
  client: string,
): readonly (Result | undefined)[] {
  const column = head.indexOf(client);
  const results = Object.keys(MARKS) as Result[];
  return SCENES.map(({ name }) => {
    const row = rows.find(([scene]) => scene === `\`${name}\``);
    return results.find((result) => MARKS[result] === row?.[column]);
  });
}

/** Writes what the clients did, by name. The form is left to prettier. */
export function writeTable(verdicts: ReadonlyMap<string, readonly Verdict[]>): void {
  const clients = [...verdicts];
  const head = ['Scene', ...clients.map(([name]) => name)];
  const rows = SCENES.map(({ name }, index) => [
    `\`${name}\``,
    ...clients.map(([, each]) => MARKS[each[index]!.result]),
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const [before, rest] = readFileSync(PATH, 'utf8').split(BEGIN) as [string, string];
  const [, after] = rest.split(END) as [string, string];
  writeFileSync(PATH, `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`);
}
