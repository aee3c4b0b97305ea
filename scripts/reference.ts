/**
 * The pages of docs/reference. `npm run generate -- reference` writes them from what the code says of itself, and
 * keeps in them what people wrote of alerts and lines of the log; a test holds the pages to it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderApi } from './reference/api.ts';
import { renderConfigSchema } from './reference/config-schema.ts';
import { renewPages } from './reference/renewed-pages.ts';
import { renderErrors, renderMetrics, renderOptions } from './reference/tables.ts';

const FOLDER = new URL('../docs/reference/', import.meta.url);

/** The text of each page, by the name of its file. */
export async function renderReference(): Promise<Readonly<Record<string, string>>> {
  return {
    ...renewPages(),
    'api.md': await renderApi(),
    'config.schema.json': await renderConfigSchema(),
    'errors.md': renderErrors(),
    'metrics.md': await renderMetrics(),
    'options.md': renderOptions(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(await renderReference()))
    writeFileSync(new URL(name, FOLDER), text);
}
