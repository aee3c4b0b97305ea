/** Whether a terminal gets colors, and what stands out. */

import { styleText } from 'node:util';

/** By the variables of its process: NO_COLOR (no-color.org), and TERM of a terminal that has none. */
export function isColorful(environment: Readonly<Record<string, string | undefined>>): boolean {
  return !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** The head of a table. */
export function emphasize(text: string): string {
  return styleText('bold', text);
}
