/** The page of the errors, from the closed table of them. */

import { ERRORS } from '../../src/errors.ts';
import { grouped, page, plain, readWords } from './page.ts';

const INTRODUCTION = `Programs match on the \`code\`, which never changes. The text is for people, and may say more than the usual text below. [Game servers](../game-servers.md) and [operators](../troubleshoot.md) find there what to do step by step.`;

export function renderErrors(): string {
  const codes = Object.entries(ERRORS);
  const words = readWords(
    'errors',
    codes.map(([code]) => code),
  );
  return page('Errors', [
    INTRODUCTION,
    ...grouped(
      codes,
      ([, { status }]) => String(status),
      (those) =>
        those.flatMap(([code, { message }]) => [
          `### \`${code}\``,
          words.get(code)!,
          `Text: "${plain(message)}".`,
        ]),
    ),
  ]);
}
