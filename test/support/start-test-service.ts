/** A whole service on a free port, for tests over HTTP. */

import { loadDeployment } from '../../src/service/deployment/deployment.ts';
import { ReadFiles } from '../../src/service/deployment/read-files.ts';
import type { Logger } from '../../src/runtime/log/logger.ts';
import type { Processes } from '../../src/registry/data-file/file-lock.ts';
import { startService, type Service, type ServiceOptions } from '../../src/service/service.ts';
import { PATIENT } from './patient.ts';

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Processes as a test sees them: only its own is running. */
export const thisProcess: Processes = { ownPid: process.pid, isRunning: (pid) => pid === process.pid };

/** The place of a service that is one worker of several. */
export type Among = ServiceOptions['amongWorkers'];

/** What it takes for its version. */
export const TEST_VERSION = '1.2.3';

/**
 * A running service on 127.0.0.1, with options as variables: `{ GSLS_TTL: '30' }`. A test of a deadline, or of a Redis
 * that hangs, gives it other deadlines.
 */
export async function startTestService(
  environment: Readonly<Record<string, string>> = {},
  logger = silentLogger,
  deadlines = PATIENT,
  amongWorkers?: Among,
): Promise<Service> {
  const files = new ReadFiles();
  const sources = {
    flags: {},
    environment: { GSLS_PORT: '0', GSLS_HOST: '127.0.0.1', ...environment },
    readFile: files.read,
  };
  const load = () => loadDeployment(sources);
  const facts = { version: TEST_VERSION, nodeVersion: process.versions.node };
  const deployment = await load();
  return startService({
    deployment,
    rereading: { files, load },
    logger,
    processes: thisProcess,
    facts,
    deadlines,
    amongWorkers,
  });
}
