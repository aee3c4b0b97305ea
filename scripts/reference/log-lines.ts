/** The page of the lines of the log, from the source that writes them. */

import { logLines } from '../../test/support/log-lines.ts';
import { grouped, page, readWords } from './page.ts';

const INTRODUCTION = `Each change of state has one line. \`…\` stands for a part that differs. At debug there are also lines for each request, each connection to Redis, each entry that is listed or leaves, each probe, and each client that was cut off. [The log](../observe.md#logs) says where the lines go.`;

/** The most urgent first. */
const LEVELS = ['fatal', 'error', 'warn', 'info'];

export function renderLogLines(): string {
  const lines = [...new Set(logLines())]
    .map((line) => ({ level: line.split(' ')[0]!, message: line.slice(line.indexOf(' ') + 1) }))
    .toSorted(
      (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.message < b.message ? -1 : 1),
    );
  const headingOf = ({ level, message }: (typeof lines)[number]): string => `${level}: \`${message}\``;
  const words = readWords('log-lines', lines.map(headingOf));
  return page('Log lines', [
    INTRODUCTION,
    ...grouped(
      lines,
      ({ level }) => level,
      (those) => those.map((line) => `**\`${line.message}\`**\n\n${words.get(headingOf(line))!}`),
    ),
  ]);
}
