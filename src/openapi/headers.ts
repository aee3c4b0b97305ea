/** The headers of requests and answers. Knows of an operation nothing but that it may have them. */

import type { ErrorCode } from '../errors.ts';
import { JOIN_CODE_PATTERN } from '../registry/join-code.ts';
import { HARMLESS_ID, IDEMPOTENCY_KEY, SERVER_TOKEN } from './header-forms.ts';
import type { Parameter, Schema } from './parameter.ts';

interface Header {
  readonly description: string;
  readonly schema: Schema;
}

const text: Schema = { type: 'string' };
const seconds: Schema = { type: 'string', pattern: '^[0-9]+$' };

export const RESPONSE_HEADERS = {
  'Server-TTL': {
    description: 'How long an entry is listed without a ping, in seconds.',
    schema: seconds,
  },
  'Server-Ping-Interval': { description: 'How often to ping, in seconds.', schema: seconds },
  'Server-Token': {
    description:
      'The proof that a request comes from this game server. A secret: keep it, and show it to no one.',
    schema: { type: 'string', pattern: SERVER_TOKEN.source },
  },
  'Server-Join-Code': {
    description: 'By which players find the unlisted entry.',
    schema: { type: 'string', pattern: JOIN_CODE_PATTERN.source },
  },
  'Server-Verification': {
    description: 'Whether the game server could be reached, in words.',
    schema: { type: 'string', minLength: 1 },
  },
  ETag: {
    description:
      'Of this body in this encoding, the same on every replica; another one while the list is stale.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  'Cache-Control': { description: 'Whether and how long a cache may keep the answer.', schema: text },
  Vary: { description: 'The headers of the request on which the answer depends.', schema: text },
  'Content-Encoding': {
    description: 'How the body is compressed.',
    schema: { type: 'string', enum: ['gzip', 'br'] },
  },
  Warning: {
    description: 'The list is not the current one, because the registry cannot be reached.',
    schema: { type: 'string', const: '110 - "Response is Stale"' },
  },
  Age: { description: 'How old such a list is, in seconds.', schema: seconds },
  Location: { description: 'Where to go on, relative to this address.', schema: text },
  Link: {
    description: 'The next page.',
    schema: { type: 'string', pattern: '^</servers\\?.*>; rel="next"$' },
  },
  'Retry-After': { description: 'When to try again, in seconds.', schema: seconds },
  Allow: { description: 'The methods that the path takes.', schema: text },
  'WWW-Authenticate': { description: 'The forms in which a key may be sent.', schema: text },
  'RateLimit-Policy': {
    description: 'How many requests of the kind an address may send, and in how many seconds.',
    schema: { type: 'string', pattern: '^"[a-z]+";q=\\d+;w=\\d+$' },
  },
  RateLimit: {
    description: 'How many of them are left, and for how many seconds.',
    schema: { type: 'string', pattern: '^"[a-z]+";r=\\d+;t=\\d+$' },
  },
  'X-Request-Id': {
    description: 'The id of the request, that the log names with it: that of the request, or a new one.',
    schema: { type: 'string', pattern: HARMLESS_ID.source },
  },
  'X-Content-Type-Options': {
    description: 'Browsers are not to guess the type of the body.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'X-Accel-Buffering': {
    description: 'Proxies are not to hold events back.',
    schema: { type: 'string', const: 'no' },
  },
  'Content-Security-Policy': { description: 'What the page may load and run.', schema: text },
  'Referrer-Policy': {
    description: 'The page does not say to others where it is.',
    schema: { type: 'string', const: 'no-referrer' },
  },
  'Permissions-Policy': { description: 'What the page may not use of a browser.', schema: text },
  'X-Frame-Options': {
    description: 'No page of another origin may frame this one.',
    schema: { type: 'string', const: 'SAMEORIGIN' },
  },
  'Cross-Origin-Opener-Policy': {
    description: 'Pages of other origins get no hold of the window of this one.',
    schema: { type: 'string', const: 'same-origin' },
  },
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Of every answer. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
];

/** Of every answer to a request of a kind with a rate limit, once the request is counted. */
export const RATE_LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** Of an answer that is made from the list, while it is not current. */
export const STALE_HEADERS: readonly ResponseHeader[] = ['Warning', 'Age'];

/** That errors have beside the common ones. */
export const HEADERS_OF_ERRORS: Readonly<Partial<Record<ErrorCode, readonly ResponseHeader[]>>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  not_acceptable: ['Vary'],
  address_taken: ['Retry-After'],
  rate_limited: ['Retry-After'],
  too_many_streams: ['Retry-After'],
  overloaded: ['Retry-After'],
  registry_unavailable: ['Retry-After'],
};

const header = (name: string, description: string, schema: Schema = text): Parameter => ({
  name,
  in: 'header',
  description,
  schema,
});

export const REQUEST_ID_PARAMETER = header(
  'X-Request-Id',
  'An id of the caller for this request: the answer has it too, if it is harmless, and so has the log.',
);

export const ACCEPT_ENCODING = header(
  'Accept-Encoding',
  'The encodings that the client takes: `gzip` for all long answers, `br` for the list as well.',
);

export const IF_NONE_MATCH = header(
  'If-None-Match',
  'The `ETag` of the answer that the client has: it gets a 304 if that one is still right.',
);

export const ACCEPT_LANGUAGE = header(
  'Accept-Language',
  'The languages that the reader understands, the best first.',
);

export const LAST_EVENT_ID = header(
  'Last-Event-ID',
  'The `id` of the last event, by which a stream goes on where it was. It counts more than `since`.',
);

export const SERVER_TOKEN_HEADER = header(
  'Server-Token',
  'The token that the answer to the broadcast has in this header. A claimed entry answers to it only.',
  { type: 'string', pattern: SERVER_TOKEN.source },
);

export const SERVER_TOKEN_OF_BROADCAST = header(
  'Server-Token',
  '`claim`, so that the new entry answers to its token only; or the token of an entry, to go on with that entry.',
  { type: 'string', pattern: `^claim$|${SERVER_TOKEN.source}` },
);

export const IDEMPOTENCY_KEY_HEADER = header(
  'Idempotency-Key',
  'A text that is new for each start of the game server: a broadcast that has it can be repeated safely. It may stand in quotes.',
  { type: 'string', pattern: `${IDEMPOTENCY_KEY.source}|^".+"$` },
);
