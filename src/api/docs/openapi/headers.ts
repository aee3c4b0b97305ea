/** The headers of requests and answers. This file knows nothing of operations but that they may have headers. */

import type { ErrorCode } from '../../../model/errors.ts';
import { JOIN_CODE_PATTERN } from '../../../model/join-code.ts';
import { HARMLESS_ID, IDEMPOTENCY_KEY, SERVER_TOKEN } from './header-forms.ts';
import type { Parameter, Schema } from './parameter.ts';

type Header = Pick<Parameter, 'description' | 'schema'>;

const text: Schema = { type: 'string' };
const matching = (pattern: string): Schema => ({ type: 'string', pattern });
const only = (value: string): Schema => ({ type: 'string', const: value });
const seconds = matching('^[0-9]+$');

const header = (description: string, schema: Schema = text): Header => ({ description, schema });

export const RESPONSE_HEADERS = {
  'Server-TTL': header('How long an entry is listed without a ping, in seconds.', seconds),
  'Server-Ping-Interval': header('How often to ping, in seconds.', seconds),
  'Server-Beacons': header(
    'There is something to measure at `GET /beacons`: another text means other beacons.',
    { type: 'string', minLength: 1 },
  ),
  'Server-Token': header(
    'The proof that a request comes from this game server. A secret: keep it, and show it to no one.',
    matching(SERVER_TOKEN.source),
  ),
  'Server-Join-Code': header('By which players find the unlisted entry.', matching(JOIN_CODE_PATTERN.source)),
  'Server-Verification': header('Whether the game server could be reached, in words.', {
    type: 'string',
    minLength: 1,
  }),
  'Server-Registry': header(
    'The random id of this registry, the same on every replica; that of a mirror ends with `;mirror`.',
    matching('^[^;]+(;mirror)?$'),
  ),
  ETag: header(
    'Of this body in this encoding, the same on every replica; another one while the list is stale.',
    matching('^"[^"]+"$'),
  ),
  'Cache-Control': header('Whether and how long a cache may keep the answer.'),
  'CDN-Cache-Control': header(
    'The same for shared caches (RFC 9213), also while they wait for another answer, or get none.',
  ),
  Vary: header('The headers of the request on which the answer depends.'),
  'Content-Encoding': header('How the body is compressed.', { type: 'string', enum: ['gzip', 'br'] }),
  Warning: header(
    'The list is not the current one, because the registry cannot be reached.',
    only('110 - "Response is Stale"'),
  ),
  Age: header('How old such a list is, in seconds.', seconds),
  Location: header('Where to go on, relative to this address.'),
  Link: header('The next page.', matching('^</?servers\\?.*>; rel="next"$')),
  'Retry-After': header('When to try again, in seconds.', seconds),
  Allow: header('The methods that the path takes.'),
  'WWW-Authenticate': header('The forms in which a key may be sent.'),
  'RateLimit-Policy': header(
    'How many requests of the kind an address may send, and in how many seconds.',
    matching('^"[a-z]+";q=\\d+;w=\\d+$'),
  ),
  RateLimit: header(
    'How many of them are left, and for how many seconds.',
    matching('^"[a-z]+";r=\\d+;t=\\d+$'),
  ),
  'X-Request-Id': header(
    'The id of the request, that the log names with it: that of the request, or a new one.',
    matching(HARMLESS_ID.source),
  ),
  'X-Content-Type-Options': header('Browsers are not to guess the type of the body.', only('nosniff')),
  'X-Accel-Buffering': header('Proxies are not to hold events back.', only('no')),
  'Content-Security-Policy': header('What the page may load and run.'),
  'Referrer-Policy': header('The page does not say to others where it is.', only('no-referrer')),
  'Permissions-Policy': header('What the page may not use of a browser.'),
  'X-Frame-Options': header('No page of another origin may frame this one.', only('SAMEORIGIN')),
  'Cross-Origin-Opener-Policy': header(
    'Pages of other origins get no hold of the window of this one.',
    only('same-origin'),
  ),
} satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The headers of every answer. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
];

/** The headers of every answer to a request of a kind with a rate limit, once the request is counted. */
export const RATE_LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** The headers of an answer that is made from the list while the list is not current. */
export const STALE_HEADERS: readonly ResponseHeader[] = ['Warning', 'Age'];

/** The same, of an answer that shared caches may keep. */
export const LIST_HEADERS: readonly ResponseHeader[] = ['CDN-Cache-Control', ...STALE_HEADERS];

/** The headers that errors have beside the common ones. */
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

const requestHeader = (name: string, description: string, schema?: Schema): Parameter => ({
  name,
  in: 'header',
  ...header(description, schema),
});

export const REQUEST_ID_PARAMETER = requestHeader(
  'X-Request-Id',
  'An id of the caller for this request: the answer has it too, if it is harmless, and so has the log.',
);

export const ACCEPT_ENCODING = requestHeader(
  'Accept-Encoding',
  'The encodings that the client takes: `gzip` for all long answers, `br` for the list as well.',
);

export const IF_NONE_MATCH = requestHeader(
  'If-None-Match',
  'The `ETag` of the answer that the client has: it gets a 304 if that one is still right.',
);

export const ACCEPT_LANGUAGE = requestHeader(
  'Accept-Language',
  'The languages that the reader understands, the best first.',
);

export const LAST_EVENT_ID = requestHeader(
  'Last-Event-ID',
  'The `id` of the last event, by which a stream goes on where it was. It counts more than `since`.',
);

export const SERVER_TOKEN_HEADER = requestHeader(
  'Server-Token',
  'The token that the answer to the broadcast has in this header. A claimed entry answers to it only.',
  matching(SERVER_TOKEN.source),
);

export const SERVER_TOKEN_OF_BROADCAST = requestHeader(
  'Server-Token',
  '`claim`, so that the new entry answers to its token only; or the token of an entry, to go on with that entry.',
  matching(`^claim$|${SERVER_TOKEN.source}`),
);

export const IDEMPOTENCY_KEY_HEADER = requestHeader(
  'Idempotency-Key',
  'A text that is new for each start of the game server: a broadcast that has it can be repeated safely. It may stand in quotes.',
  matching(`${IDEMPOTENCY_KEY.source}|^".+"$`),
);
