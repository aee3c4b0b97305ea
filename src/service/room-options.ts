/**
 * The place where configuration ends: each room of a service gets options of its own, made from the Config here. No
 * room knows a flag, and none is handed what belongs to another.
 */

import type { VerifyOptions } from '../api/reachability/verification.ts';
import { BeaconMap } from '../model/near.ts';
import { createTextMask } from '../model/net/address-mask.ts';
import type { ProtocolOptions } from '../protocols/protocol.ts';
import type { NamedOrigin } from '../registry/mirror/mirror-registry.ts';
import { LABELS } from '../registry/decisions/rule-fields.ts';
import { NO_QUOTAS, type Quotas, type RegistryRules } from '../registry/registry-rules.ts';
import type { Config, KeysThere } from './config/config.ts';
import { keysFor } from './deployment/keys-in-file.ts';

/** The options of every room. */
export type RoomOptions = ReturnType<typeof roomOptionsOf>;

/** `keys`: those of the registry. `path`: where it is among several. */
export function roomOptionsOf(config: Config, keys: KeysThere = keysFor([], '', config), path?: string) {
  const { allowUnlisted, publicAddressesOnly, requireServerToken, uniqueAddress, verifySource } = config;
  const verify = verifyOptionsOf(config);
  const registry = registryRulesOf(config, verify);
  const beacons = config.beacons.length === 0 ? undefined : new BeaconMap(config.beacons);
  const reports = {
    reasons: config.reportReasons,
    takesNotes: config.reportNotes,
    hides: config.reportHides,
  };
  return {
    registry,
    http: {
      cors: { reading: config.corsOrigin, writing: config.corsWriteOrigin },
      maxBodyBytes: config.maxBody,
      logsAnswers: config.logLevel === 'debug' || config.logLevel === 'trace',
    },
    writes: { requireServerToken, allowUnlisted, verifySource, publicAddressesOnly, verify, beacons },
    lists: { pageRedirect: config.pageRedirect },
    beacons,
    find: { allowUnlisted, beacons },
    changes: {
      most: config.maxStreams,
      mostPerAddress: config.maxStreamsPerAddress,
      intervalMs: config.feedInterval,
      maxWaitingBytes: config.maxWaiting,
    },
    doctor: { publicAddressesOnly, verify, trustedProxies: config.trustProxy },
    moderation: {
      isOpen: keys.mayModerate || config.moderatorHeader !== undefined,
      verify,
      labels: [...LABELS, ...config.labels],
      reports,
    },
    desk: { isProxied: config.moderatorHeader !== undefined, path: path ? `${path}/` : '' },
    reports,
    docs: {
      needsKey: keys.areNeeded,
      publicRead: config.publicRead,
      allowUnlisted,
      reportReasons: config.reportReasons,
      hasStreams: config.maxStreams > 0,
      requireServerToken,
      verifySource,
      uniqueAddress,
      hasQuotas: registry.quotas !== undefined,
      hasDetailsSchema: config.detailsSchemaJson !== undefined,
      verifies: verify.kind !== undefined,
      openToAllPages: config.corsWriteOrigin.includes('*'),
      redirectsBrowsers: config.pageRedirect,
      hasBeacons: beacons !== undefined,
    },
    browse: {
      hasPage: !config.noPage,
      embedOrigins: config.pageEmbedOrigins,
      beaconUrls: config.beacons.map(({ url }) => url),
      settings: {
        path: path ? `${path}/` : '',
        title: config.pageTitle,
        notice: config.pageNotice ?? null,
        connect: config.pageConnect ?? null,
        json: config.pageRedirect ? 'servers' : './',
        metaFilters: config.pageMetaFilters,
        regions: config.pageRegions,
        publicUrl: config.publicUrl,
        hasJoinCodes: allowUnlisted,
        hiddenLabels: config.pageHideLabels,
        reportReasons: config.reportReasons,
        reportNotes: config.reportNotes,
        hasServerHistories: config.serverHistoryMost > 0 && config.mirrors.length === 0,
        hasBeacons: beacons !== undefined,
        accent: config.pageAccent,
      },
    },
    protocols: protocolOptionsOf(config, registry),
    mirror: { origins: originsOf(config), protocols: config.protocols },
  };
}

/** The origins of a mirror, each with the key by which it is read; none for a registry that is no mirror. */
export function originsOf({ mirrors, mirrorKeys }: Config): readonly NamedOrigin[] {
  return mirrors.map(({ name, url }) => ({
    name,
    url,
    key: mirrorKeys.find((each) => each.name === name)?.key,
  }));
}

function verifyOptionsOf({ verify: kind, unverified, verifyNetworks, logAddresses }: Config): VerifyOptions {
  return {
    kind,
    hidesUnreached: kind !== undefined && unverified === 'hide',
    isNamed: (ip) => verifyNetworks?.has(ip) ?? false,
    maskText: createTextMask(logAddresses),
  };
}

/** The rules that a registry goes by, whatever keeps it. */
function registryRulesOf(config: Config, { hidesUnreached }: VerifyOptions): RegistryRules {
  const isLimited = config.maxServers !== undefined || config.maxServersPerAddress !== undefined;
  return {
    uniqueAddress: config.uniqueAddress,
    verifySource: config.verifySource,
    hidesUnreached,
    showsSeenPlayers: config.playersSeen,
    holdMassExpiry: !config.noMassExpiryHold,
    serverHistoryMost: config.serverHistoryMost,
    maxDocumentBytesPerAddress: config.maxProtocolBytesPerAddress,
    ...(isLimited && { quotas: quotasOf(config) }),
  };
}

/** How many entries there may be. */
export function quotasOf({ maxServers, maxServersPerAddress, quotaExempt }: Config): Quotas {
  return {
    maxServers: maxServers ?? Infinity,
    maxServersPerAddress: maxServersPerAddress ?? Infinity,
    isExempt: (address) => quotaExempt?.has(address) ?? false,
  };
}

function protocolOptionsOf(config: Config, { quotas = NO_QUOTAS }: RegistryRules): ProtocolOptions {
  const { dpmasterPort: port, rateLimit } = config;
  return {
    names: [...config.protocols, ...(port === undefined ? [] : ['dpmaster'])],
    publicAddressesOnly: config.publicAddressesOnly,
    workers: config.workers,
    dpmaster: {
      addresses: config.dpmasterHost,
      port,
      games: config.dpmasterGames,
      properties: config.dpmasterProperties,
      lists: rateLimit.find(({ kind }) => kind === 'list'),
      answers: rateLimit.find(({ kind }) => kind === 'ping'),
      quotas,
    },
  };
}
