/** How many servers and players there were: two charts with one cursor, and the same as a table. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { RANGES, type HistoryRange } from '../address/history-ranges.ts';
import { columnsOf } from './history.ts';
import { Chart } from './chart.tsx';
import { HistoryTable } from './history-table.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { useHistory, type HistoryStatus } from './use-history.ts';

export function HistoryCharts({ minutes }: { readonly minutes: HistoryStatus }): JSX.Element {
  const { texts, state } = usePage();
  return (
    <section>
      <h3>{texts.statistics.overTime}</h3>
      <RangeLinks />
      {RANGES[state.range].step === 'minute' ? (
        <Charts range={state.range} status={minutes} />
      ) : (
        <HourCharts range={state.range} />
      )}
    </section>
  );
}

function HourCharts({ range }: { readonly range: HistoryRange }): JSX.Element {
  return <Charts range={range} status={useHistory('hour', RANGES[range].lengthMs)} />;
}

function RangeLinks(): JSX.Element {
  const { texts, state } = usePage();
  return (
    <nav class="ranges" aria-label={texts.statistics.ranges}>
      {(Object.keys(RANGES) as HistoryRange[]).map((range) => (
        <PageLink key={range} to={{ range }} aria-current={state.range === range ? 'true' : undefined}>
          {texts.statistics.range[range]}
        </PageLink>
      ))}
    </nav>
  );
}

interface ChartsOptions {
  readonly range: HistoryRange;
  readonly status: HistoryStatus;
}

function Charts({ range, status: { points, hasFailed } }: ChartsOptions): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const columns = useMemo(() => columnsOf(points ?? new Map(), range, Date.now()), [points, range]);
  const { times } = columns;
  // The time, and not its place: the places move on with each minute.
  const [chosen, setChosen] = useState<number>();
  const found = chosen === undefined ? -1 : times.indexOf(chosen);
  const index = found === -1 ? undefined : found;
  const shown = index ?? columns.servers.findLastIndex((value) => value !== null);
  const choose = (place: number | undefined): void =>
    setChosen(place === undefined ? undefined : times[place]);

  const labelOf = range === '400d' ? formats.date : formats.dateTime;
  const note = hasFailed
    ? statistics.noHistoryNow
    : points === undefined
      ? statistics.loadingNumbers
      : statistics.noHistoryYet;
  const isEmpty = !columns.servers.some((value) => value !== null);
  const shownTime = shown === -1 ? '' : labelOf(times[shown]! * 1000);
  const [servers, players, peak] = [columns.servers, columns.players, columns.peakPlayers].map((column) =>
    formats.number(column[shown] ?? 0),
  ) as [string, string, string];
  const shownText =
    columns.servers[shown] === null
      ? statistics.nothingAtTime(shownTime)
      : statistics.atTime(shownTime, servers, players, peak);
  return (
    <>
      <div class="shown-time">
        <p role="status">{(isEmpty || hasFailed) && note}</p>
        <p aria-hidden>{shown === -1 ? '' : shownText}</p>
      </div>
      <h4>
        {statistics.numberOf.players}
        <span class="chart-key">{statistics.meanPlayers}</span>
        <span class="chart-key is-dashed">{statistics.peakPlayers}</span>
      </h4>
      <Chart
        times={times}
        lines={[
          { values: columns.players, color: '--accent', isFilled: true },
          { values: columns.peakPlayers, color: '--muted', isDashed: true },
        ]}
        formats={formats}
        index={index}
        onPoint={choose}
      />
      <h4>{statistics.numberOf.servers}</h4>
      <Chart
        times={times}
        lines={[{ values: columns.servers, color: '--accent', isFilled: true }]}
        formats={formats}
        index={index}
        onPoint={choose}
      />
      <input
        class="chart-slider"
        dir="ltr"
        type="range"
        aria-label={statistics.timeOfChart}
        aria-valuetext={shown === -1 ? note : shownText}
        min={0}
        max={times.length - 1}
        value={shown}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
        onBlur={() => choose(undefined)}
      />
      <HistoryTable columns={columns} range={range} />
    </>
  );
}
