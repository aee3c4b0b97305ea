/** A whole service in a process of its own, which profiles itself when it is told to. */

import { Session } from 'node:inspector/promises';
import { startTestService } from '../../test/support/start-test-service.ts';
import { takenByParts } from './parts.ts';

export type Order =
  | { readonly order: 'serve'; readonly environment: Readonly<Record<string, string>> }
  | { readonly order: 'usage' | 'begin' | 'end' };

/** µs between two samples. */
const INTERVAL_US = 200;

const session = new Session();
session.connect();

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order.order === 'serve') process.send!((await startTestService(order.environment)).url);
  else if (order.order === 'usage') process.send!(usedUs());
  else if (order.order === 'begin') process.send!(await begin());
  else process.send!(takenByParts((await session.post('Profiler.stop')).profile));
});

/** The CPU of this process, its threads included. */
function usedUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function begin(): Promise<string> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  return 'begun';
}
