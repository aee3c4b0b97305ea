/**
 * The service at a glance: how much there is now, how much there was, of what kind, and whether the list is current.
 */

import './overview.css';
import type { JSX } from 'preact';
import { MINUTES_KEPT_MS } from './history.ts';
import { HistoryCharts } from './history-charts.tsx';
import { ListCurrency } from './list-currency.tsx';
import { NumbersNow } from './numbers-now.tsx';
import { usePage } from '../parts/page-context.ts';
import { useHistory } from './use-history.ts';
import { useStats } from './use-stats.ts';
import { ValueTables } from './value-tables.tsx';

export function Overview(): JSX.Element {
  const { texts } = usePage();
  const stats = useStats();
  // They are asked for once, for the charts and for the times without them.
  const minutes = useHistory('minute', MINUTES_KEPT_MS);
  return (
    <div class="overview">
      <h2>{texts.overview}</h2>
      <NumbersNow {...stats} />
      <ListCurrency minutes={minutes} />
      <HistoryCharts minutes={minutes} />
      <ValueTables stats={stats.stats} />
    </div>
  );
}
