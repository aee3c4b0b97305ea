/** What rounds on two builds say of the CPU of a request. */

import { median } from '../support/median.ts';

/** Of one request of a round, in µs. */
export interface Cost {
  readonly serviceUs: number;
  /** 0 in memory. */
  readonly redisUs: number;
  /** Answers of the round that were no success. */
  readonly errors: number;
}

/** What both cost at about the same time. */
export interface Round {
  readonly here: Cost;
  readonly there: Cost;
}

/** Of one process with one case. CPU in µs a request. */
export interface Comparison {
  readonly name: string;
  readonly here: number;
  readonly there: number;
  /** Here to there: the median of the rounds, and what half of them lie between. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
  readonly errors: number;
}

/** One for the service, and one for Redis where there is one. */
export function compareRounds(name: string, rounds: readonly Round[]): Comparison[] {
  const errors = rounds.reduce((sum, { here, there }) => sum + here.errors + there.errors, 0);
  const compareBy = (key: 'serviceUs' | 'redisUs', what: string): Comparison => {
    const ratios = rounds.map(({ here, there }) => here[key] / there[key]).toSorted((a, b) => a - b);
    const quarter = Math.floor(ratios.length / 4);
    return {
      name: `${name}: ${what}`,
      here: median(rounds.map(({ here }) => here[key])),
      there: median(rounds.map(({ there }) => there[key])),
      ratio: median(ratios),
      quartiles: [ratios[quarter]!, ratios.at(-1 - quarter)!],
      errors,
    };
  };
  const service = compareBy('serviceUs', 'service');
  return rounds[0]!.here.redisUs === 0 ? [service] : [service, compareBy('redisUs', 'Redis')];
}
