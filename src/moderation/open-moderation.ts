/** The room of moderators: bans, the audit, and all entries with what only moderators see of them. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn, type Route } from '../http/route.ts';
import type { ModerationContext } from './endpoints.ts';

const MODERATING = { access: 'admin', input: 'fields', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** Without an admin key it has no routes: their paths do not exist. */
export function openModeration(context: ModerationContext): Room {
  if (context.config.adminKeys.length === 0) return { routes: [] };
  const endpoint = endpointsIn(async () => {
    const { createModerationEndpoints } = await import('./endpoints.ts');
    return createModerationEndpoints(context);
  });
  const routes: readonly Route[] = [
    {
      ...MODERATING,
      method: 'GET',
      path: '/admin/bans',
      endpoint: endpoint('bans'),
      describe: describe('listBans'),
    },
    {
      ...MODERATING,
      method: 'POST',
      path: '/admin/bans',
      endpoint: endpoint('addBan'),
      describe: describe('addBan'),
    },
    {
      ...MODERATING,
      method: 'DELETE',
      path: '/admin/bans/{ban}',
      endpoint: endpoint('removeBan'),
      describe: describe('removeBan'),
    },
    {
      ...MODERATING,
      method: 'GET',
      path: '/admin/audit',
      endpoint: endpoint('audit'),
      input: 'nothing',
      describe: describe('audit'),
    },
    {
      ...MODERATING,
      method: 'GET',
      path: '/admin/servers',
      endpoint: endpoint('allServers'),
      describe: describe('listEntries'),
    },
    {
      ...MODERATING,
      method: 'DELETE',
      path: '/admin/servers/{id}',
      endpoint: endpoint('evict'),
      describe: describe('removeEntry'),
    },
  ];
  return { routes };
}
