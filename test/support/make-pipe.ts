/** A named pipe, which Node cannot make: for where `mkfifo` is. */

import { execFileSync } from 'node:child_process';

export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
