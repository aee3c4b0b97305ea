/** What loads cost Redis, measured in turn: machines are noisy, and alternation gives each the same noise. */

import { median } from '../support/median.ts';

export interface Load {
  /** Resolves with how many pings or polls it made. */
  run(): Promise<number>;
}

/** What Redis has used up while this ran: µs of CPU, or instructions. */
export type Meter = (run: () => Promise<number>) => Promise<{ readonly used: number; readonly made: number }>;

/** What one ping or poll of each costs: the median of the rounds. */
export async function measureInTurn<Name extends string>(
  loads: Readonly<Record<Name, Load>>,
  rounds: number,
  meter: Meter,
): Promise<Record<Name, number>> {
  const names = Object.keys(loads) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // The first round sets what the others find.
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const { used, made } = await meter(() => loads[name].run());
      if (round > 0) costs[name].push(used / made);
    }
  return Object.fromEntries(names.map((name) => [name, median(costs[name])])) as Record<Name, number>;
}
