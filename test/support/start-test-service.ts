/** A whole service on a free port, for tests over HTTP. */

import { readFileSync } from 'node:fs';
import { createConfig } from '../../src/service/config/config.ts';
import type { Logger } from '../../src/runtime/log/logger.ts';
import type { Processes } from '../../src/registry/data-file/file-lock.ts';
import { startService, type Service } from '../../src/service/service.ts';
import { PATIENT } from './patient.ts';

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Processes as a test sees them: only its own is running. */
export const thisProcess: Processes = { ownPid: process.pid, isRunning: (pid) => pid === process.pid };

/** What it takes for its version. */
export const TEST_VERSION = '1.2.3';

/**
 * A running service on 127.0.0.1, with options as variables: `{ GSLS_TTL: '30' }`. A test of a deadline, or of a Redis
 * that hangs, gives it other deadlines.
 */
export function startTestService(
  environment: Readonly<Record<string, string>> = {},
  logger = silentLogger,
  deadlines = PATIENT,
): Promise<Service> {
  const config = createConfig({
    flags: {},
    environment: { GSLS_PORT: '0', GSLS_HOST: '127.0.0.1', ...environment },
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const facts = { version: TEST_VERSION, nodeVersion: process.versions.node };
  return startService({ config, logger, processes: thisProcess, facts, deadlines });
}
