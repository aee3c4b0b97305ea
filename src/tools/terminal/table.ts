/** A list as a table that fits a terminal, and as lines for programs. Prints nothing. */

import { styleText } from 'node:util';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { cellOf, type TerminalColumn } from './columns.ts';
import { cutToColumns, fill } from './fit.ts';
import { isolated, shownText } from './shown-text.ts';
import { isCommon, loadWidths, widthOf } from './widths.ts';

const GAP = 2;
/** A text is not cut to fewer columns as long as there is another way. */
const LEAST_TEXT = 8;

/** How wide each column of a table is: 0 for one that has no room. `wanted`: their full widths. */
export function widthsWithin(
  columns: readonly TerminalColumn[],
  wanted: readonly number[],
  room: number,
): number[] {
  for (let shown = columns.length; shown > 1; shown -= 1) {
    const widths = shrunk(columns.slice(0, shown), wanted.slice(0, shown), room);
    if (widths !== undefined) return [...widths, ...columns.slice(shown).map(() => 0)];
  }
  return wanted.map((width, index) => (index === 0 ? Math.max(1, Math.min(width, room)) : 0));
}

/** The widest texts give way first. Undefined if they do not fit. */
function shrunk(
  columns: readonly TerminalColumn[],
  wanted: readonly number[],
  room: number,
): number[] | undefined {
  const widths = [...wanted];
  const inAll = widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
  for (let excess = inAll - room; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, { align }] of columns.entries())
      if (align === 'left' && widths[index]! > (widths[widest] ?? LEAST_TEXT)) widest = index;
    if (widest === -1) return undefined;
    widths[widest]! -= 1;
  }
  return widths;
}

export interface TableOptions {
  readonly columns: readonly TerminalColumn[];
  readonly servers: readonly ListedServer[];
  /** The width of the terminal. */
  readonly width: number;
  /** Whether the head stands out by its style. */
  readonly isColorful: boolean;
}

/** A head and a line for each server, none of them wider than the terminal. */
export async function tableLines({ columns, servers, width, isColorful }: TableOptions): Promise<string[]> {
  const head = columns.map(({ name }) => shownText(name.toUpperCase()));
  const rows = servers.map((server) => columns.map((each) => shownText(cellOf(each, columns, server))));
  if (!rows.every((row) => row.every(isCommon)) || !head.every(isCommon)) await loadWidths();
  const wanted = head.map((each, index) =>
    // Texts wider than the terminal count as wide as it.
    rows.reduce(
      (most, row) => (most < width ? Math.max(most, widthOf(cutToColumns(row[index]!, width))) : most),
      widthOf(each),
    ),
  );
  const widths = widthsWithin(columns, wanted, width);
  const line = (cells: readonly string[]): string => {
    const shown = cells.flatMap((cell, index) => {
      const own = widths[index]!;
      if (own === 0) return [];
      const fitting = cutToColumns(cell, own);
      const space = fill('', own - widthOf(fitting), 'left');
      return [columns[index]!.align === 'left' ? isolated(fitting) + space : space + isolated(fitting)];
    });
    return shown.join(' '.repeat(GAP)).trimEnd();
  };
  return [isColorful ? styleText('bold', line(head)) : line(head), ...rows.map(line)];
}

/** A line for each server, its cells separated by tabs, none of which is in a cell. */
export function plainLines(columns: readonly TerminalColumn[], servers: readonly ListedServer[]): string[] {
  return servers.map((server) => columns.map((each) => shownText(cellOf(each, columns, server))).join('\t'));
}

/** How many game servers and players there are. `total`: of all that match, which may be more than are shown. */
export function countsLine(servers: readonly Pick<ListedServer, 'players'>[], total: number): string {
  const players = servers.reduce((sum, each) => sum + each.players, 0);
  const shown = servers.length < total ? `${servers.length} of ${total}` : String(total);
  return `${shown} ${total === 1 ? 'server' : 'servers'}, ${players} ${players === 1 ? 'player' : 'players'}`;
}
