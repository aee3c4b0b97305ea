/** The users of Redis that docs/redis.md recommends: the tests use what the document says. */

import { Redis } from 'ioredis';
import { readDocument } from './markdown.ts';
import type { RedisServer } from './redis-server.ts';

const [ofNodes, ofSentinels] = readDocument('docs/redis.md').match(/(?<=^ACL SETUSER ).*/gm)!;

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
