/**
 * The table of all options. The parser of the command line, the help, the configuration and the documentation come from
 * it.
 */

import { ADDRESS_DETAILS, type AddressDetail } from '../registry/address-mask.ts';
import { LONGEST_TTL_MS } from '../registry/lifetime.ts';
import { ACCESS_OPTIONS } from './access-options.ts';
import { DPMASTER_OPTIONS } from './dpmaster-options.ts';
import { LIMIT_OPTIONS } from './limit-options.ts';
import { choice, integer, one, parseName, parseOrigins, yesOrNo } from './option-parsers.ts';
import { optionsIn } from './option.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { PROTOCOL_OPTIONS } from './protocol-options.ts';
import { REDIS_OPTIONS } from './redis-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const registry = optionsIn('Registry');
const redis = optionsIn('Redis');
const list = optionsIn('List');
const access = optionsIn('Access');
const logs = optionsIn('Logs');

export const OPTIONS = {
  ...SERVICE_OPTIONS,
  ...ACCESS_OPTIONS,
  ...LIMIT_OPTIONS,
  ...REDIS_OPTIONS,
  dataFile: registry<string | undefined>({
    flag: '--data-file',
    argument: '<path>',
    description: 'also keep the registry in memory in this file, so that it survives a restart',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  registry: registry({
    flag: '--registry',
    argument: '<name>',
    description: 'the name of the registry, so that several can share one Redis',
    default: '',
    defaultText: 'unnamed',
    parse: one(parseName),
  }),
  ttl: registry({
    flag: '--ttl',
    argument: '<seconds>',
    description: 'how long an entry lives after its last ping; game servers should ping three times as often',
    default: 60,
    parse: integer(3, LONGEST_TTL_MS / 1000, 'seconds'),
  }),
  uniqueAddress: registry({
    flag: '--unique-address',
    description: 'let a broadcast replace the entry with the same host, IP and port',
    default: false,
    parse: yesOrNo,
  }),
  detailsSchema: registry<string | undefined>({
    flag: '--details-schema',
    argument: '<file>',
    description: 'a JSON schema for the details of game servers, to require some or to narrow them',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  noMassExpiryHold: registry({
    flag: '--no-mass-expiry-hold',
    description: 'let game servers expire even when most of them stop pinging at the same time',
    default: false,
    parse: yesOrNo,
  }),
  noWriteBack: redis({
    flag: '--no-write-back',
    description: 'do not write game servers that Redis has lost back from the copy of this replica',
    default: false,
    parse: yesOrNo,
  }),
  maxWaiting: list({
    flag: '--max-waiting',
    argument: '<bytes>',
    description:
      'how much memory answers may take while they wait for slow readers; beyond it the slowest are cut off',
    default: 268_435_456,
    parse: integer(1_048_576, 1_099_511_627_776, 'bytes'),
  }),
  maxStale: list({
    flag: '--max-stale',
    argument: '<seconds>',
    description: 'how long the last list is served while Redis is away',
    default: 3600,
    parse: integer(0, 604_800, 'seconds'),
  }),
  listMaxAge: list({
    flag: '--list-max-age',
    argument: '<ms>',
    description:
      'how old a list may be before Redis is asked for changes; caches get the same limit, in whole seconds',
    default: 0,
    parse: integer(0, 60_000, 'milliseconds'),
  }),
  feedInterval: list({
    flag: '--feed-interval',
    argument: '<ms>',
    description: 'how often a stream tells what has changed in the list, at most',
    default: 1000,
    parse: integer(100, 60_000, 'milliseconds'),
  }),
  corsOrigin: access<readonly string[]>({
    flag: '--cors-origin',
    argument: '<origins>',
    description:
      'the web pages that may read the list, query it and ask for the health: *, none, or origins separated by commas',
    default: ['*'],
    defaultText: '*',
    parse: one(parseOrigins),
  }),
  corsWriteOrigin: access<readonly string[]>({
    flag: '--cors-write-origin',
    argument: '<origins>',
    description:
      'the web pages of other sites that may broadcast, ping and remove, for games that run in browsers: *, none, or origins separated by commas',
    default: [],
    defaultText: 'none',
    parse: one(parseOrigins),
  }),
  ...PAGE_OPTIONS,
  ...PROTOCOL_OPTIONS,
  ...DPMASTER_OPTIONS,
  logLevel: logs<(typeof LOG_LEVELS)[number]>({
    flag: '--log-level',
    argument: '<level>',
    description: `how much to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: choice(...LOG_LEVELS),
  }),
  logFormat: logs<'json' | 'pretty' | undefined>({
    flag: '--log-format',
    argument: '<format>',
    description: 'json for programs, pretty for people',
    defaultText: 'pretty on a terminal, else json',
    parse: choice('json', 'pretty'),
  }),
  logAddresses: logs<AddressDetail>({
    flag: '--log-addresses',
    argument: '<detail>',
    description:
      'the addresses of clients in the log: full, masked (the /24 of IPv4, the /48 of IPv6) or none',
    default: 'full',
    parse: choice(...ADDRESS_DETAILS),
  }),
} as const;
