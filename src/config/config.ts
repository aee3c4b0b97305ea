/**
 * The options: one table, from which come the parser, the help and the README's table. Flags and variables go
 * in, a frozen Config or a UsageError of one line comes out; the rest of the program never sees either source.
 */

import { didYouMean } from './did-you-mean.ts';
import { choice, integer, one, parseKey, parseName, parseOrigins, yesOrNo } from './option-parsers.ts';
import { option, readSecretFile, UsageError, type OptionDefinition, type ValuesOf } from './option.ts';
import { createRedisAddress, REDIS_OPTIONS } from './redis-options.ts';
import type { RedisAddress } from '../registry/redis/connection/redis-address.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const OPTIONS = {
  port: option({
    flag: '--port',
    argument: '<port>',
    variable: 'GSLS_PORT',
    group: 'Service',
    description: 'the port to listen on; 0 takes any free one',
    default: 53_600,
    parse: (texts) => {
      if (texts[0]?.startsWith('tcp://')) {
        throw new Error(
          'is set by Kubernetes for a Service named gsls: set enableServiceLinks: false in the pod',
        );
      }
      return integer(0, 65_535)(texts);
    },
  }),
  host: option({
    flag: '--host',
    argument: '<address>',
    variable: 'GSLS_HOST',
    group: 'Service',
    description: 'the address to listen on; :: means all, IPv4 too',
    default: '::',
    parse: one((text) => {
      if (/^[\w.:%-]+$/.test(text)) return text;
      throw new Error(`must be an address or a host name, not "${text}"`);
    }),
  }),
  key: option<readonly string[]>({
    flag: '--key',
    argument: '<key>',
    variable: 'GSLS_KEY',
    group: 'Access',
    description:
      'ask every request for this key; repeat it to accept several (others on the machine can see flags: rather use the variable or a file)',
    default: [],
    defaultText: 'no key needed',
    repeatable: true,
    parse: (texts) => texts.map(parseKey),
  }),
  keyFile: option<string | undefined>({
    flag: '--key-file',
    argument: '<path>',
    variable: 'GSLS_KEY_FILE',
    group: 'Access',
    description: 'a file with more keys to accept, one a line; a line that begins with # is a comment',
    default: undefined,
    defaultText: 'none',
    parse: one(String),
  }),
  ...REDIS_OPTIONS,
  dataFile: option<string | undefined>({
    flag: '--data-file',
    argument: '<path>',
    variable: 'GSLS_DATA_FILE',
    group: 'Registry',
    description: 'keep the registry in memory also in this file, so that it outlives the process',
    default: undefined,
    defaultText: 'none',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  registry: option({
    flag: '--registry',
    argument: '<name>',
    variable: 'GSLS_REGISTRY',
    group: 'Registry',
    description: 'the name of the registry, so that several can share one Redis',
    default: '',
    defaultText: 'unnamed',
    parse: one(parseName),
  }),
  ttl: option({
    flag: '--ttl',
    argument: '<seconds>',
    variable: 'GSLS_TTL',
    group: 'Registry',
    description: 'how long an entry lives after its last ping; game servers should ping three times as often',
    default: 60,
    parse: integer(3, 86_400, 'seconds'),
  }),
  uniqueAddress: option({
    flag: '--unique-address',
    variable: 'GSLS_UNIQUE_ADDRESS',
    group: 'Registry',
    description: 'let a broadcast replace the entry with the same host, IP and port',
    default: false,
    parse: yesOrNo,
  }),
  noMassExpiryHold: option({
    flag: '--no-mass-expiry-hold',
    variable: 'GSLS_NO_MASS_EXPIRY_HOLD',
    group: 'Registry',
    description: 'let game servers expire also when most of them fall silent together',
    default: false,
    parse: yesOrNo,
  }),
  noWriteBack: option({
    flag: '--no-write-back',
    variable: 'GSLS_NO_WRITE_BACK',
    group: 'Redis',
    description:
      'do not restore to Redis, from the copy of this replica, the game servers that Redis has lost',
    default: false,
    parse: yesOrNo,
  }),
  maxBody: option({
    flag: '--max-body',
    argument: '<bytes>',
    variable: 'GSLS_MAX_BODY',
    group: 'Service',
    description: 'the largest request body accepted',
    default: 16_384,
    parse: integer(1024, 1_048_576, 'bytes'),
  }),
  maxWaiting: option({
    flag: '--max-waiting',
    argument: '<bytes>',
    variable: 'GSLS_MAX_WAITING',
    group: 'List',
    description: 'how much of answers may wait in memory for slow readers, before the slowest are cut off',
    default: 268_435_456,
    parse: integer(1_048_576, 1_099_511_627_776, 'bytes'),
  }),
  maxStale: option({
    flag: '--max-stale',
    argument: '<seconds>',
    variable: 'GSLS_MAX_STALE',
    group: 'List',
    description: 'how long the last list is served while Redis is away',
    default: 3600,
    parse: integer(0, 604_800, 'seconds'),
  }),
  listMaxAge: option({
    flag: '--list-max-age',
    argument: '<ms>',
    variable: 'GSLS_LIST_MAX_AGE',
    group: 'List',
    description:
      'how old a list may be without asking Redis for changes; caches are told the same in whole seconds',
    default: 0,
    parse: integer(0, 60_000, 'milliseconds'),
  }),
  corsOrigin: option<readonly string[]>({
    flag: '--cors-origin',
    argument: '<origins>',
    variable: 'GSLS_CORS_ORIGIN',
    group: 'Access',
    description: 'whose pages may read the list and the health: *, none, or origins separated by commas',
    default: ['*'],
    defaultText: '*',
    parse: one(parseOrigins),
  }),
  drainDelay: option<number | undefined>({
    flag: '--drain-delay',
    argument: '<seconds>',
    variable: 'GSLS_DRAIN_DELAY',
    group: 'Service',
    description:
      'how long to go on serving after SIGTERM, as unhealthy, so that load balancers send nothing more by the end',
    default: undefined,
    defaultText: '3 with Redis, else 0',
    parse: integer(0, 300, 'seconds'),
  }),
  logLevel: option<(typeof LOG_LEVELS)[number]>({
    flag: '--log-level',
    argument: '<level>',
    variable: 'GSLS_LOG_LEVEL',
    group: 'Logs',
    description: `how much to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: choice(...LOG_LEVELS),
  }),
  logFormat: option<'json' | 'pretty' | undefined>({
    flag: '--log-format',
    argument: '<format>',
    variable: 'GSLS_LOG_FORMAT',
    group: 'Logs',
    description: 'json for programs, pretty for people',
    default: undefined,
    defaultText: 'pretty on a terminal, else json',
    parse: choice('json', 'pretty'),
  }),
} as const;

type OptionName = keyof typeof OPTIONS;

/** Every option with its value. Times and sizes in the unit of the option. */
export type Config = ValuesOf<typeof OPTIONS> & {
  /** Those of --key and --key-file together. */
  readonly authKeys: readonly string[];
  /** What the options about Redis come to; undefined for a registry in memory. */
  readonly redisAddress: RedisAddress | undefined;
};

/** What the command line gave: texts by option name, true for a switch. */
export type Flags = Readonly<Partial<Record<OptionName, readonly string[] | true>>>;

export interface ConfigSources {
  readonly flags: Flags;
  readonly environment: Readonly<NodeJS.Dict<string>>;
  /** Reads a text file. */
  readonly readFile: (path: string) => string;
}

/** Flag over variable over default; an empty variable counts as unset. Throws a UsageError. */
export function createConfig({ flags, environment, readFile }: ConfigSources): Config {
  refuseUnknownVariables(environment);
  const givenBy = (name: OptionName): string | undefined => {
    const { flag, variable } = OPTIONS[name];
    if (flags[name] !== undefined) return flag;
    return environment[variable] ? variable : undefined;
  };
  const valueOf = (name: OptionName): unknown => {
    const definition: OptionDefinition<unknown> = OPTIONS[name];
    const source = givenBy(name);
    if (source === undefined) return definition.default;
    const given = flags[name] ?? [environment[definition.variable]!];
    return given === true ? true : parseFrom(source, definition, given);
  };
  const names = Object.keys(OPTIONS) as OptionName[];
  const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as ValuesOf<typeof OPTIONS>;
  refuseDataFileOfRedis(values, names);
  const fromFile = values.keyFile === undefined ? [] : readKeys(values.keyFile, readFile);
  return Object.freeze({
    ...values,
    authKeys: [...values.key, ...fromFile],
    redisAddress: createRedisAddress({ values, givenBy, readFile }),
  });
}

function parseFrom<T>(source: string, definition: OptionDefinition<T>, texts: readonly string[]): T {
  try {
    return definition.parse(texts);
  } catch (error) {
    throw new UsageError(`${source} ${(error as Error).message}`);
  }
}

function refuseDataFileOfRedis(
  values: Readonly<Record<OptionName, unknown>>,
  names: readonly OptionName[],
): void {
  const isOnRedis = names.some((name) => name.startsWith('redis') && values[name] !== OPTIONS[name].default);
  if (isOnRedis && values.dataFile !== undefined)
    throw new UsageError(
      '--data-file keeps a registry in memory: it does not go with Redis, which keeps its own',
    );
}

/** A misspelt variable would silently leave its default, a registry in memory for example. */
function refuseUnknownVariables(environment: Readonly<NodeJS.Dict<string>>): void {
  const known = Object.values(OPTIONS).map(({ variable }) => variable);
  // Kubernetes sets GSLS_SERVICE_… and GSLS_PORT_… by itself next to a Service named gsls.
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('GSLS_') && !known.includes(name) && !/^GSLS_(SERVICE|PORT)_/.test(name),
  );
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is no variable of ours${didYouMean(unknown, known)}`);
}

function readKeys(path: string, readFile: (path: string) => string): string[] {
  const text = readSecretFile('key file', path, readFile);
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0)
    throw new UsageError(`the key file ${path} holds no key: without one everybody would be let in`);
  try {
    return keys.map(parseKey);
  } catch (error) {
    throw new UsageError(`a key in ${path} ${(error as Error).message}`);
  }
}
