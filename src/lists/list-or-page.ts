/**
 * `GET /` with --page-redirect: a browser that somebody has sent here goes on to the page for people. A program gets
 * the list as without the option, but for a Vary that tells caches of both.
 */

import { redirectAnswer } from '../http/answer.ts';
import { prefers } from '../http/negotiation.ts';
import type { Endpoint } from '../http/route.ts';
import { createList, type ListOptions } from './list.ts';

const VARY = 'Accept-Encoding, Accept';

export function createListOrPage(options: Omit<ListOptions, 'vary'>): Endpoint {
  const list = createList({ ...options, vary: VARY });
  const toPage = redirectAnswer('browse', { Vary: VARY });
  return (request) =>
    prefers(request.headers.accept, 'text/html', 'application/json')
      ? Promise.resolve(toPage)
      : list(request);
}
