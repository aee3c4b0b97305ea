/** One subject, or the pings that change the list under it, in a process of its own, told over IPC what to do. */

import { Agent, request as httpRequest } from 'node:http';
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

export interface Usage {
  /** µs of CPU this process has used, its threads included. */
  readonly cpuUs: number;
  readonly rssBytes: number;
}

process.on('message', (order: Order) => {
  if (order.order === 'serve') void serve(order.options);
  else if (order.order === 'churn') churn(order.url, order.requests, order.perSecond);
  else {
    const { user, system } = process.cpuUsage();
    process.send!({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() } satisfies Usage);
  }
});

async function serve(options: SubjectOptions): Promise<void> {
  const { listener, listed } = await createSubject(options);
  process.send!({ port: await listen(listener), listed });
}

/** So many requests a second, in small groups, one after the other; errors are the subject's shame, not ours. */
function churn(url: string, requests: readonly Request[], perSecond: number): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const startedAt = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    // After a stall do not catch up in one go.
    sent = Math.max(sent, due - perSecond / 20);
    for (; sent < due; sent += 1) {
      const { method, path, headers, body } = requests[Math.floor(sent) % requests.length]!;
      const sending = httpRequest(url + path, {
        method,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent,
      });
      sending.on('error', () => undefined);
      sending.on('response', (response) => response.resume());
      sending.end(body);
    }
  }, 5);
}
