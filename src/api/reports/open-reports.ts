/** The room of reports: `POST /report` takes what a reader says against a game server, where the operator wants that. */

import type { Context, Room } from '../http/context.ts';
import { describedIn, endpointsIn } from '../http/route.ts';
import type { ReportOptions } from './report.ts';

export interface ReportsContext extends Context {
  readonly options: ReportOptions;
  /** Called for each report that is noted. */
  readonly onReport: () => void;
}

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
        describe: describe('report'),
      },
    ],
  };
}
