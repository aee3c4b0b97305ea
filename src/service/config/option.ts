/** The definition of an option. */

import { SWITCH } from './option-parsers.ts';

/** The headings of the help. */
export type OptionGroup =
  | 'Service'
  | 'Access'
  | 'Limits'
  | 'Registry'
  | 'Redis'
  | 'List'
  | 'Page'
  | 'Moderation'
  | 'Protocols'
  | 'Logs'
  /** The groups of `gsls announce`. */
  | 'Services'
  | 'The game server'
  | 'What is listed'
  | 'The process';

export interface OptionDefinition<T> extends OptionRow<T> {
  /** As in `--port`. */
  readonly flag: string;
  readonly variable: string;
}

/** An option of a table, which has its name from its place there. */
interface OptionRow<T> extends DefinedOption<T> {
  readonly group: OptionGroup;
  /** The beginning of the variables of its group. */
  readonly prefix: string;
  readonly scope: OptionScope;
  readonly default: T;
}

/** Whose an option is: of the process and all that it serves, or of one registry. */
export type OptionScope = 'process' | 'registry';

/** The part of an option that its table defines. */
interface DefinedOption<T> {
  /** The argument of the flag, as in `<port>`; absent for a switch. */
  readonly argument?: string;
  /** Defaults to the name of the flag, behind the prefix of the group. */
  readonly variable?: string;
  readonly description: string;
  /** Left out, the option has no value unless it is given. */
  readonly default?: T;
  /** The default in words, where the value alone would not explain it; "none" where there is no value, or no item. */
  readonly defaultText?: string;
  /** Whether all flags count when the flag is given several times; otherwise the last one counts. */
  readonly repeatable?: true;
  /**
   * Whether the value holds a secret, which is then shown nowhere. A file with it has the same name and `File` behind
   * it.
   */
  readonly secret?: true;
  /** The part of a secret that may be shown; left out, none may. */
  describe?(this: void, value: T): string;
  /** Throws an Error whose message completes "<flag> …", as in "must be an integer". Knows the words that it takes. */
  readonly parse: ((texts: readonly string[]) => T) & { readonly choices?: readonly string[] };
}

/** The text that stands for a secret. */
export const HIDDEN = '(hidden)';

interface DefineOption {
  /** Defines a switch by its description alone: it is off unless it is given. */
  (description: string): OptionRow<boolean>;
  <T>(definition: DefinedOption<T> & { readonly default: T }): OptionRow<T>;
  <T>(definition: DefinedOption<T | undefined>): OptionRow<T | undefined>;
}

/** Defines the options under a heading of the help, whose variables begin with the prefix. */
export function optionsIn(
  group: OptionGroup,
  { scope = 'process', prefix = 'GSLS_' }: { readonly scope?: OptionScope; readonly prefix?: string } = {},
): DefineOption {
  return <T>(said: DefinedOption<T> | string) => {
    const definition = typeof said === 'string' ? { ...SWITCH, description: said } : said;
    /** The values of the default: an empty list has none, either. */
    const values = [definition.default ?? []].flat();
    return {
      group,
      prefix,
      scope,
      default: definition.default as T,
      ...(values.length === 0 && { defaultText: 'none' }),
      ...definition,
    };
  };
}

/** A table of options by their names: `dataFile` is the flag `--data-file` and the variable GSLS_DATA_FILE. */
export function namedOptions<Values>(rows: { readonly [Name in keyof Values]: OptionRow<Values[Name]> }): {
  readonly [Name in keyof Values]: OptionDefinition<Values[Name]>;
} {
  const named = Object.entries<OptionRow<unknown>>(rows).map(([name, row]) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const variable = row.prefix + words.toUpperCase().replaceAll('-', '_');
    return [name, { flag: `--${words}`, variable, ...row }];
  });
  return Object.fromEntries(named);
}

/** The values of a table of options, by name. */
export type ValuesOf<Options extends Readonly<Record<string, { readonly default: unknown }>>> = Readonly<{
  [Name in keyof Options]: Options[Name]['default'];
}>;
