import { jsonAnswer } from '../../src/api/http/answer.ts';
import type { Route } from '../../src/api/http/route.ts';

/** A route that reads, answers with a success and is described by nobody, but for what is given here. */
export function aRoute(given: Partial<Route> & Pick<Route, 'path'>): Route {
  return {
    method: 'GET',
    endpoint: async () => jsonAnswer({ status: 'success' }),
    access: 'read',
    input: 'nothing',
    cors: 'reading',
    describe: () => Promise.reject(new Error('never asked')),
    ...given,
  };
}
