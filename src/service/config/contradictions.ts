/**
 * What is wrong with options that are right each for itself: those that exclude each other, and those that would have
 * no effect, because their giver expects what would not happen. One line each, which says what to do.
 */

import { tellsPlayers } from '../../api/reachability/probe-result.ts';
import type { OptionName } from './layers.ts';
import { OPTIONS } from './options.ts';
import type { ValuesOf } from './option.ts';

/** The options of what only a registry that takes writes has. */
const OF_WRITES: readonly OptionName[] = [
  'redis',
  'redisSentinel',
  'redisCluster',
  'dataFile',
  'ttl',
  'keepId',
  'uniqueAddress',
  'allowUnlisted',
  'requireServerToken',
  'tokenSecret',
  'tokenSecretFile',
  'verify',
  'verifySource',
  'publicAddressesOnly',
  'geoFile',
  'detailsSchema',
  'serverHistoryMost',
  'noMassExpiryHold',
  'maxServers',
  'maxServersPerAddress',
  'maxProtocolBytesPerAddress',
  'labels',
  'reportReasons',
  'moderatorHeader',
];

export interface Contradicting {
  readonly values: ValuesOf<typeof OPTIONS>;
  /** Whether requests need a key, and whether one may announce. */
  readonly keys: { readonly areNeeded: boolean; readonly mayAnnounce: boolean };
  /** Whether the registry is in Redis. */
  readonly isOnRedis: boolean;
  /** What set the option, as a complaint names it; undefined if nothing did. */
  readonly givenBy: (name: OptionName) => string | undefined;
}

export function* contradictionsIn(options: Contradicting): Generator<string> {
  const { values, isOnRedis, givenBy } = options;
  if (isOnRedis && values.dataFile !== undefined)
    yield '--data-file is for a registry in memory: it cannot be used with Redis, which keeps the registry itself';
  if (values.opsPort === values.port && values.port !== 0)
    yield '--ops-port must be another port than --port: give the operations port one of its own';
  if (
    values.beaconPort !== undefined &&
    [values.port, values.opsPort].some((port) => port === values.beaconPort && port !== 0)
  )
    yield '--beacon-port must be another port than --port and --ops-port: give the beacon one of its own';
  yield* beaconsForPages(options);
  yield* optionsWithoutEffect(options);
  yield* protocolsWithKey(options);
  yield* mirrorsWithWrites(options);
  if (values.workers > 1 && !isOnRedis)
    yield `${givenBy('workers')} needs --redis, --redis-sentinel or --redis-cluster as well: a registry in memory belongs to one process`;
}

function* optionsWithoutEffect({ values, keys, givenBy }: Contradicting): Generator<string> {
  const { publicRead, trustProxy, verify, opsPort, maxServers, maxServersPerAddress } = values;
  const { noPage, pageRedirect, protocols, dpmasterPort } = values;
  const { reportReasons, moderatorHeader, moderatorProxies } = values;
  const unless = function* (isMet: boolean, name: OptionName, what: string): Generator<string> {
    const given = givenBy(name);
    if (!isMet && given !== undefined) yield `${given} needs ${what}`;
  };
  yield* unless(
    keys.areNeeded || !publicRead,
    'publicRead',
    '--key or --key-file as well: without a key every client may read already',
  );
  for (const name of ['clientAddressHeader', 'proxyProtocol'] as const)
    yield* unless(trustProxy !== undefined, name, '--trust-proxy, which says from which proxies it counts');
  yield* unless(opsPort !== undefined, 'opsHost', '--ops-port, the port that it is for');
  for (const name of ['verifyNetworks', 'unverified'] as const)
    yield* unless(verify !== undefined, name, '--verify, which says how game servers are checked');
  yield* unless(tellsPlayers(verify), 'playersSeen', '--verify a2s or quake3, which see how many are there');
  yield* unless(
    maxServers !== undefined || maxServersPerAddress !== undefined,
    'quotaExempt',
    '--max-servers or --max-servers-per-address, the limits that it is an exception to',
  );
  yield* unless(
    protocols.length > 0 || dpmasterPort !== undefined,
    'maxProtocolBytesPerAddress',
    '--protocols or --dpmaster-port, the protocols that it is a limit of',
  );
  for (const name of ['reportNotes', 'reportHides'] as const)
    yield* unless(reportReasons.length > 0, name, '--report-reasons, which let readers report');
  yield* unless(
    moderatorProxies !== undefined,
    'moderatorHeader',
    '--moderator-proxies, which say from where it counts',
  );
  yield* unless(moderatorHeader !== undefined, 'moderatorProxies', '--moderator-header, which they may send');
  yield* unless(
    opsPort !== undefined,
    'moderatorHeader',
    '--ops-port, as it counts at the operations port alone',
  );
  for (const name of ['dpmasterHost', 'dpmasterGames', 'dpmasterProperties'] as const)
    yield* unless(dpmasterPort !== undefined, name, '--dpmaster-port, the port that it is for');
  const thePage = 'the page, which --no-page takes away';
  for (const name of [
    'pageTitle',
    'pageNotice',
    'pageMetaFilters',
    'pageRegions',
    'pageHideLabels',
    'publicUrl',
    'pageConnect',
    'pageAccent',
    'pageLogo',
    'pageEmbedOrigins',
  ] as const)
    yield* unless(!noPage, name, thePage);
  yield* unless(!noPage || !pageRedirect, 'pageRedirect', thePage);
}

/** A browser lets no page that came by https: ask a beacon by http:. */
function* beaconsForPages({ values, givenBy }: Contradicting): Generator<string> {
  const { beacons, publicUrl, noPage } = values;
  const insecure = beacons.find(({ url }) => url.startsWith('http:'));
  const given = givenBy('beacons');
  if (insecure !== undefined && given !== undefined && !noPage && publicUrl?.startsWith('https:'))
    yield `${given} names ${insecure.id} by http:, which the page at ${publicUrl} cannot ask: give it a URL by https:`;
}

/** What a mirror cannot do, as it takes no writes and has no state but that of its origins. */
function* mirrorsWithWrites({ values, isOnRedis, givenBy }: Contradicting): Generator<string> {
  const { mirrors, mirrorKeys, mirrorKeep, workers, dpmasterPort } = values;
  if (mirrors.length === 0) {
    const name = mirrorKeys.length > 0 ? 'mirrorKeys' : mirrorKeep === undefined ? undefined : 'mirrorKeep';
    const given = name && givenBy(name);
    if (given !== undefined) yield `${given} needs --mirrors, the origins that it is for`;
    return;
  }
  for (const name of OF_WRITES) {
    const given = givenBy(name);
    if (given !== undefined) yield `${given} is for a registry that takes writes, and a mirror takes none`;
  }
  if (dpmasterPort !== undefined)
    yield '--dpmaster-port cannot be used with --mirrors: the game servers of dpmaster are in the lists of their origins alone';
  if (workers > 1 && !isOnRedis)
    yield '--workers cannot be used with --mirrors: start several mirrors, which need nothing of each other';
  const unknown = mirrorKeys.find(({ name }) => !mirrors.some((mirror) => mirror.name === name));
  if (unknown !== undefined)
    yield `${givenBy('mirrorKeys') ?? '--mirror-keys'} names ${unknown.name}, which is no origin of --mirrors`;
}

/** Game servers that speak another protocol have no key to send. */
function* protocolsWithKey({ values, keys, givenBy }: Contradicting): Generator<string> {
  const { protocols, dpmasterPort } = values;
  const name = protocols.length > 0 ? 'protocols' : 'dpmasterPort';
  if ((protocols.length > 0 || dpmasterPort !== undefined) && keys.mayAnnounce)
    yield `${givenBy(name) ?? OPTIONS[name].flag} cannot be used with --key or --key-file, nor with a key that may announce: these protocols know no key, so run a registry without one for them`;
}
