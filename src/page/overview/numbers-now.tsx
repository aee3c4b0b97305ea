/** How many servers and players there are now. */

import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import type { Answers } from '../connection/get-json.ts';

export interface NumbersNowOptions {
  /** Undefined before the first answer. */
  readonly stats: Answers['Stats'] | undefined;
  /** When they were told, in ms since the epoch. */
  readonly toldAt: number;
  /** Whether they could not be had the last time. */
  readonly hasFailed: boolean;
}

export function NumbersNow({ stats, toldAt, hasFailed }: NumbersNowOptions): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const numbers = {
    servers: stats?.servers,
    players: stats?.players,
    places: stats?.max_players,
    empty: stats?.empty,
    full: stats?.full,
  };
  const state = stats === undefined ? statistics.noNumbers : statistics.numbersAsOf(formats.time(toldAt));
  return (
    <section aria-label={statistics.now}>
      <p role="status" class="overview-note">
        {hasFailed && state}
      </p>
      <dl class="numbers-now">
        {Object.entries(numbers).map(([name, value]) => (
          <div class="card" key={name}>
            <dt>{statistics.numberOf[name as keyof typeof numbers]}</dt>
            <dd>{value === undefined ? '–' : formats.number(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
