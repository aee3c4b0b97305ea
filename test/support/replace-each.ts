/** Changes to a file that is shipped, so that a test can use it: each must have something to change. */

/** Replaces each first text by the second one beside it. Throws when it is not there exactly once. */
export function replaceEach(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    const parts = changed.split(from);
    if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} is there ${parts.length - 1} times`);
    return parts.join(to);
  }, text);
}
