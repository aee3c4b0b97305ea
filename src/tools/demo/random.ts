/** Choices by chance, from a source that is handed in: the same source makes the same world. Keeps no secrets. */

/** Returns a number from 0, and below 1, as Math.random does. */
export type Random = () => number;

/** The same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Another source of chance that comes from this one: how often one is asked changes nothing for the other. */
export function fork(random: Random): Random {
  return createRandom(Math.floor(random() * 2 ** 32));
}

/** One of the items, each as likely as the others. One that stands there twice is twice as likely. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

/** An integer; both ends are possible. */
export function between(lowest: number, highest: number, random: Random): number {
  return lowest + Math.floor(random() * (highest - lowest + 1));
}
