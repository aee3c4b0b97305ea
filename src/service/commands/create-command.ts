/** A command with its help in 80 columns, and its complaints about all other words, one line each. Runs nothing. */

import { Command, CommanderError, Option, type Help } from 'commander';
import type { OptionDefinition } from '../config/option.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { didYouMean } from '../../model/did-you-mean.ts';

/** The words that start other programs: `gsls` without a command starts the service. */
const WORDS_FOR_NO_COMMAND: readonly string[] = ['start', 'serve', 'run'];

/** The end of a command that has printed its help or version. Who describes it in another form takes it from here. */
export class Printed extends CommanderError {
  readonly command: Command;

  constructor({ exitCode, code, message }: CommanderError, command: Command) {
    super(exitCode, code, message);
    this.command = command;
  }
}

/**
 * A command that prints its help and nothing else. Its parse rejects with a UsageError when it is called wrongly, and
 * with Printed once help or version has been printed.
 */
export function createCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .configureHelp({ formatItem })
    .helpOption('-h, --help', 'print this help')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? new Printed(error, command) : new UsageError(complaintOf(error, command));
    });
  return command;
}

/** The description stands below its term: there is no room beside the longest flags. */
export function formatItem(term: string, _termWidth: number, description: string, helper: Help): string {
  const wrapped = helper.boxWrap(description, (helper.helpWidth ?? 80) - 6);
  return `  ${term}\n${wrapped.replaceAll(/^/gm, '      ')}`;
}

/** The complaint in one line. It repeats no word that resembles no command: that may be half of a key. */
function complaintOf({ code, message }: CommanderError, command: Command): string {
  const names = command.commands.map((each) => each.name());
  const commands = [command];
  while (commands.at(-1)!.parent) commands.push(commands.at(-1)!.parent!);
  if (code === 'commander.unknownOption') {
    const flags = commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
    const [flag, value] = /'(.*)'/s.exec(message)![1]!.split(/=(.*)/s) as [string, string?];
    if (value !== undefined && flags.includes(flag))
      return `${flag} takes no value: give it alone, or leave it out`;
    return `unknown option ${flag}${didYouMean(flag, [...flags, '--help'])}`;
  }
  if (code === 'commander.excessArguments') {
    const [word] = command.args;
    if (command.parent === null && WORDS_FOR_NO_COMMAND.includes(word!))
      return `there is no command ${word}: gsls without a command starts the service`;
    const guess = didYouMean(word!, names.length === 0 ? [] : [...names, 'help']);
    if (guess !== '') return `unknown command ${word}${guess}`;
    if (names.length === 0) return `${command.name()} takes options only`;
    return `no such command; there are ${listing(names)}: gsls without a command starts the service, and a value with spaces needs quotes`;
  }
  if (code === 'commander.unknownCommand' || (code === 'commander.help' && command.args.length === 0))
    return `${command.name()} needs one of its commands ${listing(names)}${didYouMean(command.args[0] ?? '', names)}`;
  if (code === 'commander.missingArgument')
    return `${command.name()} needs a ${/'(.*)'/s.exec(message)![1]!}`;
  if (code === 'commander.optionMissingArgument') return `${/'(.*)'/s.exec(message)![1]!} needs a value`;
  return message.replace(/^error: /, '').replaceAll('\n', ' ');
}

/** The words as the part of a sentence. */
export function listing(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

/**
 * An option from a row of a table of options. By this name the options of the command have a list of texts, which a
 * table parses, or true for a switch.
 */
export function createOption(name: string, definition: OptionDefinition<unknown>): Option {
  const { flag, argument, group, description, variable, repeatable, defaultText } = definition;
  const initial = defaultText ?? String(definition.default);
  const parsed = new Option(
    argument ? `${flag} ${argument}` : flag,
    `${description}\n(${variable}; default: ${initial})`,
  ).helpGroup(`${group}:`);
  parsed.attributeName = () => name;
  // To commander --no-x is the opposite of an option x, and on by default; here it is a switch like any other.
  parsed.negate = false;
  if (argument === undefined) return parsed;
  return parsed.argParser((text: string, earlier: string[] | undefined) =>
    repeatable ? [...(earlier ?? []), text] : [text],
  );
}
