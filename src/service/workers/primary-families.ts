/** The metrics that the primary adds to those of its workers. */

import type { Family } from '../metrics/families.ts';

export interface PrimaryFacts {
  /** How many workers take connections. */
  readonly listening: number;
  readonly deaths: number;
  /** When the primary was started, ms since the epoch. */
  readonly startedAt: number;
  /** The CPU time that the primary has used, in µs. */
  readonly cpu: { readonly user: number; readonly system: number };
  /** The memory of the primary. */
  readonly memoryBytes: number;
}

export function primaryFamilies({
  listening,
  deaths,
  startedAt,
  cpu,
  memoryBytes,
}: PrimaryFacts): readonly Family[] {
  const [user, system] = [cpu.user / 1e6, cpu.system / 1e6];
  return [
    family('gauge', 'gsls_workers', 'workers that take connections (--workers)', listening),
    family(
      'counter',
      'gsls_worker_deaths_total',
      'workers that died, or were killed because they stood still',
      deaths,
    ),
    // prom-client gives each process the other families.
    family('gauge', 'process_start_time_seconds', 'Start time of the service.', startedAt / 1000),
    family('counter', 'process_cpu_user_seconds_total', 'User CPU time.', user),
    family('counter', 'process_cpu_system_seconds_total', 'System CPU time.', system),
    family('counter', 'process_cpu_seconds_total', 'User and system CPU time.', user + system),
    family('gauge', 'process_resident_memory_bytes', 'Resident memory.', memoryBytes),
  ];
}

function family(type: string, name: string, help: string, value: number): Family {
  return { name, help, type, aggregator: 'sum', values: [{ labels: {}, value }] };
}
