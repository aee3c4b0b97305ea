/** Unlisted servers, which the list does not have: players find them by a join code, or by a link with their id. */

/** The mark of their ids. */
const MARK = '~';

export function isUnlistedServer({ id }: { readonly id: string }): boolean {
  return id.startsWith(MARK);
}
