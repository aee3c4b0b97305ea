/**
 * The table of all options. The parser of the command line, the help, the configuration and the documentation come from
 * it.
 */

import { ADDRESS_DETAILS, type AddressDetail } from '../../model/net/address-mask.ts';
import { LONGEST_KEEP_ID_MS, LONGEST_TTL_MS, USUAL_KEEP_ID_MS } from '../../registry/lifetime.ts';
import type { Beacon } from '../../model/near.ts';
import { ACCESS_OPTIONS } from './access-options.ts';
import { parseBeacons } from './beacon-parsers.ts';
import { LIMIT_OPTIONS } from './limit-options.ts';
import { amount, choice, integer, one, parseFilePath, parseName, parseOrigins } from './option-parsers.ts';
import { parseMirrorKeys, parseMirrors, type NamedKey, type NamedUrl } from './mirror-parsers.ts';
import { MODERATION_OPTIONS } from './moderation-options.ts';
import { namedOptions, optionsIn } from './option.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { PROTOCOL_OPTIONS } from './protocol-options.ts';
import { REDIS_OPTIONS } from './redis-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const registry = optionsIn('Registry', { scope: 'registry' });
const store = optionsIn('Registry');
const redis = optionsIn('Redis');
const list = optionsIn('List', { scope: 'registry' });
const waiting = optionsIn('List');
const access = optionsIn('Access', { scope: 'registry' });
const logs = optionsIn('Logs');

export const OPTIONS = namedOptions({
  ...SERVICE_OPTIONS,
  ...ACCESS_OPTIONS,
  ...LIMIT_OPTIONS,
  ...MODERATION_OPTIONS,
  ...REDIS_OPTIONS,
  dataFile: store<string | undefined>({
    argument: '<path>',
    description: 'also keep the registry in memory in this file, so that it survives a restart',
    parse: one(parseFilePath),
  }),
  registry: store({
    argument: '<name>',
    description: 'the name of the registry, so that several can share one Redis',
    default: '',
    defaultText: 'unnamed',
    parse: one(parseName),
  }),
  ttl: registry({
    ...amount(3, LONGEST_TTL_MS / 1000, 'seconds'),
    description: 'how long an entry lives after its last ping; game servers should ping three times as often',
    default: 60,
  }),
  keepId: registry({
    ...amount(0, LONGEST_KEEP_ID_MS / 1000, 'seconds'),
    description:
      'how long a game server that left with keep_id can come back under its id; it counts in quotas meanwhile; 0 removes it for good',
    default: USUAL_KEEP_ID_MS / 1000,
  }),
  serverHistoryMost: registry({
    argument: '<count>',
    parse: integer(0, 1_000_000),
    description:
      'how many game servers may have a history of their own, kept for 30 days; further ones get none; 0 keeps none',
    default: 100_000,
  }),
  uniqueAddress: registry('let a broadcast replace the entry with the same host, IP and port'),
  detailsSchema: registry<string | undefined>({
    argument: '<file>',
    description: 'a JSON schema for the details of game servers, to require some or to narrow them',
    parse: one(parseFilePath),
  }),
  noMassExpiryHold: registry('let game servers expire even when most of them stop pinging at the same time'),
  mirrors: registry<readonly NamedUrl[]>({
    argument: '<origins>',
    description:
      'be a mirror: hand out the lists of these registries as one, and take no writes; URLs separated by commas, each with a name for readers if it is to have one: eu=https://eu.example.com',
    default: [],
    repeatable: true,
    parse: parseMirrors,
  }),
  mirrorKeys: registry<readonly NamedKey[]>({
    argument: '<keys>',
    description: 'the keys by which a mirror reads its origins, by their names: eu=secret,us=other',
    default: [],
    repeatable: true,
    secret: true,
    parse: parseMirrorKeys,
  }),
  mirrorKeep: registry<string | undefined>({
    argument: '<path>',
    description:
      'the file in which a mirror keeps its last list, which it hands out after a restart while all origins are away',
    parse: one(parseFilePath),
  }),
  noWriteBack: redis('do not write game servers that Redis has lost back from the copy of this replica'),
  maxWaiting: waiting({
    ...amount(1_048_576, 1_099_511_627_776, 'bytes'),
    description:
      'how much memory answers may take while they wait for slow readers; beyond it the slowest are cut off',
    default: 268_435_456,
  }),
  maxStale: list({
    ...amount(0, 604_800, 'seconds'),
    description: 'how long the last list is served while Redis is away',
    default: 3600,
  }),
  listMaxAge: list({
    ...amount(0, 60_000, 'milliseconds'),
    description:
      'how old a list may be before Redis is asked for changes; caches get the same limit, in whole seconds',
    default: 0,
  }),
  beacons: list<readonly Beacon[]>({
    argument: '<json>',
    description:
      'fixed points whose distance game servers and readers measure, so that a list can begin with the nearest: {"fra": {"url": "https://fra.example.com", "place": "Frankfurt", "latency": {"nyc": 82}}}',
    default: [],
    parse: one(parseBeacons),
  }),
  feedInterval: list({
    ...amount(100, 60_000, 'milliseconds'),
    description: 'how often a stream tells what has changed in the list, at most',
    default: 1000,
  }),
  corsOrigin: access<readonly string[]>({
    argument: '<origins>',
    description:
      'the web pages that may read the list, query it and ask for the health: *, none, or origins separated by commas',
    default: ['*'],
    defaultText: '*',
    parse: one(parseOrigins),
  }),
  corsWriteOrigin: access<readonly string[]>({
    argument: '<origins>',
    description:
      'the web pages of other sites that may broadcast, ping and remove, for games that run in browsers: *, none, or origins separated by commas',
    default: [],
    parse: one(parseOrigins),
  }),
  ...PAGE_OPTIONS,
  ...PROTOCOL_OPTIONS,
  logLevel: logs<(typeof LOG_LEVELS)[number]>({
    argument: '<level>',
    description: `how much to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: choice(...LOG_LEVELS),
  }),
  logFormat: logs<'json' | 'pretty' | undefined>({
    argument: '<format>',
    description: 'json for programs, pretty for people',
    defaultText: 'pretty on a terminal, else json',
    parse: choice('json', 'pretty'),
  }),
  logAddresses: logs<AddressDetail>({
    argument: '<detail>',
    description:
      'the addresses of clients in the log: full, masked (the /24 of IPv4, the /48 of IPv6) or none',
    default: 'full',
    parse: choice(...ADDRESS_DETAILS),
  }),
});
