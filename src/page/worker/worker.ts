/** The entry of the worker: hands the messages of the page to the list, and its own to the page. */

import type { FromWorker, ToWorker } from '../messages.ts';

const post = (message: FromWorker): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') post({ type: 'state', state: { is: 'connecting' } });
});
