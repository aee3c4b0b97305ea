/**
 * The captures of docs/terminal.md: what commands show in a terminal, as text. `npm run generate -- captures` starts a
 * demo, which is always the same, runs each command that the document names, and writes what is seen below it. Needs
 * tmux.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { startListeningCli } from '../test/support/start-cli.ts';
import { Terminal } from '../test/support/terminal.ts';

const DOCUMENT = fileURLToPath(new URL('../docs/terminal.md', import.meta.url));
const SHOWN_URL = 'http://localhost:53600';
const SIZE = { columns: 100, rows: 24 };
/** Behind `keys:` are those that are pressed once there is something to see. */
const CAPTURE = /(<!-- capture: gsls (.*?)(?: \| keys: (.*?))? -->\n\n```text\n)[^]*?(```)/g;
/** Until a command shows what it has to show, and what has just come stands out no more. */
const PATIENCE_MS = 4000;

const demo = await startListeningCli(['demo', '--servers', '60'], { GSLS_TTL: '60' });

async function capture(words: string, keys: string | undefined): Promise<string> {
  const args = words.replaceAll(SHOWN_URL, demo.url).split(' ');
  const terminal = new Terminal(args, SIZE);
  try {
    await delay(PATIENCE_MS);
    if (keys !== undefined) {
      terminal.press(...keys.split(' '));
      await terminal.ended();
    }
    const lines = terminal.exitCode === undefined ? terminal.lines : terminal.printed;
    // Isolates are for terminals; the same length keeps columns where they are.
    return lines
      .map((line) => line.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(demo.url, SHOWN_URL))
      .join('\n');
  } finally {
    terminal.close();
  }
}

try {
  const before = readFileSync(DOCUMENT, 'utf8');
  let after = before;
  for (const [whole, head, words, keys, foot] of before.matchAll(CAPTURE)) {
    const seen = await capture(words!, keys);
    after = after.replace(whole, () => `${head}$ gsls ${words}\n${seen}\n${foot}`);
  }
  writeFileSync(DOCUMENT, await format(after, { parser: 'markdown', singleQuote: true, printWidth: 110 }));
} finally {
  await demo.stop();
}
