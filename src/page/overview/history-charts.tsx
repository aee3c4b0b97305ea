/** The numbers of servers and players over time: two charts with one cursor, and the same as a table. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { RANGES, type HistoryRange } from '../address/history-ranges.ts';
import { columnsOf, rangeOf, rowsOf, useHistory, type ChartColumns, type HistoryStatus } from './history.ts';
import { Chart } from './chart.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import type { Texts } from '../texts/en.ts';
import type { Formats } from '../texts/formats.ts';

export function HistoryCharts({ minutes }: { readonly minutes: HistoryStatus }): JSX.Element {
  const { texts, state } = usePage();
  const { points } = minutes;
  const range = state.range ?? (points && rangeOf(points, Date.now()));
  return (
    <section>
      <h3>{texts.statistics.overTime}</h3>
      <RangeLinks shown={range} />
      {range !== undefined && RANGES[range].step === 'hour' ? (
        <HourCharts range={range} />
      ) : (
        <Charts range={range ?? '48h'} status={minutes} />
      )}
    </section>
  );
}

function HourCharts({ range }: { readonly range: HistoryRange }): JSX.Element {
  return <Charts range={range} status={useHistory('hour', RANGES[range].lengthMs)} />;
}

function RangeLinks({ shown }: { readonly shown: HistoryRange | undefined }): JSX.Element {
  const { texts } = usePage();
  return (
    <nav class="ranges" aria-label={texts.statistics.ranges}>
      {(Object.keys(RANGES) as HistoryRange[]).map((range) => (
        <PageLink key={range} to={{ range }} aria-current={shown === range ? 'true' : undefined}>
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

function Charts({ range, status }: ChartsOptions): JSX.Element {
  const { points, hasFailed } = status;
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const columns = useMemo(() => columnsOf(points ?? new Map(), range, Date.now()), [points, range]);
  const { times } = columns;
  // The time is kept, and not its index, since indexes move on with each minute.
  const [chosen, setChosen] = useState<number>();
  const found = chosen === undefined ? -1 : times.indexOf(chosen);
  const index = found === -1 ? undefined : found;
  const latest = columns.servers.findLastIndex((value) => value !== null);
  const isEmpty = latest === -1;
  const shown = index ?? latest;
  const choose = (place: number | undefined): void =>
    setChosen(place === undefined ? undefined : times[place]);

  const labelOf = range === '400d' ? formats.date : formats.dateTime;
  const shownTime = isEmpty ? '' : labelOf(times[shown]! * 1000);
  const [servers, players, peak] = [columns.servers, columns.players, columns.peakPlayers].map(
    (column) => column[shown] ?? 0,
  ) as [number, number, number];
  const shownText =
    columns.servers[shown] === null
      ? `${shownTime}: ${statistics.none}`
      : statistics.atTime(shownTime, servers, players, peak);
  return (
    <>
      <div class="shown-time">
        <p role="status">{(isEmpty || hasFailed) && noteOf(status, range, statistics)}</p>
        {!isEmpty && <p aria-hidden>{shownText}</p>}
      </div>
      <div class={points === undefined && !hasFailed ? 'charts is-awaited' : 'charts'}>
        {!isEmpty && (
          <>
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
              aria-valuetext={shownText}
              min={0}
              max={times.length - 1}
              value={shown}
              onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
              onBlur={() => choose(undefined)}
            />
            <HistoryTable columns={columns} range={range} />
          </>
        )}
      </div>
    </>
  );
}

/** Explains why there is nothing to see, or nothing new. */
function noteOf(
  { points, hasFailed }: HistoryStatus,
  range: HistoryRange,
  texts: Texts['statistics'],
): string {
  if (hasFailed) return texts.noNumbers;
  if (points === undefined) return texts.loadingNumbers;
  return points.size === 0 ? texts.noHistoryYet[RANGES[range].step] : texts.noHistoryInRange;
}

interface HistoryTableOptions {
  readonly columns: ChartColumns;
  readonly range: HistoryRange;
}

/** The labels of the table. Minutes or hours with one label share a row: each range has some dozens of rows. */
const LABELS: Record<HistoryRange, (at: number, formats: Formats) => string> = {
  '1h': (at, { time }) => time(floor(at, 5)),
  '6h': (at, { time }) => time(floor(at, 15)),
  '48h': (at, { dateTime }) => dateTime(floor(at, 60)),
  '30d': (at, { day }) => day(at),
  '400d': (at, { month }) => month(at),
};

function floor(at: number, minutes: number): number {
  return at - (at % (minutes * 60_000));
}

/** The history as a table, for readers that do not see the charts. */
function HistoryTable({ columns, range }: HistoryTableOptions): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const [isOpen, setOpen] = useState(false);
  const rows = useMemo(
    () => (isOpen ? rowsOf(columns, (at) => LABELS[range](at, formats)) : []),
    [isOpen, columns, range, formats],
  );
  const cell = (value: number | null): string => (value === null ? statistics.none : formats.number(value));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{statistics.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{statistics.time}</th>
            <th scope="col">{statistics.numberOf.servers}</th>
            <th scope="col">{statistics.numberOf.players}</th>
            <th scope="col">{statistics.peakPlayers}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, servers, players, peakPlayers }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{cell(servers)}</td>
              <td>{cell(players)}</td>
              <td>{cell(peakPlayers)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
