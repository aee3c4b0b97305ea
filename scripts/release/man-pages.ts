/** The manual pages: one of the program, one of each command, and one of the configuration file. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { DescribedCommand, DescribedOption } from './commands.ts';
import { ROOT, type Making } from './making.ts';

/** The commands that print help: gsls(1) has them. */
const WITHOUT_PAGE = ['gsls help', 'gsls options'];

/** Writes them compressed into the folders man1 and man5 of `folder`. */
export function writeManPages({ epochS, version }: Making, program: DescribedCommand, folder: string): void {
  const day = new Date(epochS * 1000).toISOString().slice(0, 10);
  const write = (page: string, parts: readonly string[], others: readonly string[]): void => {
    const [, name = '', chapter = ''] = /^(.*)\((\d)\)$/.exec(page) ?? [];
    const head = `.TH ${roff(name.toUpperCase())} ${chapter} ${day} "GSLS ${version}" GSLS`;
    const text = [head, ...parts, '.SH SEE ALSO', roff(others.join(', ')), ''].join('\n');
    mkdirSync(join(folder, `man${chapter}`), { recursive: true });
    const file = join(folder, `man${chapter}`, `${name}.${chapter}.gz`);
    writeFileSync(file, gzipSync(text, { level: 9 }));
  };
  const paged = program.commands.filter(({ words }) => !WITHOUT_PAGE.includes(words));
  write('gsls(1)', pageOf(program), [...paged.map(nameOf), 'gsls.yaml(5)']);
  for (const command of paged) write(nameOf(command), pageOf(command), ['gsls(1)']);
  write('gsls.yaml(5)', pageOfFile(), ['gsls(1)', 'gsls-check(1)', 'gsls-key(1)']);
}

function nameOf({ words }: DescribedCommand): string {
  return `${words.replace(' ', '-')}(1)`;
}

function pageOf(command: DescribedCommand): string[] {
  const { words, summary, description, usage, isOfService, commands, after } = command;
  const [notes = '', examples = ''] = after.split(/^Examples:\n/m);
  return [
    `.SH NAME\n${roff(`${words.replace(' ', '-')} - ${summary}`)}`,
    `.SH SYNOPSIS\n.B ${roff(words)}\n${roff(usage.slice(words.length + 1))}`,
    `.SH DESCRIPTION\n${roff(sentence(description))}`,
    ...takenBy(command, '.SH '),
    ...(isOfService ? ['.PP\nIt takes the options of gsls(1) as well.'] : []),
    ...section('.SH COMMANDS', commands.flatMap(words === 'gsls' ? summaryOf : wholeOf)),
    ...section('.SH NOTES', literal(notes)),
    // Below those of gsls stand some options once more.
    ...section('.SH EXAMPLES', literal(examples.split('\n\n', 1)[0]!)),
  ];
}

function summaryOf({ words, summary }: DescribedCommand): string[] {
  return item(`\\fB${roff(words)}\\fR`, summary);
}

function wholeOf(command: DescribedCommand): string[] {
  return [`.SS ${roff(command.usage)}`, roff(sentence(command.description)), ...takenBy(command)];
}

/** The arguments and the options of a command. `heading`: before the name of each group of options. */
function takenBy({ args, options }: DescribedCommand, heading?: string): string[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return [
    ...args.flatMap(([name, description]) => item(`\\fI${roff(name)}\\fR`, description)),
    ...groups.flatMap((group) => [
      ...(heading === undefined ? [] : [heading + group.replace(/:$/, '').toUpperCase()]),
      ...options.filter((option) => option.group === group).flatMap(optionItem),
    ]),
  ];
}

function optionItem({ names, argument, description }: DescribedOption): string[] {
  const term = names.map((name) => `\\fB${roff(name)}\\fR`).join(', ');
  return item(argument === undefined ? term : `${term} \\fI${roff(argument)}\\fR`, description);
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`.replace('..', '.');
}

/** `term` is roff already. */
function item(term: string, description: string): string[] {
  return ['.TP', term, roff(description).replaceAll('\n', '\n.br\n')];
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function literal(text: string): string[] {
  return text.trim() === '' ? [] : ['.EX', roff(text.trimEnd()), '.EE'];
}

/** A part of the schema of the configuration file. */
interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

function pageOfFile(): string[] {
  const path = join(ROOT, 'docs/reference/config.schema.json');
  const { registries, keys, ...options } = (JSON.parse(readFileSync(path, 'utf8')) as Schema).properties!;
  const { properties: ofRegistry } = registries!.additionalProperties!;
  const own = Object.entries(ofRegistry!).filter(([name]) => !Object.hasOwn(options, name));
  const shared = Object.keys(ofRegistry!).filter((name) => Object.hasOwn(options, name));
  const items = (those: readonly (readonly [string, Schema])[]): string[] =>
    those.flatMap(([name, { description, properties }]) =>
      properties === undefined
        ? item(`\\fB${roff(name)}\\fR`, description ?? '')
        : items(Object.entries(properties).map(([below, schema]) => [`${name}: ${below}`, schema])),
    );
  return [
    `.SH NAME\ngsls.yaml \\- the configuration file of gsls(1)`,
    `.SH SYNOPSIS\n${roff('gsls --config gsls.yaml')}`,
    '.SH DESCRIPTION\nThe file is YAML: the options of gsls(1) by their long names without the dashes,',
    'the registries that are served, and keys. A switch is true or false, several values are a list.',
    'Paths begin at the folder of the file. Without registries its options are those of one, at the root.',
    '.SH OPTIONS',
    ...items(Object.entries(options).filter(([name]) => !name.startsWith('$'))),
    '.SH REGISTRIES\nBelow\n.B registries\nstands the name of each, and what it has of these:',
    ...items(own),
    `.PP\nIt may have options of its own, too:\n${roff(`${shared.join(', ')}.`)}`,
    '.SH KEYS\nEach item of\n.B keys\nhas these:',
    ...items(Object.entries(keys!.items!.properties!)),
  ];
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** The text as roff sets it, with the characters that a terminal takes. */
function roff(text: string): string {
  return text.replaceAll(/[\\\-'`^~]/g, (character) => SPECIAL[character]!).replaceAll(/^\./gm, '\\&.');
}
