/** The room of moderators: bans, the audit, and all entries with the fields that only moderators see. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn, type Route } from '../http/route.ts';
import type { ModerationContext } from './endpoints.ts';

const MODERATING = { access: 'moderate', input: 'fields', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** Opens the room. Without an admin key it has no routes: their paths do not exist. */
export function openModeration(context: ModerationContext): Room {
  if (!context.options.hasAdminKey) return { routes: [] };
  const endpoint = endpointsIn(async () => {
    const { createModerationEndpoints } = await import('./endpoints.ts');
    return createModerationEndpoints(context);
  });
  const route = (
    method: Route['method'],
    path: string,
    name: Parameters<typeof endpoint>[0],
    operation: Parameters<typeof describe>[0],
  ): Route => ({ ...MODERATING, method, path, endpoint: endpoint(name), describe: describe(operation) });
  return {
    routes: [
      route('GET', '/admin/bans', 'bans', 'listBans'),
      route('POST', '/admin/bans', 'addBan', 'addBan'),
      route('DELETE', '/admin/bans/{ban}', 'removeBan', 'removeBan'),
      { ...route('GET', '/admin/audit', 'audit', 'audit'), input: 'nothing' },
      route('GET', '/admin/servers', 'allServers', 'listEntries'),
      route('DELETE', '/admin/servers/{id}', 'evict', 'removeEntry'),
    ],
  };
}
