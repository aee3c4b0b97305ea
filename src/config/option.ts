/** What an option is, and the error for what was asked of us and cannot be done. Knows none of the options. */

/** What was asked of us cannot be done as asked. The message is one line that says what to do. Exit code 2. */
export class UsageError extends Error {}

/** The headings of the help. */
export type OptionGroup = 'Service' | 'Access' | 'Registry' | 'Redis' | 'List' | 'Logs';

export interface OptionDefinition<T> {
  /** As in `--port`. */
  readonly flag: string;
  /** What the flag takes, as in `<port>`; absent for a switch. */
  readonly argument?: string;
  readonly variable: string;
  readonly group: OptionGroup;
  readonly description: string;
  readonly default: T;
  /** The default in words, where its value does not say it. */
  readonly defaultText?: string;
  /** Whether the flag may be given several times; otherwise the last one counts. */
  readonly repeatable?: true;
  /** Throws an Error whose message completes "<flag> …", as in "must be an integer". */
  readonly parse: (texts: readonly string[]) => T;
}

export const option = <T>(definition: OptionDefinition<T>): OptionDefinition<T> => definition;

/** The values of a table of options, by name. */
export type ValuesOf<Options extends Readonly<Record<string, OptionDefinition<unknown>>>> = Readonly<{
  [Name in keyof Options]: Options[Name]['default'];
}>;

/** The text of a file that an option names, without a byte order mark. Throws a UsageError that says why it cannot be read. */
export function readOptionFile(what: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`the ${what} ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The same of a file with keys or passwords; in another encoding than ours they would never match. */
export function readSecretFile(what: string, path: string, readFile: (path: string) => string): string {
  const text = readOptionFile(what, path, readFile);
  if (/[\0\uFFFD]/.test(text)) throw new UsageError(`the ${what} ${path} is not text in UTF-8`);
  return text;
}
