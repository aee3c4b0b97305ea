/**
 * The filters and the order that were chosen last, as a query of the page, kept in the browser. If the browser keeps
 * nothing, or an unexpected text, there are none.
 */

import { keepText, keptText } from '../parts/kept-text.ts';

const NAME = 'view';
/** A query as formatPageUrl() writes it, and short enough for a request. */
const QUERY = /^\?[\w.~!$()*+,;:@/?%=&-]{1,4000}$/;

/** While filters are recalled, the rows in the HTML, which are unfiltered, are hidden until others replace them. */
const RECALLED = 'is-recalled';

/** A visit to the plain address gets the last choice. A reload, or a step back, is no new visit. */
export function recallView(): void {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const query = keptText(NAME) ?? '';
  const isPlain = location.search === '' && location.pathname.endsWith('/browse');
  if (!isPlain || !QUERY.test(query) || visit?.type !== 'navigate') return;
  history.replaceState(history.state, '', location.pathname + query);
  document.documentElement.classList.add(RECALLED);
}

/** `query`: '' to keep none. */
export function keepView(query: string): void {
  keepText(NAME, QUERY.test(query) ? query : '');
}
