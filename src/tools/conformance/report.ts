/** Verdicts for people, and for programs. */

import type { Introduction, Verdict } from './judge.ts';
import type { Scene } from './scene.ts';

const MARKS = { passed: '✓', failed: '✗', 'not concerned': '·' } as const;

/** A line for each verdict, and what went wrong below it. */
export function verdictAsText({ scene, result, outcome }: Verdict): string {
  const { name, rule, proves } = scene;
  const line = `${MARKS[result]} ${name}${result === 'not concerned' ? ', not concerned' : ''}\n`;
  const failure = outcome?.failure;
  if (failure === undefined) return line;
  const complaints = printable(outcome!.complaints).trimEnd();
  return [
    line,
    `    ${rule}\n`,
    `    act ${failure.act}: expected ${printable(failure.expected)}\n`,
    `    seen: ${printable(failure.seen)}\n`,
    `    see ${proves[0]}: ${proves[1]}\n`,
    ...(complaints === '' ? [] : [complaints.replaceAll(/^/gm, '    | '), '\n']),
  ].join('');
}

export function summaryOf({ name }: Introduction, verdicts: readonly Verdict[]): string {
  const count = (result: Verdict['result']): number =>
    verdicts.filter((verdict) => verdict.result === result).length;
  const parts = [
    `${count('passed')} passed`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('not concerned') > 0 ? [`${count('not concerned')} do not concern it`] : []),
  ];
  return `\n${printable(name)}: ${parts.join(', ')}\n`;
}

export function verdictsAsJson({ name, can }: Introduction, verdicts: readonly Verdict[]): string {
  const scenes = verdicts.map(({ scene, result, outcome }) => ({
    name: scene.name,
    result,
    ...(outcome !== undefined && { ms: Math.round(outcome.ms) }),
    ...outcome?.failure,
    ...(result === 'failed' && { rule: scene.rule, complaints: outcome!.complaints }),
  }));
  return `${JSON.stringify({ client: name, can, scenes }, undefined, 2)}\n`;
}

/** All scenes with their rules. */
export function listOf(scenes: readonly Scene[]): string {
  return scenes
    .map(
      ({ name, needs, rule, proves }) =>
        `${name}  (${needs.join(', ')})\n    ${rule}\n    ${proves[0]}: ${proves[1]}\n`,
    )
    .join('');
}

export function listJsonOf(scenes: readonly Scene[]): string {
  const rows = scenes.map(({ name, needs, rule, proves: [document, words], short = false }) => ({
    name,
    needs,
    rule,
    document,
    words,
    short,
  }));
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '·');
}
