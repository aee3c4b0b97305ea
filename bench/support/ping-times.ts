/** How long pings take at a steady pace, whatever else the service does. */

import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, detailsNumber, gameServerNumber, type Listed } from './requests.ts';

/** Sends so many pings a second at a steady pace, and resolves with the 99th percentile of what they took, in ms. */
export async function pingFor(
  url: string,
  listed: readonly Listed[],
  seconds: number,
  perSecond = 200,
): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  const ping = ({ id, n }: Listed): Promise<void> =>
    new Promise((resolve, reject) => {
      const sentAt = performance.now();
      const headers = { 'Content-Type': 'application/json' };
      const body = bodyOf({ ...gameServerNumber(n), details: detailsNumber(n) }, id);
      const outgoing = request(`${url}/ping`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => {
          took.push(performance.now() - sentAt);
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`a ping was answered with ${answer.statusCode}`));
        });
      });
      outgoing.once('error', reject).end(body);
    });
  const from = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    await delay(Math.max(0, from + (1000 * n) / perSecond - performance.now()));
    sent.push(ping(listed[n % listed.length]!));
  }
  await Promise.all(sent);
  agent.destroy();
  return took.toSorted((a, b) => a - b)[Math.floor(0.99 * took.length)]!;
}
