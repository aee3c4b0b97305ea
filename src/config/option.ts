/** What an option is, and the error for a program that is called wrongly. */

/** The program was called wrongly. The message is one line that says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The headings of the help. */
export type OptionGroup =
  | 'Service'
  | 'Access'
  | 'Limits'
  | 'Registry'
  | 'Redis'
  | 'List'
  | 'Page'
  | 'Protocols'
  | 'Logs'
  /** Those of `gsls announce`. */
  | 'Services'
  | 'The game server'
  | 'What is listed'
  | 'The process';

export interface OptionDefinition<T> extends DefinedOption<T> {
  readonly variable: string;
  readonly group: OptionGroup;
  readonly default: T;
}

/** What the table of an option says of it. */
interface DefinedOption<T> {
  /** As in `--port`. */
  readonly flag: string;
  /** The argument of the flag, as in `<port>`; absent for a switch. */
  readonly argument?: string;
  /** Defaults to the name of the flag, behind the prefix of the table. */
  readonly variable?: string;
  readonly description: string;
  /** Left out, the option has no value unless it is given. */
  readonly default?: T;
  /** The default in words, where the value alone would not explain it; "none" where there is no value. */
  readonly defaultText?: string;
  /** Whether all flags count when the flag is given several times; otherwise the last one counts. */
  readonly repeatable?: true;
  /**
   * Whether the value holds a secret, which is then shown nowhere. A file with it has the same name and `File` behind
   * it.
   */
  readonly secret?: true;
  /** What may be shown of a secret; nothing if it is left out. */
  describe?(this: void, value: T): string;
  /** Throws an Error whose message completes "<flag> …", as in "must be an integer". */
  readonly parse: (texts: readonly string[]) => T;
}

/** What is shown instead of a secret. */
export const HIDDEN = '(hidden)';

interface DefineOption {
  <T>(definition: DefinedOption<T> & { readonly default: T }): OptionDefinition<T>;
  <T>(definition: DefinedOption<T | undefined>): OptionDefinition<T | undefined>;
}

/** Defines the options under a heading of the help, whose variables begin with the prefix. */
export function optionsIn(group: OptionGroup, prefix = 'GSLS_'): DefineOption {
  return <T>(definition: DefinedOption<T>) => ({
    group,
    variable: prefix + definition.flag.slice(2).toUpperCase().replaceAll('-', '_'),
    default: definition.default as T,
    ...(definition.default === undefined && { defaultText: 'none' }),
    ...definition,
  });
}

/** The values of a table of options, by name. */
export type ValuesOf<Options extends Readonly<Record<string, OptionDefinition<unknown>>>> = Readonly<{
  [Name in keyof Options]: Options[Name]['default'];
}>;
