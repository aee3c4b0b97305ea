/** The service at a glance: its servers and players now and over time, their kinds, and whether the list is current. */

import './overview.css';
import type { JSX } from 'preact';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers, type ToldAnswers } from '../connection/use-answers.ts';
import { MINUTES_KEPT_MS, useHistory } from './history.ts';
import { HistoryCharts } from './history-charts.tsx';
import { ListCurrency } from './list-currency.tsx';
import { usePage } from '../parts/page-context.ts';
import { ValueTables } from './value-tables.tsx';

const REFRESH_MS = 10_000;

export function Overview(): JSX.Element {
  const { texts } = usePage();
  const { answers, toldAt, hasFailed } = useAnswers<Answers['Stats']>(['stats'], REFRESH_MS);
  const stats = answers[0]?.[1];
  // The minutes are requested once, for the charts and for the list of interruptions.
  const minutes = useHistory('minute', MINUTES_KEPT_MS);
  return (
    <div class="overview">
      <h2>{texts.overview}</h2>
      <NumbersNow stats={stats} toldAt={toldAt} hasFailed={hasFailed} />
      <HistoryCharts minutes={minutes} />
      <ValueTables stats={stats} />
      <ListCurrency minutes={minutes} />
    </div>
  );
}

interface NumbersNowOptions extends Omit<ToldAnswers<never>, 'answers'> {
  /** Undefined before the first answer. */
  readonly stats: Answers['Stats'] | undefined;
}

/** How many servers and players there are now. */
function NumbersNow({ stats, toldAt, hasFailed }: NumbersNowOptions): JSX.Element {
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
