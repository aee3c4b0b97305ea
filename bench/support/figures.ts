/** Figures with their goals, as a benchmark tells them. */

import { printResult, tableOf } from './table.ts';

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly goal: string;
}

/** Says on the way what is measured. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes the figures as JSON, or as a table for people. */
export function printFigures(isJson: boolean, figures: readonly Figure[]): void {
  const table = (): string[] =>
    tableOf(figures, [
      ['case', ({ name }) => name],
      ['measured', ({ value }) => value],
      ['goal', ({ goal }) => goal],
    ]);
  printResult(isJson, figures, () => `${table().join('\n')}\n`);
}
