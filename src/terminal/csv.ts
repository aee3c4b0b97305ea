/**
 * A list as comma-separated values (RFC 4180), with a head. A text that a spreadsheet would take for a formula has an
 * apostrophe before it, which spreadsheets do not show.
 */

import type { ListedServer } from '../client/listed-server.ts';
import type { Column, ColumnValue } from './columns.ts';
import { shownText } from './shown-text.ts';

const FORMULA = /^[=+\-@\t\r]/;

export function csvLines(columns: readonly Column[], servers: readonly ListedServer[]): string[] {
  const head = columns.map(({ name }) => name);
  return [head, ...servers.map((server) => columns.map(({ valueOf }) => valueOf(server)))].map((values) =>
    values.map(field).join(','),
  );
}

function field(value: ColumnValue): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = shownText(FORMULA.test(value) ? `'${value}` : value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
