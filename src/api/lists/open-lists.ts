/** The room of answers from the whole list: the list itself, its history, and the health of this replica. */

import { ServiceError } from '../../model/service-error.ts';
import { jsonAnswer, redirectAnswer } from '../http/answer.ts';
import { isToBeLeft, type Context, type Room } from '../http/context.ts';
import { prefers } from '../http/negotiation.ts';
import { describedIn, type Endpoint } from '../http/route.ts';
import { toldOrigin } from '../find/told-origins.ts';
import { createHistory } from './history.ts';
import { createList, type ListEndpointOptions, type OnRendered } from './list.ts';

export interface ListsRoomOptions {
  /** Whether `GET /` sends browsers on to the page for people. */
  readonly pageRedirect: boolean;
}

export interface ListsContext extends Context {
  readonly options: ListsRoomOptions;
  readonly onRendered: OnRendered;
}

const describe = describedIn(() => import('./operations.ts'));
const READING = { method: 'GET', access: 'read', cors: 'reading' } as const;

export function openLists(context: ListsContext): Room {
  const list = context.options.pageRedirect ? createListOrPage(context) : createList(context);
  const [history, health] = [createHistory(context), createHealth(context)];
  return {
    routes: [
      { ...READING, path: '/', endpoint: list, kind: 'list', input: 'nothing', describe: describe('list') },
      {
        ...READING,
        path: '/history',
        endpoint: history,
        kind: 'list',
        input: 'query',
        describe: describe('history'),
      },
      { ...READING, path: '/health', endpoint: health, input: 'nothing', describe: describe('health') },
    ],
  };
}

/**
 * The health. It fails only before the first list is loaded and after shutdown began. It succeeds while Redis is
 * unavailable: otherwise a load balancer would drop every replica.
 */
function createHealth({ registry, stopping, now }: Pick<Context, 'registry' | 'stopping' | 'now'>): Endpoint {
  return async () => {
    if (isToBeLeft(stopping)) throw new ServiceError('shutting_down');
    const { snapshot } = await registry.list();
    const health = { timestamp: new Date(now()).toISOString(), server_count: snapshot.count };
    const origins = registry.origins?.();
    return jsonAnswer(
      origins === undefined ? health : { ...health, origins: origins.map((each) => toldOrigin(each, now())) },
    );
  };
}

const VARY = 'Accept-Encoding, Accept';

/**
 * `GET /` with --page-redirect: a browser is redirected to the page for people. A program gets the list as without the
 * option, except for a Vary that tells caches of both answers.
 */
function createListOrPage(options: Omit<ListEndpointOptions, 'vary'>): Endpoint {
  const list = createList({ ...options, vary: VARY });
  const toPage = redirectAnswer('browse', { Vary: VARY });
  return (request) =>
    prefers(request.headers.accept, 'text/html', 'application/json')
      ? Promise.resolve(toPage)
      : list(request);
}
