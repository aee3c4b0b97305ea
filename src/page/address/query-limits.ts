/**
 * How much the service takes in a query: what is beyond it is refused there, and left out here. A test holds them to
 * it.
 */

export const MOST_PARAMETERS = 16;
/** Of one parameter. */
export const MOST_ALTERNATIVES = 32;
/** Of the words of a search, in characters. */
export const LONGEST_SEARCH = 64;
