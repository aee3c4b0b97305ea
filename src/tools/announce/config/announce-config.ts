/**
 * The configuration of `gsls announce`, compiled once: words, variables and a file go in, frozen settings of each game
 * server or a UsageError of one line come out. A word or variable counts for every game server of a file that has no
 * value of its own; the defaults at the top of the file count last.
 */

import type { SaidDetails } from '../../../model/fields/detail-fields.ts';
import type { ANNOUNCE_OPTIONS } from './announce-options.ts';
import {
  inFile,
  OF_ONE,
  readGameServers,
  SOURCES,
  given,
  layerOfVariables,
  layerOfWords,
  nameOf,
  refuseUnknownVariables,
  valueOf,
  type AnnounceOptionName,
  type GivenTexts,
  type Layer,
} from './announce-layers.ts';
import type { Query } from './announce-parsers.ts';
import { readLines, type ReadFile } from '../../../service/config/option-files.ts';
import type { ValuesOf } from '../../../service/config/option.ts';
import { UsageError } from '../../../runtime/usage-error.ts';

export interface ServiceSettings {
  /** The address as it was written. */
  readonly url: string;
  readonly key: string | undefined;
}

/** The source from which the fields of a game server come. */
export type SourceSettings =
  | ({ readonly is: 'query' } & Query)
  | { readonly is: 'exec'; readonly command: readonly string[] }
  | { readonly is: 'state'; readonly path: string; readonly maxAgeMs: number };

/** One game server, and the fields that a person sets for it. */
export interface GameServerSettings {
  readonly source: SourceSettings;
  readonly services: readonly ServiceSettings[];
  readonly queryIntervalMs: number;
  readonly queryTimeoutMs: number;
  /** The name by which tokens are found: the same after each start, and different for each game server. */
  readonly identity: string;
  readonly host: string;
  /** Whether nobody has named a host: it is the name of this machine. */
  readonly isHostOfMachine: boolean;
  readonly port: number;
  /** An address, or `auto`. */
  readonly ip: string;
  readonly name: string | undefined;
  readonly maxPlayers: number | undefined;
  readonly details: SaidDetails;
  readonly isUnlisted: boolean;
}

export interface AnnounceConfig extends Pick<
  ValuesOf<typeof ANNOUNCE_OPTIONS>,
  | 'tokenDir'
  | 'noMeasure'
  | 'removeForGood'
  | 'once'
  | 'dryRun'
  | 'opsPort'
  | 'opsHost'
  | 'logLevel'
  | 'logFormat'
> {
  /** At least one. */
  readonly gameServers: readonly GameServerSettings[];
}

export interface AnnounceSources {
  /** The options of the command line. */
  readonly flags: GivenTexts;
  readonly environment: Readonly<NodeJS.Dict<string>>;
  readonly readFile: ReadFile;
  /** The name of this machine, which stands in for a host name that no option sets. */
  readonly hostName: string;
}

const TIMEOUT_MS = 1000;
const EXEC_TIMEOUT_MS = 3000;
/** The least time between the end of a look and the next one. */
const SPARE_MS = 100;

/** Throws a UsageError. */
export function createAnnounceConfig(sources: AnnounceSources): AnnounceConfig {
  const { flags, environment, readFile } = sources;
  refuseUnknownVariables(environment);
  const own = [layerOfWords(flags), layerOfVariables(environment)];
  const path = valueOf('config', own);
  if (path === undefined) return freeze(own, [gameServerOf(own, sources)]);
  for (const option of OF_ONE)
    if (given(option, own) !== undefined)
      throw new UsageError(
        `${nameOf(option, own)} cannot be used with ${nameOf('config', own)}: each game server of the file has its own`,
      );
  const { defaults, servers } = readGameServers(path, readFile);
  const all = [...own, defaults];
  const gameServers = servers.map((server, at) =>
    inFile(`${path}, game server ${at + 1}`, () => gameServerOf([server, ...all], sources)),
  );
  refuseTwins(gameServers, path);
  return freeze(all, gameServers);
}

function freeze(layers: readonly Layer[], gameServers: readonly GameServerSettings[]): AnnounceConfig {
  const value = <Name extends AnnounceOptionName>(name: Name) => valueOf(name, layers);
  if (value('opsPort') === undefined && given('opsHost', layers) !== undefined)
    throw new UsageError(`${nameOf('opsHost', layers)} needs --ops-port, the port that it is for`);
  if (value('once') && value('dryRun'))
    throw new UsageError('--once and --dry-run exclude each other: --dry-run sends nothing');
  return Object.freeze({
    gameServers,
    tokenDir: value('tokenDir'),
    noMeasure: value('noMeasure'),
    removeForGood: value('removeForGood'),
    once: value('once'),
    dryRun: value('dryRun'),
    opsPort: value('opsPort'),
    opsHost: value('opsHost'),
    logLevel: value('logLevel'),
    logFormat: value('logFormat'),
  });
}

function gameServerOf(layers: readonly Layer[], { readFile, hostName }: AnnounceSources): GameServerSettings {
  const value = <Name extends AnnounceOptionName>(name: Name) => valueOf(name, layers);
  const source = sourceOf(layers);
  const query = source.is === 'query' ? source.target : undefined;
  const port = value('port') ?? query?.port;
  if (port === undefined)
    throw new UsageError(`--${source.is} needs --port as well: the port that players connect to`);
  const host = value('host') ?? (query !== undefined && !isLocal(query.host) ? query.host : undefined);
  const queryIntervalMs = 1000 * value('queryInterval');
  const queryTimeoutMs =
    value('queryTimeout') ??
    Math.min(source.is === 'exec' ? EXEC_TIMEOUT_MS : TIMEOUT_MS, queryIntervalMs - SPARE_MS);
  if (queryTimeoutMs >= queryIntervalMs)
    throw new UsageError(
      `${nameOf('queryTimeout', layers)} must be shorter than the ${queryIntervalMs / 1000} s of --query-interval`,
    );
  const [region, tags, meta] = [value('region'), value('tags'), value('meta')];
  return Object.freeze({
    source,
    services: servicesOf(layers, readFile),
    queryIntervalMs,
    queryTimeoutMs,
    identity: `${host ?? query?.host ?? ''}:${port}`,
    host: host ?? hostName,
    isHostOfMachine: host === undefined,
    port,
    ip: value('ip'),
    name: value('name'),
    maxPlayers: value('maxPlayers'),
    details: {
      ...value('details'),
      ...Object.fromEntries(Object.entries({ region, tags, meta }).filter(([, each]) => each !== undefined)),
    },
    isUnlisted: value('unlisted'),
  });
}

function sourceOf(layers: readonly Layer[]): SourceSettings {
  const named = SOURCES.filter((name) => given(name, layers) !== undefined);
  if (named.length === 0)
    throw new UsageError(
      'announce needs --query a2s|quake3|minecraft|teeworlds HOST:PORT, --exec, --state or --config: where the game server says what it is',
    );
  if (named.length > 1)
    throw new UsageError(
      `${named.map((name) => nameOf(name, layers)).join(' and ')} exclude each other: a game server has one source`,
    );
  const [is] = named;
  if (is !== 'state' && given('stateMaxAge', layers.slice(0, 1)) !== undefined)
    throw new UsageError(`${nameOf('stateMaxAge', layers)} needs --state, the file that it is for`);
  if (is === 'query') return { is, ...valueOf('query', layers)! };
  if (is === 'exec') return { is, command: valueOf('exec', layers)! };
  const maxAgeS = valueOf('stateMaxAge', layers);
  return {
    is: 'state',
    path: valueOf('state', layers)!,
    maxAgeMs: maxAgeS === 0 ? Infinity : 1000 * maxAgeS,
  };
}

function servicesOf(layers: readonly Layer[], readFile: ReadFile): readonly ServiceSettings[] {
  const urls = valueOf('to', layers);
  if (urls.length === 0)
    throw new UsageError('announce needs --to, the URL of a service, like --to https://gsls.example.com');
  // A game server of the file may have a key of its own beside that of a variable.
  const from = layers.findIndex(
    (layer) => layer.given.key !== undefined || layer.given.keyFile !== undefined,
  );
  const nearest = layers.slice(from, from + 1);
  const [key, keyFile] = [valueOf('key', nearest), valueOf('keyFile', nearest)];
  if (key !== undefined && keyFile !== undefined)
    throw new UsageError(
      `${nameOf('key', nearest)} and ${nameOf('keyFile', nearest)} exclude each other: a service gets one key`,
    );
  const [ofFile] =
    keyFile === undefined
      ? []
      : readLines('key file', keyFile, readFile, 'no service that needs one lets us in');
  return urls.map((url) => ({ url, key: key ?? ofFile }));
}

function isLocal(host: string): boolean {
  return /^(localhost|127\.[\d.]+|::1|0\.0\.0\.0|::)$/i.test(host);
}

/** Throws for two game servers with the same token file: they would fight over one entry. */
function refuseTwins(gameServers: readonly GameServerSettings[], path: string): void {
  const seen = new Map<string, number>();
  for (const [at, { identity, services }] of gameServers.entries())
    for (const { url } of services) {
      const earlier = seen.get(`${identity} ${url}`);
      seen.set(`${identity} ${url}`, at);
      if (earlier === undefined) continue;
      throw new UsageError(
        `${path}: the game servers ${earlier + 1} and ${at + 1} have the same host and port: give one of them another "port" or "host"`,
      );
    }
}
