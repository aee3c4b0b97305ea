/** The room of moderators: bans, labels, reports, the audit, and all entries with what only moderators see. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn, type Route } from '../http/route.ts';
import type { ModerationContext } from './moderation-context.ts';

const MODERATING = { access: 'moderate', cors: 'nothing' } as const;

const describeRule = describedIn(() => import('./rule-operations.ts'));
const describeEntry = describedIn(() => import('./entry-operations.ts'));

function route(
  method: Route['method'],
  path: string,
  input: Route['input'],
  endpoint: Route['endpoint'],
  describe: NonNullable<Route['describe']>,
): Route {
  return { ...MODERATING, method, path, input, endpoint, describe };
}

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
  const routes = [
    route('GET', '/admin/me', 'nothing', entry('me'), describeEntry('me')),
    route('GET', '/admin/bans', 'fields', rule('bans'), describeRule('listBans')),
    route('POST', '/admin/bans', 'fields', rule('addBan'), describeRule('addBan')),
    route('DELETE', '/admin/bans/{ban}', 'fields', rule('removeBan'), describeRule('removeBan')),
    route('GET', '/admin/labels', 'nothing', rule('labels'), describeRule('listLabels')),
    route('POST', '/admin/labels', 'fields', rule('addLabel'), describeRule('addLabel')),
    route('DELETE', '/admin/labels/{rule}', 'fields', rule('removeLabel'), describeRule('removeLabel')),
    route('POST', '/admin/preview', 'fields', rule('preview'), describeRule('preview')),
    route('GET', '/admin/audit', 'nothing', rule('audit'), describeRule('audit')),
    route('GET', '/admin/servers', 'query', entry('entries'), describeEntry('listEntries')),
    route('GET', '/admin/servers/{id}', 'nothing', entry('entry'), describeEntry('getEntry')),
    route('DELETE', '/admin/servers/{id}', 'fields', entry('evict'), describeEntry('removeEntry')),
  ];
  const ofReports = [
    route('GET', '/admin/reports', 'nothing', entry('reports'), describeEntry('listReports')),
    route('DELETE', '/admin/reports/{id}', 'fields', entry('dismiss'), describeEntry('dismissReports')),
  ];
  return { routes: options.reports.reasons.length === 0 ? routes : [...routes, ...ofReports] };
}
