/** What a version lists by name that people's configuration, alerts and programs depend on, read from its files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What each name means, in words that change only with it. */
export type Table = ReadonlyMap<string, string>;

/** The tables of the version in this folder, by the word for one of their rows. */
export function tablesOf(folder: string): Readonly<Record<string, Table>> {
  const read = (path: string): string => readFileSync(join(folder, 'docs', path), 'utf8');
  const lines = headingsOf(read('reference/log-lines.md'));
  const alerts = read('reference/alerts.md');
  return {
    option: rowsOf(read('reference/options.md'), /^- `(--[\w-]+)( <[^`]*>)?`:.*?(\[[^[\]]*\])?$/gm),
    error: headingsOf(read('reference/errors.md')),
    metric: rowsOf(read('reference/metrics.md'), /^- `(\w+)` \((.*?)\)/gm),
    alert: headingsOf(alerts),
    'log line': new Map([...lines].filter(([line]) => namedIn(alerts).some((words) => line.includes(words)))),
    'declaration in C': declarationsOf(read('../clients/c/gsls.h')),
    'exit code': rowsOf(read('install.md'), /^[-|] (\d)(?:: | +\| )([^,|\n]+)/gm),
  };
}

/** Each label of each metric that is shown: `gsls_writes_total code`. */
export function labelsOf(metrics: string): Table {
  const shown = [...metrics.matchAll(/^(gsls_\w+)\{(.*)\} /gm)];
  return new Map(
    shown.flatMap(([, name, labels]) =>
      [...labels!.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => [`${name} ${label}`, ''] as const),
    ),
  );
}

/** Sentences on the rows that are gone or mean something else. */
export function tableBreaks(what: string, before: Table, after: Table): readonly string[] {
  return [...before].flatMap(([name, meaning]) => {
    const now = after.get(name);
    if (now === undefined) return [`the ${what} ${name} is gone`];
    return now === meaning ? [] : [`the ${what} ${name} was ${meaning}, and is ${now}`];
  });
}

/** The first group of the pattern is the name, the others are the meaning. */
function rowsOf(document: string, pattern: RegExp): Table {
  return new Map([...document.matchAll(pattern)].map(([, name, ...parts]) => [name!, parts.join('').trim()]));
}

/** Each heading of the third level means the one of the second level above it. */
function headingsOf(document: string): Table {
  const parts = document.split(/^## /m).slice(1);
  return new Map(
    parts.flatMap((part) => {
      const [above] = part.split('\n', 1) as [string];
      return [...part.matchAll(/^### `?(.*?)`?$/gm)].map(([, name]) => [name!, above] as const);
    }),
  );
}

/**
 * What a header declares, without its comments: programs that were compiled with it run with a later library, too. A
 * struct with another member is another declaration.
 */
function declarationsOf(header: string): Table {
  const code = header.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^#(?!define \w+ \d+ *$).*/gm, '');
  const found = code
    .replaceAll(/\s+/g, ' ')
    .matchAll(
      /#define \w+ \d+|(?<= )(?:typedef (?:struct|enum) \w+ \{[^{}]*\} \w+|[^#;{} ][^#;{}]*\))(?=;)/g,
    );
  return new Map([...found].map(([declaration]) => [declaration, '']));
}

/** Words in the form of code that can only be those of a log line. */
function namedIn(alerts: string): readonly string[] {
  return [...alerts.matchAll(/`([a-z]+(?: [a-z]+)+)`/gi)].map(([, words]) => words!);
}
