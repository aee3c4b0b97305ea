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
import { option } from './option.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { PROTOCOL_OPTIONS } from './protocol-options.ts';
import { REDIS_OPTIONS } from './redis-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const OPTIONS = {
  ...SERVICE_OPTIONS,
  ...ACCESS_OPTIONS,
  ...LIMIT_OPTIONS,
  ...REDIS_OPTIONS,
  dataFile: option<string | undefined>({
    flag: '--data-file',
    argument: '<path>',
    variable: 'GSLS_DATA_FILE',
    group: 'Registry',
    description: 'also keep the registry in memory in this file, so that it survives a restart',
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
    parse: integer(3, LONGEST_TTL_MS / 1000, 'seconds'),
  }),
  uniqueAddress: option({
    flag: '--unique-address',
    variable: 'GSLS_UNIQUE_ADDRESS',
    group: 'Registry',
    description: 'let a broadcast replace the entry with the same host, IP and port',
    default: false,
    parse: yesOrNo,
  }),
  detailsSchema: option<string | undefined>({
    flag: '--details-schema',
    argument: '<file>',
    variable: 'GSLS_DETAILS_SCHEMA',
    group: 'Registry',
    description: 'a JSON schema for the details of game servers, to require some or to narrow them',
    default: undefined,
    defaultText: 'none',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  noMassExpiryHold: option({
    flag: '--no-mass-expiry-hold',
    variable: 'GSLS_NO_MASS_EXPIRY_HOLD',
    group: 'Registry',
    description: 'let game servers expire even when most of them stop pinging at the same time',
    default: false,
    parse: yesOrNo,
  }),
  noWriteBack: option({
    flag: '--no-write-back',
    variable: 'GSLS_NO_WRITE_BACK',
    group: 'Redis',
    description: 'do not write game servers that Redis has lost back from the copy of this replica',
    default: false,
    parse: yesOrNo,
  }),
  maxWaiting: option({
    flag: '--max-waiting',
    argument: '<bytes>',
    variable: 'GSLS_MAX_WAITING',
    group: 'List',
    description:
      'how much memory answers may take while they wait for slow readers; beyond it the slowest are cut off',
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
      'how old a list may be before Redis is asked for changes; caches get the same limit, in whole seconds',
    default: 0,
    parse: integer(0, 60_000, 'milliseconds'),
  }),
  feedInterval: option({
    flag: '--feed-interval',
    argument: '<ms>',
    variable: 'GSLS_FEED_INTERVAL',
    group: 'List',
    description: 'how often a stream tells what has changed in the list, at most',
    default: 1000,
    parse: integer(100, 60_000, 'milliseconds'),
  }),
  corsOrigin: option<readonly string[]>({
    flag: '--cors-origin',
    argument: '<origins>',
    variable: 'GSLS_CORS_ORIGIN',
    group: 'Access',
    description:
      'the web pages that may read the list, query it and ask for the health: *, none, or origins separated by commas',
    default: ['*'],
    defaultText: '*',
    parse: one(parseOrigins),
  }),
  corsWriteOrigin: option<readonly string[]>({
    flag: '--cors-write-origin',
    argument: '<origins>',
    variable: 'GSLS_CORS_WRITE_ORIGIN',
    group: 'Access',
    description:
      'the web pages of other sites that may broadcast, ping and remove, for games that run in browsers: *, none, or origins separated by commas',
    default: [],
    defaultText: 'none',
    parse: one(parseOrigins),
  }),
  ...PAGE_OPTIONS,
  ...PROTOCOL_OPTIONS,
  ...DPMASTER_OPTIONS,
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
  logAddresses: option<AddressDetail>({
    flag: '--log-addresses',
    argument: '<detail>',
    variable: 'GSLS_LOG_ADDRESSES',
    group: 'Logs',
    description:
      'the addresses of clients in the log: full, masked (the /24 of IPv4, the /48 of IPv6) or none',
    default: 'full',
    parse: choice(...ADDRESS_DETAILS),
  }),
} as const;
