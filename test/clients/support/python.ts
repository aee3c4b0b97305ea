import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JudgedClient } from './judged-client.ts';

const PROGRAM = fileURLToPath(new URL('../../../clients/python/conformance.py', import.meta.url));

export const PYTHON: JudgedClient = {
  name: 'Python',
  needs: ['python3'],
  async build() {
    // The command may be a script that looks for the interpreter each time.
    const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']);
    // Without a cache of the modules in the sources.
    return [stdout.trim(), '-B', PROGRAM];
  },
};
