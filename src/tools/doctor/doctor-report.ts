/** The output of `gsls doctor`: for people a few lines, the last one the next step, for programs one of JSON. */

import { addressOf } from '../../model/address-of.ts';
import { printable, printableJson } from '../../model/printable.ts';
import type { CheckHere } from './doctor-here.ts';
import type { Diagnosis, Unanswered, ToldCheck } from './doctor-service.ts';

export interface Report {
  /** The address of the service. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly here: readonly CheckHere[];
  readonly found: Diagnosis | Unanswered;
}

const SIGNS: Readonly<Record<string, string>> = { fine: '✓', wrong: '✗' };
const UNKNOWN_SIGN = '?';

/** The fields of an entry that are shown, if they are texts or numbers. */
const ENTRY_FIELDS = ['name', 'id', 'registered_at', 'expires_at', 'join_code'];

/** The exit code: 0 listed and fine, 1 a cause was found, 3 the service was not reached. */
export function exitCodeOf(found: Report['found']): 0 | 1 | 3 {
  if ('notReached' in found) return 3;
  return found.cause === 'listed' ? 0 : 1;
}

export function reportAsText({ url, host, port, here, found }: Report): string {
  const title = `${printable(addressOf(host, port))} at ${printable(url)}`;
  if ('notReached' in found)
    return lines([
      title,
      '',
      ...here.map(line),
      '',
      `Cause: the service is not reached: ${printable(found.says)} (${found.notReached})`,
      next(found.next_step),
    ]);
  const { cause, says, entry, checks } = found;
  const about = ENTRY_FIELDS.flatMap((name) => {
    const value = entry?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
  });
  return lines([
    title,
    '',
    ...here.map(line),
    ...checks.map(line),
    ...about.map((text) => `    ${printable(text)}`),
    '',
    `Cause: ${printable(says)} (${printable(cause)})`,
    next(found.next_step),
  ]);
}

export function reportAsJson({ url, host, port, here, found }: Report): string {
  const told = here.map((check) => ({ from: 'here', ...check }));
  const asked = { url, host, port };
  if ('notReached' in found) {
    const { notReached: cause, says, next_step } = found;
    return printableJson(
      JSON.stringify({ ...asked, reached: false, listed: false, cause, says, next_step, checks: told }),
    );
  }
  const checks = [...told, ...found.checks.map((check) => ({ from: 'service', ...check }))];
  return printableJson(JSON.stringify({ ...asked, reached: true, ...found, checks }));
}

function line({ result, says }: ToldCheck): string {
  return `  ${SIGNS[result] ?? UNKNOWN_SIGN} ${printable(says)}`;
}

function next(step: string): string {
  return `Next: ${printable(step)}`;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
