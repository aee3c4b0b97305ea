/**
 * The entry of the worker: passes the messages of the page to the list, and those of the list to the page.
 *
 * 10,000 servers with 1,000 changes a second are parsed, filtered and sorted beside the thread that draws. Nothing is
 * shared between tabs: a hidden one ends its stream after a while, and goes on at its tag.
 */

import type { ToWorker } from '../connection/messages.ts';
import { systemEnvironment, type Environment } from '../../../clients/typescript/src/environment.ts';
import { ListWorker } from './list-worker.ts';

// A cached feed would be useless, so the browser's cache is bypassed.
const environment: Environment = {
  ...systemEnvironment,
  fetch: (url, request) => fetch(url, { ...request, cache: 'no-store' }),
};
const list = new ListWorker(environment, (message) => postMessage(message));

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => list.receive(data));
// The network is back.
addEventListener('online', () => list.receive({ type: 'retry' }));
