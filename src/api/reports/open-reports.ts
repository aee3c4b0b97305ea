/** The room of reports: `POST /report` takes what a reader says against a game server, if the operator wants that. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn } from '../http/route.ts';
import type { ReportsContext } from './reports-context.ts';

const describe = describedIn(() => import('./operations.ts'));

/** Without reasons it has no routes. */
export function openReports(context: ReportsContext): Room {
  if (context.options.reasons.length === 0) return { routes: [] };
  const endpoint = endpointsIn(async () => {
    const { createReport } = await import('./report.ts');
    return { report: createReport(context) };
  });
  return {
    routes: [
      {
        method: 'POST',
        path: '/report',
        access: 'read',
        kind: 'report',
        input: 'fields',
        // A page of another site could have its readers report whom it likes.
        cors: 'writing',
        endpoint: endpoint('report'),
        describe: describe('sendReport'),
      },
    ],
  };
}
