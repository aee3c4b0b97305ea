/**
 * The configuration: flags and variables go in, a frozen Config or a UsageError of one line comes out. The rest of the
 * program never sees either source.
 */

import type { RedisAddress } from '../../registry/redis/connection/redis-address.ts';
import { readAdminKeys, readAuthKeys, readTokenSecrets, requireDistinct } from './access-keys.ts';
import { createRedisAddress } from './create-redis-address.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { readJson, type ReadFile } from './option-files.ts';
import type { OptionDefinition, ValuesOf } from './option.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { OPTIONS } from './options.ts';

export type OptionName = keyof typeof OPTIONS;

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
  readonly given: Readonly<Partial<Record<OptionName, Given>>>;
};

/** How an option was set. */
export interface Given {
  readonly by: 'flag' | 'variable';
  /** True for a switch. */
  readonly texts: readonly string[] | true;
}

/** The flags of the command line: texts by option name, true for a switch. */
export type Flags = Readonly<Partial<Record<OptionName, readonly string[] | true>>>;

export interface ConfigSources {
  readonly flags: Flags;
  readonly environment: Readonly<NodeJS.Dict<string>>;
  readonly readFile: ReadFile;
}

/** A flag wins over a variable, a variable over the default; an empty variable counts as unset. Throws a UsageError. */
export function createConfig({ flags, environment, readFile }: ConfigSources): Config {
  refuseUnknownVariables(environment);
  const names = Object.keys(OPTIONS) as OptionName[];
  const given: Partial<Record<OptionName, Given>> = {};
  for (const name of names) {
    const [ofFlag, ofVariable] = [flags[name], environment[OPTIONS[name].variable]];
    if (ofFlag !== undefined) given[name] = { by: 'flag', texts: ofFlag };
    else if (ofVariable) given[name] = { by: 'variable', texts: [ofVariable] };
  }
  const givenBy = (name: OptionName): string | undefined => {
    const by = given[name]?.by;
    return by && OPTIONS[name][by];
  };
  const valueOf = (name: OptionName): unknown => {
    const definition: OptionDefinition<unknown> = OPTIONS[name];
    const texts = given[name]?.texts;
    if (texts === undefined) return definition.default;
    return texts === true ? true : parseFrom(givenBy(name)!, definition, texts);
  };
  const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as ValuesOf<typeof OPTIONS>;
  refuseDataFileOfRedis(values, names);
  if (values.opsPort === values.port && values.port !== 0)
    throw new UsageError(
      '--ops-port must be another port than --port: give the operations port one of its own',
    );
  const authKeys = readAuthKeys(values, readFile);
  const adminKeys = readAdminKeys(values, readFile);
  requireDistinct(authKeys, adminKeys);
  refuseWithoutEffect({ ...values, authKeys }, givenBy);
  refuseProtocolsWithKey({ ...values, authKeys }, givenBy);
  const redisAddress = createRedisAddress({ values, givenBy, readFile });
  if (values.workers > 1 && redisAddress === undefined)
    throw new UsageError(
      `${givenBy('workers')} needs --redis, --redis-sentinel or --redis-cluster as well: a registry in memory belongs to one process`,
    );
  return Object.freeze({
    ...values,
    authKeys,
    adminKeys,
    tokenSecrets: readTokenSecrets(values, readFile),
    detailsSchemaJson:
      values.detailsSchema === undefined
        ? undefined
        : readJson('details schema', values.detailsSchema, readFile),
    redisAddress,
    given: Object.freeze(given),
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
      '--data-file is for a registry in memory: it cannot be used with Redis, which keeps the registry itself',
    );
}

/** An option that needs another one: its giver expects what would not happen. */
function refuseWithoutEffect(
  values: ValuesOf<typeof OPTIONS> & Pick<Config, 'authKeys'>,
  givenBy: (name: OptionName) => string | undefined,
): void {
  const { publicRead, authKeys, trustProxy, verify, opsPort, maxServers, maxServersPerAddress } = values;
  const { noPage, pageRedirect, protocols, dpmasterPort } = values;
  const needs = (isMet: boolean, name: OptionName, what: string): void => {
    const given = givenBy(name);
    if (!isMet && given !== undefined) throw new UsageError(`${given} needs ${what}`);
  };
  const isLimited = maxServers !== undefined || maxServersPerAddress !== undefined;
  const hasKey = authKeys.length > 0 || !publicRead;
  needs(hasKey, 'publicRead', '--key or --key-file as well: without a key every client may read already');
  needs(
    trustProxy !== undefined,
    'clientAddressHeader',
    '--trust-proxy, which says from which proxies it counts',
  );
  needs(opsPort !== undefined, 'opsHost', '--ops-port, the port that it is for');
  for (const name of ['verifyNetworks', 'unverified'] as const)
    needs(verify !== undefined, name, '--verify, which says how game servers are checked');
  needs(
    isLimited,
    'quotaExempt',
    '--max-servers or --max-servers-per-address, the limits that it is an exception to',
  );
  needs(
    protocols.length > 0 || dpmasterPort !== undefined,
    'maxProtocolBytesPerAddress',
    '--protocols or --dpmaster-port, the protocols that it is a limit of',
  );
  for (const name of ['dpmasterHost', 'dpmasterGames', 'dpmasterProperties'] as const)
    needs(dpmasterPort !== undefined, name, '--dpmaster-port, the port that it is for');
  const thePage = 'the page, which --no-page takes away';
  for (const name of [
    'pageTitle',
    'pageNotice',
    'pageMetaFilters',
    'pageRegions',
    'publicUrl',
    'pageConnect',
    'pageAccent',
    'pageLogo',
    'pageEmbedOrigins',
  ] as const)
    needs(!noPage, name, thePage);
  needs(!noPage || !pageRedirect, 'pageRedirect', thePage);
}

/** Game servers that speak another protocol have no key to send. */
function refuseProtocolsWithKey(
  { protocols, dpmasterPort, authKeys }: Pick<Config, 'protocols' | 'dpmasterPort' | 'authKeys'>,
  givenBy: (name: OptionName) => string | undefined,
): void {
  const given = givenBy(protocols.length > 0 ? 'protocols' : 'dpmasterPort');
  if ((protocols.length > 0 || dpmasterPort !== undefined) && authKeys.length > 0)
    throw new UsageError(
      `${given} cannot be used with --key or --key-file: these protocols know no key, so run a service without one for them`,
    );
}

/** A misspelt variable would silently leave the default in place, for example a registry in memory. */
function refuseUnknownVariables(environment: Readonly<NodeJS.Dict<string>>): void {
  const known = Object.values(OPTIONS).map(({ variable }) => variable);
  // GSLS_ANNOUNCE_… are those of `gsls announce`, which looks after them itself.
  // Kubernetes sets GSLS_SERVICE_… and GSLS_PORT_… by itself next to a Service named gsls, likewise for gsls-ops and
  // gsls-dpmaster.
  const unknown = Object.keys(environment).find(
    (name) =>
      name.startsWith('GSLS_') &&
      !known.includes(name) &&
      !/^GSLS_(ANNOUNCE_|((OPS|DPMASTER)_)?(SERVICE|PORT)_)/.test(name),
  );
  if (unknown !== undefined) throw new UsageError(`unknown variable ${unknown}${didYouMean(unknown, known)}`);
}
