/** The options of a benchmark: each with its default and what --help says of it. Numbers are checked. */

import { parseArgs } from 'node:util';

type Described = Readonly<Record<string, readonly [byDefault: string | number | boolean, help: string]>>;

/** Of an option in --help. */
const WIDTH = 24;

/** By the type of the default. */
type Values<T extends Described> = {
  readonly [Name in keyof T]: T[Name][0] extends number
    ? number
    : T[Name][0] extends boolean
      ? boolean
      : string;
};

/** Ends the process after --help. Throws if a number is none, or below 0. */
export function readOptions<T extends Described>(bench: string, described: T): Values<T> {
  const options = Object.fromEntries(
    Object.entries(described).map(([name, [byDefault]]) => [
      name,
      typeof byDefault === 'boolean'
        ? { type: 'boolean' as const, default: byDefault }
        : { type: 'string' as const, default: String(byDefault) },
    ]),
  );
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', default: false } } });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  if (values.help) {
    process.stdout.write(`npm run bench -- ${bench} [options]\n${helpOf(described)}`);
    process.exit(0);
  }
  const read = Object.entries(described).map(([name, [byDefault]]) => {
    const value = given[name];
    if (typeof byDefault !== 'number') return [name, value];
    if (!(Number(value) >= 0)) throw new Error(`--${name} must be a number`);
    return [name, Number(value)];
  });
  return Object.fromEntries(read) as Values<T>;
}

function helpOf(described: Described): string {
  const lines = Object.entries(described).map(([name, [byDefault, help]]): [string, string] => [
    typeof byDefault === 'boolean' ? `  --${name}` : `  --${name} ${byDefault === '' ? "''" : byDefault}`,
    help,
  ]);
  return lines.map(([option, help]) => `${option.padEnd(WIDTH)} ${help}\n`).join('');
}
