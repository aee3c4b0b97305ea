/** The history as a table: what the charts show, for readers that do not see them. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { HistoryRange } from '../address/history-ranges.ts';
import { rowsOf, type Columns } from './history.ts';
import type { Formats } from '../texts/formats.ts';
import { usePage } from '../parts/page-context.ts';

export interface HistoryTableOptions {
  readonly columns: Columns;
  readonly range: HistoryRange;
}

/** One row for the minutes or hours with one label: some dozens of rows for each range. */
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

export function HistoryTable({ columns, range }: HistoryTableOptions): JSX.Element {
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
