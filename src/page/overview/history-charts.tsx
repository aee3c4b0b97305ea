/** The numbers of servers and players over time: two charts with one cursor, and the same as a table. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { RANGES, type HistoryRange } from '../address/history-ranges.ts';
import {
  columnsOf,
  MINUTES_KEPT_MS,
  rangeOf,
  rowsOf,
  useHistory,
  type ChartColumns,
  type HistoryStatus,
} from './history.ts';
import { Chart } from './chart.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import type { Texts } from '../texts/en.ts';
import type { Formats } from '../texts/formats.ts';

export function HistoryCharts(): JSX.Element {
  const { texts, state } = usePage();
  const minutes = useHistory('minute', MINUTES_KEPT_MS);
  const range = state.range ?? (minutes.points && rangeOf(minutes.points, Date.now()));
  const isByHour = range !== undefined && RANGES[range].step === 'hour';
  return (
    <section class="card history">
      <div class="history-head">
        <h3>{texts.statistics.overTime}</h3>
        <RangeLinks shown={range} />
      </div>
      {isByHour ? <HourCharts range={range} /> : <Charts range={range ?? '48h'} status={minutes} />}
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

const CHART_PX = 200;

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
  const last = times.length - 1;
  if (last < 1 || hasFailed)
    return (
      <div class={points === undefined && !hasFailed ? 'charts is-awaited' : 'charts'}>
        <p role="status" class="muted">
          {noteOf(status, range, statistics)}
        </p>
      </div>
    );

  const found = chosen === undefined ? -1 : times.indexOf(chosen);
  const shown = found === -1 ? last : found;
  const choose = (place: number | undefined): void =>
    setChosen(place === undefined ? undefined : times[Math.min(Math.max(place, 0), last)]);
  const press = (event: KeyboardEvent): void => {
    const to = placeAfter(event.key, shown, last);
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  const at = (range === '400d' ? formats.date : formats.dateTime)(times[shown]! * 1000);
  const text =
    columns.servers[shown] === null
      ? `${at}: ${statistics.none}`
      : statistics.atTime(at, columns.servers[shown]!, columns.players[shown]!, columns.peakPlayers[shown]!);
  const chart = {
    times,
    formats,
    index: found === -1 ? undefined : found,
    onPoint: choose,
    height: CHART_PX,
  };
  return (
    <>
      <p class="shown-time" aria-live={chosen === undefined ? 'off' : 'polite'}>
        {text}
      </p>
      <div
        class="charts"
        role="group"
        aria-label={`${statistics.overTime}: ${statistics.readByKeys}`}
        tabIndex={0}
        onKeyDown={press}
        onBlur={() => choose(undefined)}
      >
        <figure>
          <figcaption>
            {statistics.numberOf.players}
            <span class="chart-key">{statistics.meanPlayers}</span>
            <span class="chart-key is-dashed">{statistics.peakPlayers}</span>
          </figcaption>
          <Chart
            {...chart}
            lines={[
              { values: columns.players, color: '--accent', isFilled: true },
              { values: columns.peakPlayers, color: '--muted', isDashed: true },
            ]}
          />
        </figure>
        <figure>
          <figcaption>{statistics.numberOf.servers}</figcaption>
          <Chart {...chart} lines={[{ values: columns.servers, color: '--accent', isFilled: true }]} />
        </figure>
      </div>
      <HistoryTable columns={columns} range={range} />
    </>
  );
}

/** The place that a key leads to; undefined for a key that leads nowhere. */
function placeAfter(key: string, place: number, last: number): number | undefined {
  const page = Math.ceil(last / 20);
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    PageUp: place - page,
    PageDown: place + page,
    Home: 0,
    End: last,
  };
  return Object.hasOwn(places, key) ? places[key] : undefined;
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

interface HistoryTableOptions {
  readonly columns: ChartColumns;
  readonly range: HistoryRange;
}

/** The history as a table, for readers that do not see the charts. It is made when it is opened. */
function HistoryTable({ columns, range }: HistoryTableOptions): JSX.Element {
  const { texts } = usePage();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.statistics.asTable}</summary>
      {isOpen && <OpenTable columns={columns} range={range} />}
    </details>
  );
}

function OpenTable({ columns, range }: HistoryTableOptions): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const rows = useMemo(() => rowsOf(columns, (at) => LABELS[range](at, formats)), [columns, range, formats]);
  const cell = (value: number | null): string => (value === null ? statistics.none : formats.number(value));
  return (
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
  );
}
