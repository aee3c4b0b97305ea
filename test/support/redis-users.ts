/** The users of Redis that the README recommends: what it says is what is tested. */

import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { RedisServer } from './redis-server.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [ofNodes, ofSentinels] = readme.match(/(?<=^ACL SETUSER ).*/gm)!;

/** The user `gsls` with this password, on one server. */
export async function addUser(
  { access }: Pick<RedisServer, 'access'>,
  kind: 'node' | 'sentinel',
  password: string,
): Promise<void> {
  const [name, ...rules] = (kind === 'node' ? ofNodes : ofSentinels)!.split(' ');
  const admin = new Redis({ ...access, enableReadyCheck: false });
  try {
    await admin.acl('SETUSER', name!, ...rules.map((rule) => (rule === '>password' ? `>${password}` : rule)));
  } finally {
    admin.disconnect();
  }
}
