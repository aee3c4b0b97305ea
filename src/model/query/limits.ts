/** How much a query may have: what is beyond it is refused by the service, and not asked by the page. */

/** Of a query. */
export const MOST_PARAMETERS = 16;
/** Of one parameter. */
export const MOST_ALTERNATIVES = 32;
/** Of the words of a search, in characters. */
export const LONGEST_SEARCH = 64;
/** Of an order: so that a cursor fits into a request. */
export const MOST_SORT_FIELDS = 4;
