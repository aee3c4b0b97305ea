/**
 * A registry that nobody asks: what was decided and given out in it at the beginning is all that there is of it. Only
 * the replicas remember that, once Redis has lost it.
 */

import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { ADMIN_KEY } from './moderator.ts';
import type { Setup } from './setup.ts';

const BAN = { name: 'banned for long', reason: 'a test', mode: 'silent' };
const LABEL = { name: 'labelled for long', label: 'official' };
const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}` };

export interface Resting {
  /** Asks each replica at last. What has not been kept, in sentences. */
  check(): Promise<readonly string[]>;
}

/** Bans a name, lists a game server that leaves and may come back, and starts all replicas anew: then they rest. */
export async function layToRest(setup: Setup, path: string): Promise<Resting> {
  const [first] = setup.replicas;
  await succeed(first!, `POST ${path}/admin/bans`, { headers: HEADERS, body: BAN });
  await succeed(first!, `POST ${path}/admin/labels`, { headers: HEADERS, body: LABEL });
  const listed = await succeed(first!, `POST ${path}/broadcast`, {
    headers: { 'Server-Token': 'claim' },
    body: aBroadcast(),
  });
  const { server_id: id } = listed.body;
  const token = listed.headers['server-token'] as string;
  await succeed(first!, `POST ${path}/remove`, {
    headers: { 'Server-Token': token },
    body: { server_id: id, server_ip: aBroadcast().server_ip, keep_id: true },
  });
  for (const replica of setup.replicas) {
    await replica.stop();
    await replica.start();
    await setup.believed(replica, 'UP');
  }
  return {
    async check() {
      const found: string[] = [];
      for (const { host, port } of setup.replicas) {
        const bans = await ask({ host, port }, `GET ${path}/admin/bans`, { headers: HEADERS });
        if (!bans.text.includes(BAN.name)) found.push(`${host} has lost a ban of ${path}: ${bans.text}`);
        const labels = await ask({ host, port }, `GET ${path}/admin/labels`, { headers: HEADERS });
        if (!labels.text.includes(LABEL.name))
          found.push(`${host} has lost a label of ${path}: ${labels.text}`);
        const again = await ask({ host, port }, `POST ${path}/broadcast`, {
          headers: { 'Server-Token': token },
          body: aBroadcast(),
        });
        if (again.headers['server-token'] !== token)
          found.push(`${host} does not know a token of ${path}: ${again.status} ${again.text}`);
      }
      return found;
    },
  };
}

async function succeed(...request: Parameters<typeof ask>): Promise<TestAnswer> {
  const answer = await ask(...request);
  if (answer.status >= 300) throw new Error(`${request[1]}: ${answer.text}`);
  return answer;
}
