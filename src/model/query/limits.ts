/** The limits of a query. The service refuses a query beyond them, and the page does not send one. */

/** The most parameters of a query. */
export const MOST_PARAMETERS = 16;
/** The most alternatives of one parameter. */
export const MOST_ALTERNATIVES = 32;
/** The longest text of words to search for, in characters. */
export const LONGEST_SEARCH = 64;
/** The most fields of an order, so that a cursor fits into a request. */
export const MOST_SORT_FIELDS = 4;
