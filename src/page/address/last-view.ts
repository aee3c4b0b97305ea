/**
 * The filters and the order that were chosen last, as a query of the page, kept in the browser. If the browser keeps
 * nothing, or an unexpected text, there are none.
 */

const KEY = 'gsls-view';
/** A query as formatPageUrl() writes it, and short enough for a request. */
const QUERY = /^\?[\w.~!$()*+,;:@/?%=&-]{1,4000}$/;

/** The kept query; '' if there is none. */
export function lastView(): string {
  try {
    const text = localStorage.getItem(KEY) ?? '';
    return QUERY.test(text) ? text : '';
  } catch {
    return '';
  }
}

/** `query`: '' to keep none. */
export function keepView(query: string): void {
  try {
    if (QUERY.test(query)) localStorage.setItem(KEY, query);
    else localStorage.removeItem(KEY);
  } catch {
    // The storage is blocked or full: the next visit begins without filters.
  }
}
