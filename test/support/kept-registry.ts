/** A registry in memory with its data file, opened and closed together as the service does. */

import type { Deadlines } from '../../src/runtime/deadlines.ts';
import { DataFile, type DataFileEvents } from '../../src/registry/data-file/data-file.ts';
import type { Processes } from '../../src/registry/data-file/file-lock.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { PATIENT } from './patient.ts';
import { lifetime, type RegistryFixtureOptions } from './registry-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { thisProcess } from './start-test-service.ts';

export interface KeptRegistryOptions extends Partial<RegistryFixtureOptions> {
  readonly fileEvents?: Partial<DataFileEvents>;
  readonly processes?: Processes;
  readonly deadlines?: Pick<Deadlines, 'fileWriteMs'>;
}

export async function openKeptRegistry(
  path: string,
  {
    fileEvents = {},
    processes = thisProcess,
    clock = new ManualClock(),
    deadlines = PATIENT,
    uniqueAddress = false,
    ...rest
  }: KeptRegistryOptions = {},
): Promise<MemoryRegistry> {
  const journal = await DataFile.open(path, { processes, events: fileEvents, clock, deadlines });
  const registry = new MemoryRegistry({ lifetime, clock, uniqueAddress, journal, ...rest });
  return Object.assign(registry, {
    async close() {
      await MemoryRegistry.prototype.close.call(registry);
      await journal.close();
    },
  });
}
