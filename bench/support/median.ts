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
