/**
 * Loaded into a replica before its program (`node --import`), which does not notice it: measures how long the event
 * loop stands from the first connection to Redis on, and the heap, and tells both over IPC. Costs about a thousandth of
 * a core.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TICK_MS = 5;

let stallMs = 0;
let busyMs = 0;
let gcMs = 0;
let tickedAt = performance.now();
let usedMs = usedCpuMs();

function usedCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function tick() {
  const at = performance.now();
  const used = usedCpuMs();
  const late = at - tickedAt - TICK_MS;
  stallMs = Math.max(stallMs, late);
  // A stall without CPU was a wait for a core.
  busyMs = Math.max(busyMs, Math.min(late, used - usedMs));
  tickedAt = at;
  usedMs = used;
}

function reset() {
  stallMs = 0;
  busyMs = 0;
  gcMs = 0;
  tickedAt = performance.now();
  usedMs = usedCpuMs();
}

/** The program is loaded: what stalls from now on stalls a replica. */
function begin() {
  unsubscribe('net.client.socket', begin);
  reset();
  setInterval(tick, TICK_MS).unref();
}
subscribe('net.client.socket', begin);

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs = Math.max(gcMs, duration);
}).observe({ entryTypes: ['gc'] });

/** 'reset': from now on; 'report': what was since; 'collect': the same after a full collection of garbage. */
process.on('message', (order) => {
  if (order === 'collect') {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ stallMs, busyMs, gcMs, heapBytes: heapUsed + external, rssBytes: rss });
  if (order === 'reset') reset();
});
process.channel.unref();
