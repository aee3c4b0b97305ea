/** The service at a glance: its servers and players now and over time, and their kinds. */

import './overview.css';
import type { JSX } from 'preact';
import { HistoryCharts } from './history-charts.tsx';
import { NumbersNow } from './numbers-now.tsx';
import { usePage } from '../parts/page-context.ts';
import { useNumbers } from './use-numbers.ts';
import { MOST_VALUES, ValueTables } from './value-tables.tsx';

export function Overview(): JSX.Element {
  const { texts } = usePage();
  const numbers = useNumbers(MOST_VALUES);
  return (
    <div class="overview">
      <h2 class="visually-hidden">{texts.overview}</h2>
      <NumbersNow numbers={numbers} />
      <HistoryCharts />
      <ValueTables numbers={numbers} />
    </div>
  );
}
