/**
 * The configuration: flags, variables and a file go in, a frozen Config or a ConfigError comes out. The rest of the
 * program never sees any of the sources.
 */

import type { RedisAddress } from '../../registry/redis/connection/redis-address.ts';
import { readAdminKeys, readAuthKeys, readTokenSecrets, requireDistinct } from './access-keys.ts';
import { contradictionsIn } from './contradictions.ts';
import { createRedisAddress } from './create-redis-address.ts';
import {
  joinLayers,
  layerOfFlags,
  layerOfEnvironment,
  OPTION_NAMES,
  type Flags,
  type Given,
  type OptionLayer,
  type OptionName,
} from './layers.ts';
import { readJson, type ReadFile } from './option-files.ts';
import type { OptionDefinition, ValuesOf } from './option.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { OPTIONS } from './options.ts';

/** Every option with its value. Times and sizes in the unit of the option. */
export type Config = ValuesOf<typeof OPTIONS> & {
  /** The keys of --key and --key-file together. */
  readonly authKeys: readonly string[];
  /** The secrets of --token-secret and --token-secret-file together; the first one signs the tokens. */
  readonly tokenSecrets: readonly string[];
  /** The keys of --admin-key and --admin-key-file together. */
  readonly adminKeys: readonly string[];
  /** The content of the file of --details-schema, not compiled yet; undefined without one. */
  readonly detailsSchemaJson: unknown;
  /** The address of Redis; undefined for a registry in memory. */
  readonly redisAddress: RedisAddress | undefined;
  /** The options that were set, and how. */
  readonly given: OptionLayer;
};

export interface ConfigSources {
  readonly flags: Flags;
  readonly environment: Readonly<NodeJS.Dict<string>>;
  readonly readFile: ReadFile;
}

/** All that is wrong with a configuration, a line each. The message is the first of them. */
export class ConfigError extends UsageError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const more = problems.length - 1;
    super(`${problems[0]}${more > 0 ? ` (and ${more} more: see gsls check)` : ''}`);
    this.problems = problems;
  }
}

/** The configuration without a file. A flag wins over a variable. Throws a UsageError. */
export function createConfig({ flags, environment, readFile }: ConfigSources): Config {
  return compile([layerOfFlags(flags), layerOfEnvironment(environment)], readFile);
}

/** What else a configuration goes by. */
export interface CompileOptions {
  /** What the keys of the file open. */
  readonly keysOfFile?: KeysThere;
  /** The schema of details, where the file itself has it. */
  readonly detailsSchema?: unknown;
  /** What is known to be wrong already. */
  readonly problems?: readonly string[];
  /** Whether several registries share it: what is of registries may then wait for what each says itself. */
  readonly isShared?: boolean;
  /** Whether what is shared is wrong: then only the own values are judged, each for itself. */
  readonly isShaky?: boolean;
}

/** The keys of a registry. */
export interface KeysThere {
  /** Whether requests need one. */
  readonly areNeeded: boolean;
  /** Whether any may announce, and whether any may moderate. */
  readonly mayAnnounce: boolean;
  readonly mayModerate: boolean;
}

const NO_KEYS: KeysThere = { areNeeded: false, mayAnnounce: false, mayModerate: false };

/** Compiles the values of layers, of which the first wins. Throws a ConfigError. */
export function compile(
  layers: readonly OptionLayer[],
  readFile: ReadFile,
  { keysOfFile = NO_KEYS, detailsSchema, isShared = false }: CompileOptions = {},
): Config {
  const given = joinLayers(layers);
  const problems = new Problems();
  const values = problems.gather(() => valuesOf(OPTION_NAMES, given, problems));
  const authKeys = problems.attempt(() => readAuthKeys(values, readFile), []);
  const adminKeys = problems.attempt(() => readAdminKeys(values, readFile), []);
  problems.attempt(() => requireDistinct(authKeys, adminKeys), undefined);
  const givenBy = (name: OptionName): string | undefined => given[name]?.source;
  const redisAddress = problems.attempt(() => createRedisAddress({ values, givenBy, readFile }), undefined);
  const isOnRedis = OPTION_NAMES.some(
    (name) => name.startsWith('redis') && values[name] !== OPTIONS[name].default,
  );
  const areNeeded = keysOfFile.areNeeded || authKeys.length > 0;
  const mayAnnounce = keysOfFile.mayAnnounce || authKeys.length > 0;
  const givenHere = (name: OptionName): string | undefined =>
    isShared && OPTIONS[name].scope === 'registry' ? undefined : givenBy(name);
  problems.add(contradictionsIn({ values, keys: { areNeeded, mayAnnounce }, isOnRedis, givenBy: givenHere }));
  const files = readFiles(values, readFile, detailsSchema, problems);
  problems.refuse();
  return Object.freeze({ ...values, ...files, authKeys, adminKeys, redisAddress, given });
}

/**
 * Compiles what one registry has of its own, over what holds for all of the process. Throws a ConfigError. Parses no
 * value twice: a service may have a thousand registries.
 */
export function compileOwn(
  shared: Config,
  own: OptionLayer,
  readFile: ReadFile,
  { keysOfFile = NO_KEYS, detailsSchema, isShaky = false, problems: known = [] }: CompileOptions = {},
): Config {
  const problems = new Problems();
  problems.add(known);
  const names = Object.keys(own) as OptionName[];
  const values = problems.gather(() => ({ ...shared, ...valuesOf(names, own, problems) }));
  const keys = {
    areNeeded: keysOfFile.areNeeded || shared.authKeys.length > 0,
    mayAnnounce: keysOfFile.mayAnnounce || shared.authKeys.length > 0,
  };
  const isOnRedis = shared.redisAddress !== undefined;
  // What was given for all registries may well have no effect in one of them.
  if (!isShaky)
    problems.add(contradictionsIn({ values, keys, isOnRedis, givenBy: (name) => own[name]?.source }));
  const hasFiles = detailsSchema !== undefined || names.some((name) => NAMES_OF_FILES.includes(name));
  const files = hasFiles ? readFiles(values, readFile, detailsSchema, problems) : {};
  problems.refuse();
  return Object.freeze({ ...values, ...files, given: { ...shared.given, ...own } });
}

/** The options of a registry whose values are read from files, or beside them. */
const NAMES_OF_FILES: readonly OptionName[] = ['detailsSchema', 'tokenSecret', 'tokenSecretFile'];

function readFiles(
  values: ValuesOf<typeof OPTIONS>,
  readFile: ReadFile,
  detailsSchema: unknown,
  problems: Problems,
): Pick<Config, 'tokenSecrets' | 'detailsSchemaJson'> {
  return {
    tokenSecrets: problems.attempt(() => readTokenSecrets(values, readFile), []),
    detailsSchemaJson:
      values.detailsSchema === undefined
        ? detailsSchema
        : problems.attempt(() => readJson('details schema', values.detailsSchema!, readFile), undefined),
  };
}

/** All that is wrong, as far as it can be told together. */
class Problems {
  readonly #lines: string[] = [];

  add(lines: Iterable<string>): void {
    this.#lines.push(...lines);
  }

  /** What is read, or the other value if a UsageError says what is wrong. */
  attempt<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#lines.push(error.message);
      return otherwise;
    }
  }

  /** What all that follows goes by: it is not worth a look while something of this is wrong. */
  gather<T>(read: () => T): T {
    const values = read();
    this.refuse();
    return values;
  }

  /** Throws a ConfigError if anything is wrong. */
  refuse(): void {
    if (this.#lines.length > 0) throw new ConfigError(this.#lines);
  }
}

function valuesOf(
  names: readonly OptionName[],
  given: OptionLayer,
  problems: Problems,
): ValuesOf<typeof OPTIONS> {
  const values = names.map((name) => [
    name,
    problems.attempt<unknown>(() => valueOf(OPTIONS[name], given[name]), undefined),
  ]);
  return Object.fromEntries(values) as ValuesOf<typeof OPTIONS>;
}

function valueOf(definition: OptionDefinition<unknown>, given: Given | undefined): unknown {
  if (given === undefined) return definition.default;
  if (given.texts === true) return true;
  try {
    return definition.parse(given.texts);
  } catch (error) {
    throw new UsageError(`${given.source} ${(error as Error).message}`);
  }
}
