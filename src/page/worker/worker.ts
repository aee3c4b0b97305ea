/** The entry of the worker: hands the messages of the page to the list, and its own to the page. */

import type { ToWorker } from '../connection/messages.ts';
import { systemEnvironment, type Environment } from '../../../clients/typescript/src/environment.ts';
import { ListWorker } from './list-worker.ts';

// What a browser has cached of a feed is of no use.
const environment: Environment = {
  ...systemEnvironment,
  fetch: (url, request) => fetch(url, { ...request, cache: 'no-store' }),
};
const list = new ListWorker(environment, (message) => postMessage(message));

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => list.receive(data));
// The network is back.
addEventListener('online', () => list.receive({ type: 'retry' }));
