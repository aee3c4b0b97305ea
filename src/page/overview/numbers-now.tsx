/** How many servers and players there are now. */

import type { JSX } from 'preact';
import { useFormats, useTexts } from '../parts/page-context.ts';
import type { StatsStatus } from './use-stats.ts';

export function NumbersNow({ stats, toldAt, hasFailed }: StatsStatus): JSX.Element {
  const { statistics: texts } = useTexts();
  const { number, exactTime } = useFormats();
  const numbers = {
    servers: stats?.servers,
    players: stats?.players,
    places: stats?.max_players,
    empty: stats?.empty,
    full: stats?.full,
  };
  const state = stats === undefined ? texts.noNumbers : texts.numbersAsOf(exactTime(toldAt));
  return (
    <section aria-label={texts.now}>
      <p role="status" class="overview-note">
        {hasFailed && state}
      </p>
      <dl class="numbers-now">
        {Object.entries(numbers).map(([name, value]) => (
          <div key={name}>
            <dt>{texts.numberOf[name as keyof typeof numbers]}</dt>
            <dd>{value === undefined ? '–' : number(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
