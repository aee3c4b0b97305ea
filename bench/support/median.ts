/** Of several rounds: the middle, and how far they lie apart. */

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

export interface Spread {
  readonly min: number;
  readonly max: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}

/** The median of each figure of the rounds. */
export function medianOfEach<T extends Readonly<Record<keyof T, number>>>(rounds: readonly T[]): T {
  const names = Object.keys(rounds[0]!) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as T;
}
