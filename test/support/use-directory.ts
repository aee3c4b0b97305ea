/** A directory of a describe block, gone with all that is in it after its tests. */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Call it in a describe block. Returns a function that gives a new path in it with each call. */
export function useDirectory(): () => string {
  let directory = '';
  let count = 0;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'gsls-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  return () => {
    count += 1;
    return join(directory, `file-${count}`);
  };
}
