/**
 * The layers from which the options of `gsls announce` come: words, variables, a game server of the file, the defaults
 * of the file. The first layer that has an option decides. Knows no rule between options.
 */

import { didYouMean } from '../../../model/did-you-mean.ts';
import { isRecord } from '../../../model/json.ts';
import { ANNOUNCE_OPTIONS } from './announce-options.ts';
import type { OptionDefinition, ValuesOf } from '../../../service/config/option.ts';
import { UsageError } from '../../../runtime/usage-error.ts';
import { GAME_SERVER_OPTIONS } from './announced-server-options.ts';
import { readJson, type ReadFile } from '../../../service/config/option-files.ts';

export type AnnounceOptionName = keyof typeof ANNOUNCE_OPTIONS;

/** Texts by option name, true for a switch. */
export type GivenTexts = Readonly<Partial<Record<AnnounceOptionName, readonly string[] | true>>>;

/** One source of values. `name`: how a complaint calls an option of this layer. */
export interface Layer {
  readonly given: GivenTexts;
  readonly name: (option: AnnounceOptionName) => string;
}

const NAMES = Object.keys(ANNOUNCE_OPTIONS) as AnnounceOptionName[];

/** Throws an Error whose message goes behind where that is. */
export function layerOf(
  members: Readonly<Record<string, unknown>>,
  names: readonly AnnounceOptionName[],
): Layer {
  const byWord = new Map(names.map((name) => [wordOf(name), name]));
  const texts = Object.entries(members).map(([word, value]) => {
    const name = byWord.get(word);
    if (name === undefined)
      throw new Error(`unknown ${JSON.stringify(word)}${didYouMean(word, [...byWord.keys()])}`);
    return [name, textsOf(word, value)] as const;
  });
  return {
    given: Object.fromEntries(texts.filter(([, each]) => each !== undefined)),
    name: (option) => `"${wordOf(option)}"`,
  };
}

/** The word of an option in the file: the flag without its dashes. */
function wordOf(name: AnnounceOptionName): string {
  return ANNOUNCE_OPTIONS[name].flag.slice(2);
}

/** The value of the first layer that has one. Undefined: none has. */
export function given(
  name: AnnounceOptionName,
  layers: readonly Layer[],
): readonly string[] | true | undefined {
  return layers.find((layer) => layer.given[name] !== undefined)?.given[name];
}

/** The name of the option in complaints: that of the layer which has its value. */
export function nameOf(name: AnnounceOptionName, layers: readonly Layer[]): string {
  const layer = layers.find((each) => each.given[name] !== undefined);
  return layer?.name(name) ?? ANNOUNCE_OPTIONS[name].flag;
}

/** Throws a UsageError that names where the value comes from. */
export function valueOf<Name extends AnnounceOptionName>(
  name: Name,
  layers: readonly Layer[],
): ValuesOf<typeof ANNOUNCE_OPTIONS>[Name] {
  type Value = ValuesOf<typeof ANNOUNCE_OPTIONS>[Name];
  const definition = ANNOUNCE_OPTIONS[name] as unknown as OptionDefinition<Value>;
  const texts = given(name, layers);
  if (texts === undefined) return definition.default;
  if (texts === true) return true as Value;
  try {
    return definition.parse(texts);
  } catch (error) {
    throw new UsageError(`${nameOf(name, layers)} ${(error as Error).message}`);
  }
}

export function layerOfWords(flags: GivenTexts): Layer {
  return { given: flags, name: (option) => ANNOUNCE_OPTIONS[option].flag };
}

/** An empty variable counts as unset. */
export function layerOfVariables(environment: Readonly<NodeJS.Dict<string>>): Layer {
  const texts = NAMES.map((name) => [name, environment[ANNOUNCE_OPTIONS[name].variable]] as const);
  return {
    given: Object.fromEntries(texts.filter(([, text]) => text).map(([name, text]) => [name, [text!]])),
    name: (option) => ANNOUNCE_OPTIONS[option].variable,
  };
}

/** Throws for a misspelt variable. Variables of the service, such as GSLS_PORT, may stand beside these. */
export function refuseUnknownVariables(environment: Readonly<NodeJS.Dict<string>>): void {
  const known = Object.values(ANNOUNCE_OPTIONS).map(({ variable }) => variable);
  // Kubernetes sets GSLS_ANNOUNCE_SERVICE_… and GSLS_ANNOUNCE_PORT_… by itself next to a Service of this name.
  const unknown = Object.keys(environment).find(
    (name) =>
      name.startsWith('GSLS_ANNOUNCE_') &&
      !known.includes(name) &&
      !/^GSLS_ANNOUNCE_(OPS_)?(SERVICE|PORT)_/.test(name),
  );
  if (unknown !== undefined) throw new UsageError(`unknown variable ${unknown}${didYouMean(unknown, known)}`);
}

/**
 * The texts of a value of the file. Undefined for null, which counts as not set; a list is a repeated flag. Throws an
 * Error that names the word for a list in a list.
 */
function textsOf(word: string, value: unknown): readonly string[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return [textOf(value)];
  if (value.some((each) => Array.isArray(each))) throw new Error(`"${word}" must be no list of lists`);
  return value.map(textOf);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The options of which exactly one names the source of a game server. */
export const SOURCES = ['query', 'exec', 'state'] as const;
/** The options that no two game servers can share. */
export const OF_ONE = [...SOURCES, 'name', 'port'] as const;
const MOST_GAME_SERVERS = 10_000;
const ofTop = (Object.keys(ANNOUNCE_OPTIONS) as AnnounceOptionName[]).filter(
  (name) => name !== 'config' && !OF_ONE.some((each) => each === name),
);

/**
 * Reads the file: many game servers, and what counts for all of them. Each word is a flag without its dashes. Throws a
 * UsageError that names the file, and the game server in it.
 */
export function readGameServers(
  path: string,
  readFile: ReadFile,
): { readonly defaults: Layer; readonly servers: readonly Layer[] } {
  const content = readJson('file of game servers', path, readFile);
  const { servers, ...top } = inFile(path, () => membersOf(content));
  if (!Array.isArray(servers) || servers.length === 0 || servers.length > MOST_GAME_SERVERS)
    throw new UsageError(
      `${path} must have a list "servers" with 1 to ${MOST_GAME_SERVERS} game servers, like {"to": "https://gsls.example.com", "servers": [{"query": "a2s 127.0.0.1:27015"}]}`,
    );
  const ofOne = Object.keys(GAME_SERVER_OPTIONS) as (keyof typeof GAME_SERVER_OPTIONS)[];
  return {
    defaults: inFile(path, () => layerOf(top, ofTop)),
    servers: servers.map((server: unknown, at) =>
      inFile(`${path}, game server ${at + 1}`, () => layerOf(membersOf(server), ofOne)),
    ),
  };
}

/** Throws an Error whose message goes behind where that is. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new Error('must be a JSON object');
}

/** Adds to an error the place in the file that it is about. */
export function inFile<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`);
  }
}
