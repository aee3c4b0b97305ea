/** The entry of the worker: hands the messages of the page to the list, and its own to the page. */

import type { ToWorker } from '../connection/messages.ts';
import { systemEnvironment } from './environment.ts';
import { ListWorker } from './list-worker.ts';

const list = new ListWorker(systemEnvironment, (message) => postMessage(message));

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => list.receive(data));
// The network is back.
addEventListener('online', () => list.receive({ type: 'retry' }));
