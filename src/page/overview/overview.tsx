/**
 * The service at a glance: how much there is now, how much there was, of what kind, and whether the list is current.
 */

import './overview.css';
import type { JSX } from 'preact';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { MINUTES_KEPT_MS } from './history.ts';
import { HistoryCharts } from './history-charts.tsx';
import { ListCurrency } from './list-currency.tsx';
import { NumbersNow } from './numbers-now.tsx';
import { usePage } from '../parts/page-context.ts';
import { useHistory } from './use-history.ts';
import { ValueTables } from './value-tables.tsx';

const REFRESH_MS = 10_000;

export function Overview(): JSX.Element {
  const { texts } = usePage();
  const { answers, toldAt, hasFailed } = useAnswers<Answers['Stats']>(['stats'], REFRESH_MS);
  const stats = answers[0]?.[1];
  // They are asked for once, for the charts and for the times without them.
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
