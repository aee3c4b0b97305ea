/** The table of the options that limit what clients may do, and what a replica does when they are too many. */

import { parseNetworks, type Networks } from '../../model/net/networks.ts';
import { integer, one } from './option-parsers.ts';
import { optionsIn } from './option.ts';
import { didYouMean } from '../../model/did-you-mean.ts';

const option = optionsIn('Limits', { scope: 'registry' });
const ofProcess = optionsIn('Limits');

export const LIMIT_OPTIONS = {
  maxServers: option<number | undefined>({
    argument: '<count>',
    description: 'how many game servers may be listed or have just expired',
    defaultText: 'no limit',
    parse: integer(1, 1_000_000_000),
  }),
  maxServersPerAddress: option<number | undefined>({
    argument: '<count>',
    description:
      'how many of them one client address may have broadcast; IPv6 counts by its /64 network (behind a load balancer see --trust-proxy)',
    defaultText: 'no limit',
    parse: integer(1, 1_000_000_000),
  }),
  quotaExempt: option<Networks | undefined>({
    argument: '<networks>',
    description:
      'the clients for which neither of these limits holds, such as a fleet of your own: networks, as for --trust-proxy',
    parse: one(parseNetworks),
  }),
  rateLimit: option<readonly RateLimitOption[]>({
    argument: '<limits>',
    description:
      'how many requests a client address may send, such as broadcast=30/m,ping=240/m: of broadcast, ping, remove, list, join, doctor and report, per second /s, minute /m or hour /h',
    default: [],
    defaultText: 'doctor=30/m, join=30/m with --allow-unlisted, and report=10/m with --report-reasons',
    parse: one(parseRateLimits),
  }),
  maxConnections: ofProcess<number | undefined>({
    argument: '<number>',
    description: 'how many connections may be open; more are closed at once',
    defaultText: 'no limit',
    parse: integer(1, 10_000_000),
  }),
  maxConnectionsPerAddress: ofProcess<number | undefined>({
    argument: '<number>',
    description: 'how many connections may be open from one address; more are closed at once',
    defaultText: 'no limit',
    parse: integer(1, 10_000_000),
  }),
  maxStreams: option({
    argument: '<number>',
    description: 'how many clients of this replica may follow the list by a stream of events; 0 offers none',
    default: 10_000,
    parse: integer(0, 10_000_000),
  }),
  maxStreamsPerAddress: option({
    argument: '<number>',
    description:
      'how many of these streams one client address may have; IPv6 counts by its /64 network (behind a load balancer see --trust-proxy)',
    default: 100,
    parse: integer(1, 10_000_000),
  }),
  totalServers: ofProcess<number | undefined>({
    argument: '<count>',
    description:
      'how many game servers all registries of a configuration file may list together, as far as this replica knows',
    defaultText: 'no limit',
    parse: integer(1, 1_000_000_000),
  }),
  totalStreams: ofProcess<number | undefined>({
    argument: '<number>',
    description: 'how many clients of this replica may follow the lists of all registries together',
    defaultText: 'no limit',
    parse: integer(1, 10_000_000),
  }),
  noLoadShedding: ofProcess('refuse no requests when this replica has more to do than it can'),
} as const;

const KINDS = ['broadcast', 'ping', 'remove', 'list', 'join', 'doctor', 'report'] as const;

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
]);
const MOST_REQUESTS = 1_000_000_000;

/** How many requests of a kind a client may send in a window of `windowS` seconds. */
export interface RateLimitOption {
  readonly kind: (typeof KINDS)[number];
  readonly requests: number;
  readonly windowS: number;
}

/** Parses limits such as `broadcast=30/m,ping=240/m`: each kind at most once. */
function parseRateLimits(text: string): readonly RateLimitOption[] {
  const limits = text.split(',').map((part) => parseRateLimit(part.trim()));
  const twice = limits.find(({ kind }, at) => limits.findIndex((each) => each.kind === kind) !== at);
  if (twice !== undefined) throw new Error(`must have one limit for ${twice.kind}, not two`);
  return limits;
}

function parseRateLimit(text: string): RateLimitOption {
  const [, name = '', digits = '', unit = ''] = /^([a-z]+)=(\d{1,10})\/([smh])$/.exec(text) ?? [];
  if (name === '') throw new Error(`must be like broadcast=30/m,ping=240/m,list=120/m, not "${text}"`);
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined)
    throw new Error(`must limit ${KINDS.join(', ')}, not "${name}"${didYouMean(name, KINDS)}`);
  const requests = Number(digits);
  if (requests < 1 || requests > MOST_REQUESTS)
    throw new Error(`must allow 1 to ${MOST_REQUESTS} requests, not "${text}"`);
  return { kind, requests, windowS: UNIT_SECONDS.get(unit)! };
}
