/**
 * The pages of docs/reference. `npm run reference` writes them from what the code says of itself, and from docs/words
 * where a person has to say more; a test holds the pages to it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderAlerts } from './reference/alerts.ts';
import { renderApi } from './reference/api.ts';
import { renderErrors } from './reference/errors.ts';
import { renderLogLines } from './reference/log-lines.ts';
import { renderMetrics } from './reference/metrics.ts';
import { renderOptions } from './reference/options.ts';

const FOLDER = new URL('../docs/reference/', import.meta.url);

/** The text of each page, by the name of its file. */
export async function renderReference(): Promise<Readonly<Record<string, string>>> {
  return {
    'alerts.md': renderAlerts(),
    'api.md': await renderApi(),
    'errors.md': renderErrors(),
    'log-lines.md': renderLogLines(),
    'metrics.md': await renderMetrics(),
    'options.md': renderOptions(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(await renderReference()))
    writeFileSync(new URL(name, FOLDER), text);
}
