/** What a benchmark has measured, for people and for programs. */

/** Writes the result as JSON, or as the text for people. */
export function printResult(isJson: boolean, result: unknown, text: () => string): void {
  process.stdout.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : text());
}

/** The lines of a table of Markdown. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

/** The head of a column, and its cell in a row. */
export type Column<T> = readonly [head: string, cell: (row: T) => string | number];

/** The lines of a table with a line for each row; none where there is none. */
export function tableOf<T>(rows: readonly T[], columns: readonly Column<T>[]): string[] {
  if (rows.length === 0) return [];
  const heads = columns.map(([head]) => head);
  return markdownTable(
    heads,
    rows.map((row) => columns.map(([, cell]) => String(cell(row)))),
  );
}
