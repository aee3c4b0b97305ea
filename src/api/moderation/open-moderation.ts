/** The room of moderators: bans, labels, reports, the audit, and all entries with what only moderators see. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn, type Route } from '../http/route.ts';
import type { ModerationContext } from './moderation-context.ts';

const MODERATING = { access: 'moderate', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** Opens the room. */
export function openModeration(context: ModerationContext): Room {
  const { options } = context;
  const rule = endpointsIn(async () => {
    const { createRuleEndpoints } = await import('./rule-endpoints.ts');
    return createRuleEndpoints(context);
  });
  const entry = endpointsIn(async () => {
    const { createEntryEndpoints } = await import('./entry-endpoints.ts');
    return createEntryEndpoints(context);
  });
  const route = (
    method: Route['method'],
    path: string,
    input: Route['input'],
    endpoint: Route['endpoint'],
    operation: Parameters<typeof describe>[0],
  ): Route => ({ ...MODERATING, method, path, input, endpoint, describe: describe(operation) });
  const routes = [
    route('GET', '/admin/me', 'nothing', entry('me'), 'me'),
    route('GET', '/admin/bans', 'fields', rule('bans'), 'listBans'),
    route('POST', '/admin/bans', 'fields', rule('addBan'), 'addBan'),
    route('DELETE', '/admin/bans/{ban}', 'fields', rule('removeBan'), 'removeBan'),
    route('GET', '/admin/labels', 'nothing', rule('labels'), 'listLabels'),
    route('POST', '/admin/labels', 'fields', rule('addLabel'), 'addLabel'),
    route('DELETE', '/admin/labels/{rule}', 'fields', rule('removeLabel'), 'removeLabel'),
    route('POST', '/admin/preview', 'fields', rule('preview'), 'preview'),
    route('GET', '/admin/audit', 'nothing', rule('audit'), 'audit'),
    route('GET', '/admin/servers', 'query', entry('entries'), 'listEntries'),
    route('GET', '/admin/servers/{id}', 'nothing', entry('entry'), 'getEntry'),
    route('DELETE', '/admin/servers/{id}', 'fields', entry('evict'), 'removeEntry'),
  ];
  const ofReports = [
    route('GET', '/admin/reports', 'nothing', entry('reports'), 'listReports'),
    route('DELETE', '/admin/reports/{id}', 'fields', entry('dismiss'), 'dismissReports'),
  ];
  return { routes: options.reports.reasons.length === 0 ? routes : [...routes, ...ofReports] };
}
