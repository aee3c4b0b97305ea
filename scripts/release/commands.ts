/** The commands of the program as they are: manual pages and completions describe them in other forms. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Help, type Command, type Option } from 'commander';
import { createProgram } from '../../src/command-line.ts';
import { Printed } from '../../src/service/commands/create-command.ts';
import type { OptionDefinition } from '../../src/service/config/option.ts';
import { OPTIONS } from '../../src/service/config/options.ts';
import { ANNOUNCE_OPTIONS } from '../../src/tools/announce/config/announce-options.ts';
import { CLIENT_COMMANDS, type ClientCommand } from '../../src/tools/client-command.ts';
import { createModerationCommands } from '../../src/tools/moderate/create-moderation-commands.ts';
import { FLAGS_OF_SERVICE } from '../../src/tools/moderate/moderate.ts';
import { ROOT } from './making.ts';

export interface DescribedCommand {
  /** Its words, as in `gsls ban add`. */
  readonly words: string;
  /** What it does, in few words. */
  readonly summary: string;
  readonly description: string;
  /** How it is called, with its words. */
  readonly usage: string;
  /** What it takes behind its words, each with its meaning. */
  readonly args: readonly (readonly [name: string, description: string])[];
  readonly options: readonly DescribedOption[];
  /** Whether it takes all options of `gsls` besides its own. */
  readonly isOfService: boolean;
  readonly commands: readonly DescribedCommand[];
  /** What its help says below the options, such as examples. */
  readonly after: string;
}

export interface DescribedOption {
  /** As in `-h` and `--help`. */
  readonly names: readonly string[];
  /** As in `<port>`; undefined for a switch. */
  readonly argument: string | undefined;
  readonly isPath: boolean;
  /** The words that it takes, where it takes no other. */
  readonly choices: readonly string[];
  readonly description: string;
  /** The heading above it. */
  readonly group: string;
}

const PATHS: readonly (string | undefined)[] = ['<file>', '<path>', '<folder>'];

const goNoFurther = (): Promise<never> => Promise.reject(new Error('it is described, and not run'));

/** Resolves with `gsls` itself, which has all others. */
export async function describeProgram(version: string): Promise<DescribedCommand> {
  const [serve, demo, healthcheck, check, reset, moderate] = Array<typeof goNoFurther>(6).fill(goNoFurther);
  const actions = { serve, demo, healthcheck, check, reset, moderate } as Parameters<typeof createProgram>[1];
  const program = createProgram(version, actions);
  const all = new Help().visibleOptions(program).map((option) => describeOption(option, OPTIONS));
  const ofReplica = FLAGS_OF_SERVICE.map((name) => OPTIONS[name].flag);
  const ofModerators = all.filter(({ names }) => names.some((name) => ofReplica.includes(name)));
  const moderation = createModerationCommands(goNoFurther).map((command) => command.name());
  const commands = program.commands.map(async (command) => {
    const name = command.name();
    if (Object.hasOwn(CLIENT_COMMANDS, name))
      return { ...describe(await clientCommand(name)), summary: command.description() };
    if (moderation.includes(name)) return describe(command, { more: ofModerators });
    if (name === 'options') return wordAlone(command);
    if (name !== 'help') return describe(command, { isOfService: true });
    const named = program.commands.filter((each) => each !== command);
    return { ...wordAlone(command), commands: named.map((each) => wordAlone(each, 'gsls help')) };
  });
  return { ...describe(program), options: all, commands: await Promise.all(commands) };
}

/** A command that prints help, or the name of another behind the word `help`. */
function wordAlone(command: Command, behind = 'gsls'): DescribedCommand {
  return { ...describe(command), words: `${behind} ${command.name()}`, options: [], commands: [] };
}

/** A command with options of its own is in the file of its name, and makes itself anew each time that it is called. */
async function clientCommand(name: string): Promise<Command> {
  const folder = join(ROOT, 'src/tools');
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
    each.endsWith(`/${name}.ts`),
  )!;
  const client = ((await import(join(folder, path))) as Record<string, ClientCommand>)[name]!;
  const nowhere = { write: () => true };
  const context = { version: '', environment: {}, stdout: nowhere, stderr: nowhere };
  try {
    await client(['--help'], context);
  } catch (error) {
    if (error instanceof Printed) return error.command;
    throw error;
  }
  throw new Error(`gsls ${name} has no help`);
}

/** `more`: options of `gsls` that it takes as its own. */
function describe(
  command: Command,
  { more = [], isOfService = false }: { more?: readonly DescribedOption[]; isOfService?: boolean } = {},
): DescribedCommand {
  const help = command.createHelp();
  const words = [command.name()];
  for (let { parent } = command; parent !== null; { parent } = parent) words.unshift(parent.name());
  const table = command.name() === 'gsls announce' ? ANNOUNCE_OPTIONS : OPTIONS;
  return {
    words: words.join(' '),
    summary: help.subcommandDescription(command).replace(/; see .*/, ''),
    description: command.description(),
    usage: help.commandUsage(command),
    args: help.visibleArguments(command).map((each) => [each.name(), help.argumentDescription(each)]),
    options: [...help.visibleOptions(command).map((option) => describeOption(option, table)), ...more],
    isOfService,
    commands: command.commands.map((each) => describe(each, { more })),
    after: belowOptions(command),
  };
}

function describeOption(
  option: Option,
  table: Readonly<Record<string, OptionDefinition<unknown>>>,
): DescribedOption {
  const { short, long, flags } = option;
  const [, argument] = / (.*)$/.exec(flags.replace(`${short}, `, '')) ?? [];
  const definition = table[option.attributeName()];
  return {
    names: [short, long].filter((name) => name !== undefined),
    argument,
    isPath: PATHS.includes(argument),
    choices: definition?.flag === long ? (definition?.parse.choices ?? []) : [],
    description: new Help().optionDescription(option),
    group: option.helpGroupHeading ?? 'Options:',
  };
}

function belowOptions(command: Command): string {
  let printed = '';
  command.configureOutput({ writeOut: (text) => void (printed += text) }).outputHelp();
  return printed.slice(command.helpInformation().length).trim();
}
