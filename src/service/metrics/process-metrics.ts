/**
 * The metrics of the process and its build. Those of prom-client measure the whole process, however many services it
 * has.
 */

import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Instruments } from './instruments.ts';

export interface ProcessFacts {
  /** The version of GSLS. */
  readonly version: string;
  readonly nodeVersion: string;
  /** How many log lines were dropped so far. */
  readonly droppedLogLines: () => number;
}

export function createBuildMetrics(
  instruments: Instruments,
  { version, nodeVersion, droppedLogLines }: ProcessFacts,
): void {
  instruments.constant(
    { version, node: nodeVersion },
    {
      buildInfo: 'always 1; the labels tell the version of GSLS and that of Node',
    },
  );
  instruments.readCounters(() => ({ logLinesDropped: droppedLogLines() }), {
    logLinesDropped: 'log lines that were dropped because the output did not take them',
  });
}

/**
 * The metrics of prom-client that are left out. With 10,000 connections those that go through all of them hold the
 * event loop for up to 12 ms at each scrape. To watch its delay takes half a percent of a core, and
 * gsls_event_loop_delay_seconds shows it. Some names break the conventions.
 */
const LEFT_OUT = /^(nodejs_active_|nodejs_eventloop_lag_|process_open_fds$)/;

/** The interval of prom-client's monitoring, whose metrics are left out: it is so long that it costs nothing. */
const EVENT_LOOP_MONITORING_MS = 1000;

/** A list of the open files that comes later than this is not waited for: the next scrape has its number. */
const LONGEST_WAIT_MS = 100;

let ofProcess: Registry | undefined;

/** The metrics of the process, made once. */
export function processMetrics(): Registry {
  ofProcess ??= createProcessMetrics();
  return ofProcess;
}

function createProcessMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: EVENT_LOOP_MONITORING_MS });
  const hasOpenFiles = register.getSingleMetric('process_open_fds') !== undefined;
  for (const { name } of register.getMetricsAsArray())
    if (LEFT_OUT.test(name)) register.removeSingleMetric(name);
  if (hasOpenFiles) createOpenFiles(register);
  return register;
}

/** Declares prom-client's own metric, with the list read in another thread. One file is open for that. */
function createOpenFiles(register: Registry): void {
  const openFiles: Gauge = new Gauge({
    name: 'process_open_fds',
    help: 'Number of open file descriptors.',
    registers: [register],
    async collect() {
      const counted = readdir('/proc/self/fd').then(
        (files) => openFiles.set(files.length - 1),
        () => undefined,
      );
      await Promise.race([counted, delay(LONGEST_WAIT_MS, undefined, { ref: false })]);
    },
  });
}
