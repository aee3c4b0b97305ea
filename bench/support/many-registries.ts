/** Configuration files with many registries, each below the path of its name. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function namesOf(registries: number): string[] {
  return Array.from({ length: registries }, (_, n) => `game-${n}`);
}

/** Writes the file, which is gone when this process ends, and returns its path. `options`: those of each registry. */
export function configOf(registries: number, options: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'gsls.yaml');
  const lines = namesOf(registries).map((name, n) => `  ${name}: ${options[n] ?? '{}'}`);
  writeFileSync(path, ['registries:', ...lines, ''].join('\n'));
  return path;
}
