/** Guesses which existing name was meant by an unknown one. */

/** How many letters may be left out, added, replaced or swapped with the next one. */
const MOST_SLIPS = 2;

/** Completes "unknown option …" with the likeliest of the names; returns '' if none is likely. */
export function didYouMean(word: string, names: readonly string[]): string {
  const meant = closest(word, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** The name with the fewest slips; else the longest name that begins the word; else the first that the word begins. */
function closest(word: string, names: readonly string[]): string | undefined {
  const slipsOf = new Map(names.map((name) => [name, slipsBetween(word, name)]));
  const fewest = Math.min(...slipsOf.values());
  if (fewest <= MOST_SLIPS && fewest * 2 < word.length)
    return names.find((name) => slipsOf.get(name) === fewest);
  const beginnings = names.filter((name) => word.startsWith(name));
  return (
    beginnings.toSorted((a, b) => b.length - a.length)[0] ??
    names.find((name) => /\w{3}/.test(word) && name.startsWith(word))
  );
}

/** The distance of Damerau and Levenshtein in which each part changes at most once (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = rows[i - 1]!;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        above[j]! + 1,
        row[j - 1]! + 1,
        above[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
