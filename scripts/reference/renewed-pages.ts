/** The pages that people write and the code completes: the alerts and the lines of the log. */

import { readFileSync } from 'node:fs';
import { logLines } from '../../test/support/log-lines.ts';
import { readAlerts } from '../../test/support/rules-file.ts';
import { renewed, type Entry } from './page.ts';

/** The most urgent first. */
const LEVELS = ['fatal', 'error', 'warn', 'info'];

const ENTRIES: Readonly<Record<string, () => readonly Entry[]>> = {
  'alerts.md': () =>
    readAlerts().map(({ name, severity, for: after }) => ({
      group: severity,
      heading: name,
      quote: after === '0m' ? undefined : `after ${after}`,
    })),
  'log-lines.md': () =>
    [...new Set(logLines())]
      .map((line) => ({ group: line.split(' ')[0]!, heading: `\`${line.slice(line.indexOf(' ') + 1)}\`` }))
      .toSorted(
        (a, b) => LEVELS.indexOf(a.group) - LEVELS.indexOf(b.group) || (a.heading < b.heading ? -1 : 1),
      ),
};

/** The text of each, by the name of its file. */
export function renewPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ENTRIES).map(([name, entries]) => {
      const text = readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8');
      return [name, renewed(text, entries(), `docs/reference/${name}`)];
    }),
  );
}
