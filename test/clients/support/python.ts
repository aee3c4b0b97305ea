import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/program.ts';
import type { JudgedClient } from './judged-client.ts';

export const PYTHON: JudgedClient = {
  name: 'Python',
  needs: ['python3'],
  async build(_, from = ROOT) {
    // The command may be a script that looks for the interpreter each time.
    const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']);
    // Without a cache of the modules in the sources.
    return [stdout.trim(), '-B', join(from, 'clients/python/conformance.py')];
  },
};
