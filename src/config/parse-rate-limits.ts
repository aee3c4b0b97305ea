/** The parser of --rate-limit: `broadcast=30/m,ping=240/m`. */

import { didYouMean } from '../did-you-mean.ts';

const KINDS = ['broadcast', 'ping', 'remove', 'list', 'join', 'doctor'] as const;

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
]);
const MOST_REQUESTS = 1_000_000_000;

/** How many requests of a kind a client may send in a window of so many seconds. */
export interface RateLimitOption {
  readonly kind: (typeof KINDS)[number];
  readonly requests: number;
  readonly windowS: number;
}

/** Each kind at most once. Throws an Error whose message completes "--rate-limit …". */
export function parseRateLimits(text: string): readonly RateLimitOption[] {
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
