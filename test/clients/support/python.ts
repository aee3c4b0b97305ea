import { fileURLToPath } from 'node:url';
import type { JudgedClient } from './judged-client.ts';

const PROGRAM = fileURLToPath(new URL('../../../clients/python/conformance.py', import.meta.url));

export const PYTHON: JudgedClient = {
  name: 'Python',
  folder: 'python',
  needs: ['python3'],
  // Without a cache of the modules in the sources.
  build: async () => ['python3', '-B', PROGRAM],
};
