/** One subject, or the pings that change the list under it, in a process of its own, told over IPC what to do. */

import { Agent, request as httpRequest } from 'node:http';
import { atPace } from '../support/pace.ts';
import type { Request } from '../support/requests.ts';
import { createSubject, listen, type SubjectOptions } from './subjects.ts';

export type Order =
  | { readonly order: 'serve'; readonly options: SubjectOptions }
  | { readonly order: 'usage' }
  | {
      readonly order: 'churn';
      readonly url: string;
      readonly requests: readonly Request[];
      readonly perSecond: number;
    };

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order.order === 'serve') process.send!(await serve(order.options));
  else if (order.order === 'churn') process.send!(churn(order.url, order.requests, order.perSecond));
  else {
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
  }
});

async function serve(options: SubjectOptions): Promise<object> {
  const { listener, listed } = await createSubject(options);
  return { port: await listen(listener), listed };
}

/** So many requests a second, one after the other; errors are the subject's shame, not ours. */
function churn(url: string, requests: readonly Request[], perSecond: number): string {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  atPace(perSecond, (n) => {
    const { method, path, headers, body } = requests[n % requests.length]!;
    const sending = httpRequest(url + path, {
      method,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent,
    });
    sending.on('error', () => undefined);
    sending.on('response', (response) => response.resume());
    sending.end(body);
  });
  return 'begun';
}
