/** Malformed and odd requests, the same for the same seed. */

import { METHODS } from 'node:http';
import { DETAIL_NAMES } from '../../src/model/fields/detail-fields.ts';
import type { Method } from './raw-connection.ts';
import { aBroadcast } from './builders.ts';

/** Some requests have it: then the service that knows it lets them moderate. */
export const ADMIN_KEY = 'fuzz-admin-key';

export interface FuzzRequest {
  readonly bytes: Buffer;
  /** Whether the service has to answer: exactly once, or at least once if the connection is closed. */
  readonly complete: boolean;
  readonly method: Method;
}

/** Numbers from 0 up to 1 (mulberry32). */
type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: Random, choices: readonly T[]): T => choices[below(random, choices.length)]!;
const chance = (random: Random, probability: number): boolean => random() < probability;

const PATHS = [
  '/',
  '/health',
  '/broadcast',
  '/ping',
  '/remove',
  '/doctor',
  '/nothing',
  '/servers',
  '/servers?q=a&sort=-players,name&limit=2',
  '/servers?map=de_*&players=1..&tags=%2C,b&full=false&include=meta',
  '/servers?name!=%ff&limit=0&cursor=WyIiLDEsIiJd&meta.__proto__=x&q=',
  `/servers?${'id=a&'.repeat(40)}`,
  `/servers?name=${'a,'.repeat(400)}`,
  '/servers/x',
  '/servers/x/history',
  '/servers/%2f/history?x',
  '/servers//history',
  '/servers/{id}',
  '/servers/%',
  '/servers/__proto__',
  '/stats',
  '/stats?region=*&limit=5',
  '/changes',
  '/changes?since=x.1&players=..1',
  '/changes?since=%0d%0a&since=y',
  '/history',
  '/history?step=hour&from=2026-02-30&to=1e9',
  '/join/x',
  '/join/%f0%9f%8e%ae',
  '//',
  '/%',
  '/%00',
  '/ping/',
  '*',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/x',
  '/docs/..%2f',
  '/admin',
  '/admin/bans',
  '/admin/bans/',
  '/admin/bans/x',
  '/admin/bans/%',
  '/admin/bans/%ff',
  '/admin/bans/%2e%2e%2fservers',
  '/admin/bans/{ban}',
  '/admin/bans/__proto__',
  '/admin/servers',
  '/admin/servers/%00',
  '/admin/audit',
  '/%61dmin/bans',
  '//admin/bans',
  '/admin;x/bans',
  '/x/../admin/bans',
];
const USUAL_TARGETS = [
  '/broadcast',
  '/ping',
  '/remove',
  '/broadcast',
  '/ping',
  '/remove',
  '/doctor',
  '/admin/bans',
];
/** CONNECT has a test of its own: after its answer nothing can be read. */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');
/** None contains a line end, after which another line would begin. */
const ODD_METHODS = [
  'get',
  'FETCH',
  'PRI',
  'G\u00e9T',
  'GET\t',
  'GET GET',
  '__proto__',
  '',
  '\u0000',
  '*',
  'HEADS',
];
const ODD_VERSIONS =
  `HTTP/0.9 HTTP/1.0 HTTP/1.2 HTTP/1.10 HTTP/2.0 HTTP/3.0 HTTP/9.9 HTTP/1 HTTP/ HTTP/1.1x HTTP/-1.1 http/1.1
  HTTPS/1.1 ICE/1.0 RTSP/1.0 HTTP/1.1/1.1 HTTP/\u00b9.\u00b9 1.1`
    .split(/\s+/)
    .concat('', 'HTTP/1. 1');
const AUTHORITIES = [
  'a',
  'b:80',
  '[::1]',
  '[::1]:1',
  'a@b',
  '[',
  ']',
  '[::1',
  'a:b',
  ':',
  '',
  '%',
  'a%',
  '\u00e9',
  '#',
  '\\',
  '\u00a0',
];
const SCHEMES = ['http://', 'HTTPS://', 'http:', 'http:/', 'ftp://', 'javascript:', '//', '///', '://', ''];
const SPACES = [' ', ' ', ' ', '  ', '\t', '', '\u00a0', '\u000b'];
/** Those of a ban; the keys of the admin are in HEADERS. */
const BAN_FIELDS = ['id', 'address', 'host', 'name', 'mode', 'author', 'expires_at'];
const BAN_VALUES = [
  '"*"',
  '"?"',
  '"*casino*"',
  `"${'*a?'.repeat(40)}"`,
  '"198.51.100.0/24"',
  '"::/0"',
  '"2001:db8::1%eth0"',
  '"refuse"',
  '"silent"',
  '"2099-01-01T00:00:00Z"',
  '"2099-02-31T00:00:00Z"',
];
const FIELDS = [
  ...Object.keys(aBroadcast()),
  ...DETAIL_NAMES,
  'unlisted',
  'server_id',
  '__proto__',
  'constructor',
  'toString',
  '',
].concat(
  // What a terminal obeys.
  ['\u202e', '\u009b2J', '\u001b[2J'],
);
/** None contains a space. */
const VALUES = `null true -0 0 -1 5.5 1e400 -1e400 1e-400 9007199254740993 65536 7777 NaN x [] {} [[[]]]
  "" "5" "\\u0000" "\\ud800" "\\u202e" "\u00e9\u{1F3AE}\ufffd" "${'x'.repeat(300)}" "game.example.com"
  ["a","a","b"] [{"ip":"2001:DB8::7","port":7777}] {"a":{"b":{"c":{"d":1}}}} {"a":"${'x'.repeat(2100)}"} false
  "::1%lo" "::ffff:1.2.3.4" "203.0.113.7" "__proto__" {"__proto__":{"x":1}} {"constructor":{"prototype":{"x":1}}}`
  .split(/\s+/)
  .concat('');
const HEADERS = `Accept: text/html; Accept: */*|q=0; Accept: ,|q=,; Accept-Charset: x
  Accept-Encoding: gzip; Accept-Encoding: br, gzip; Accept-Encoding: *|q=0; Accept-Encoding: identity|q=0
  Accept-Encoding: \u00ff||q=x; Accept-Encoding: gzip, *|q=0
  Content-Type: application/x-www-form-urlencoded; Content-Type: application/json| charset=utf-16
  Content-Type: |||; Content-Type: multipart/form-data; Content-Type: text/plain| charset="
  Content-Encoding: gzip; Content-Encoding: br; Content-Encoding: deflate; Content-Encoding: identity
  Content-Encoding: Identity; Content-Encoding: ; Content-Encoding: x, gzip; Transfer-Encoding: Chunked
  Authorization: Bearer; Authorization: Basic ====; Authorization: \u00ff; Cookie: a=b| __proto__=c
  Origin: null; Origin: https://example.com; Access-Control-Request-Method: GET; Range: bytes=0-1
  If-None-Match: *; If-None-Match: "x", W/"y"; If-None-Match: "; If-Match: "x"; If-Modified-Since: never
  Expect: 100-continue; Expect: nothing; Upgrade: websocket; Connection: Upgrade; TE: trailers; Trailer: X
  Connection: close; Connection: Keep-Alive; Connection: \u00ff; Keep-Alive: timeout=x; X-Forwarded-For: x
  X-HTTP-Method-Override: DELETE; Forwarded: for=|; __proto__: x; constructor: x; X-Long: ${'x'.repeat(900)}
  Server-Token: claim; Server-Token: ; Server-Token: .; Server-Token: x.y; Server-Token: claim, claim; Server-Token: \u00ff
  Server-Token: ${'a'.repeat(21)}.${'b'.repeat(43)}; Server-Token: __proto__.x; Server-Token: ${'.'.repeat(3000)}
  Idempotency-Key: x; Idempotency-Key: ; Idempotency-Key: "x"; Idempotency-Key: ${'k'.repeat(900)}; Idempotency-Key: \u00ff
  X-Forwarded-For: 198.51.100.7; X-Forwarded-For: 2001:db8::7, 127.0.0.1; X-Forwarded-For: ,,,; X-Forwarded-For: ::1%lo
  X-Forwarded-For: ${'1,'.repeat(2000)}; X-Forwarded-For: unknown; Forwarded: for="[::1]:x"; Forwarded: for=_a|for=b; Via: 1.1 x
  Forwarded: for="${'\\'.repeat(1000)}"; X-Real-IP: 1; Authorization: Bearer ${ADMIN_KEY}; Authorization: bearer  ${ADMIN_KEY}
  Authorization: Bearer ${'x'.repeat(3000)}
  Content-Length: +5; Content-Length: 5, 5; Content-Length: 0005; Content-Length: -1; Content-Length: 0x5; Content-Length: 0
  Content-Length: 18446744073709551617; Transfer-Encoding: chunked, identity; Transfer-Encoding: \u000bchunked
  Host: b; Host: ; Host: [::1; Host: a@b; Content-Length: 3; Content-Length: x`
  .split(/[;\n] */)
  .map((header) => header.replaceAll('|', ';'));
/** With these headers the request may end elsewhere. */
const MOVES_THE_END = /^(content-length|transfer-encoding|host: b)/i;
const REPLACEMENTS = [0, 9, 10, 13, 32, 34, 44, 58, 91, 93, 123, 125, 127, 128, 192, 255];

/** A broadcast or ping with some fields changed. It has few addresses, so that the list stays short. */
function jsonOf(random: Random): string {
  const fields: [name: string, json: string][] = Object.entries(
    aBroadcast({ server_id: 'x', server_port: 1 + below(random, 9), map: 'a', tags: ['b'] }),
  ).map(([name, value]) => [name, JSON.stringify(value)]);
  for (let changes = below(random, 4); changes > 0; changes -= 1) {
    const [name, json] = [pick(random, FIELDS), pick(random, VALUES)];
    if (chance(random, 0.7))
      fields.splice(below(random, fields.length), chance(random, 0.7) ? 1 : 0, [name, json]);
    else fields.splice(below(random, fields.length), 1);
  }
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** A ban, or an author, with some fields missing or wrong. */
function banOf(random: Random): string {
  const names = [...BAN_FIELDS, 'reason'].filter((name) => chance(random, name === 'reason' ? 0.9 : 0.2));
  if (chance(random, 0.1)) names.push(pick(random, FIELDS));
  const valueOf = (name: string): string => {
    if (name === 'reason' && chance(random, 0.9)) return '"spam"';
    return pick(random, chance(random, 0.8) ? BAN_VALUES : VALUES) || 'null';
  };
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueOf(name)}`).join(',')}}`;
}

function bodyOf(random: Random, target: string): Buffer {
  const kind = random();
  if (kind > 0.4 && target.includes('admin')) return Buffer.from(banOf(random));
  if (kind < 0.1) return Buffer.alloc(0);
  if (kind < 0.15) return Buffer.from(pick(random, VALUES));
  if (kind < 0.2) return Buffer.from(Array.from({ length: below(random, 200) }, () => below(random, 256)));
  if (kind < 0.21) return Buffer.alloc(16_000 + below(random, 800), 32);
  const json = Buffer.from(jsonOf(random));
  return kind < 0.6 ? json : mutated(random, json);
}

/** A few bytes replaced, removed, repeated or cut off. */
function mutated(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let changes = 1 + below(random, 3); changes > 0; changes -= 1) {
    const at = below(random, result.length + 1);
    const [head, tail] = [result.subarray(0, at), result.subarray(at)];
    const kind = below(random, 4);
    if (kind === 0)
      result = Buffer.concat([head, Buffer.from([pick(random, REPLACEMENTS)]), tail.subarray(1)]);
    else if (kind === 1) result = Buffer.concat([head, tail.subarray(below(random, 8))]);
    else if (kind === 2) result = Buffer.concat([head, result.subarray(Math.max(0, at - below(random, 40)))]);
    else if (chance(random, 0.3)) result = head;
  }
  return result;
}

function targetOf(random: Random): string {
  const path = pick(random, PATHS);
  if (chance(random, 0.5) || path === '*') return path;
  const pairs = Array.from({ length: below(random, 9) }, () => {
    const value = pick(random, VALUES).replaceAll(/^"|"$/g, '');
    const encoded = pick(random, ['%', '%FF', '%00', '[]', 'x=y&', encodeURIComponent(value)]);
    return `${pick(random, FIELDS)}${pick(random, ['=', '', '[]=', '=='])}${encoded}`;
  });
  return `${path}?${pairs.join(pick(random, ['&', '&&', ';']))}`;
}

/** A request line that is odd in one part or between the parts. It may be valid. */
function oddLineOf(random: Random, method: string, target: string): string {
  const kind = below(random, 4);
  if (kind === 0) return `${method} ${oddTargetOf(random, target)} HTTP/1.1`;
  if (kind === 1) return `${pick(random, ODD_METHODS)} ${target} HTTP/1.1`;
  if (kind === 2) return `${method} ${target} ${pick(random, ODD_VERSIONS)}`;
  const [first, second] = [pick(random, SPACES), pick(random, SPACES)];
  return `${pick(random, ['', ' ', '\r\n'])}${method}${first}${target}${second}HTTP/1.1${pick(random, ['', ' '])}`;
}

function oddTargetOf(random: Random, target: string): string {
  const url = `${pick(random, SCHEMES)}${pick(random, AUTHORITIES)}${pick(random, [target, '', '?', '#', '?#', '/..//'])}`;
  return chance(random, 0.2)
    ? mutated(random, Buffer.from(url, 'latin1'))
        .toString('latin1')
        .replaceAll(/[\r\n]/g, '')
    : url;
}

export function createFuzzRequest(seed: number): FuzzRequest {
  const random = createRandom(seed);
  const method = chance(random, 0.6) ? pick(random, ['GET', 'POST']) : pick(random, ALL_METHODS);
  const target = chance(random, 0.6) ? pick(random, USUAL_TARGETS) : targetOf(random);
  // Where the end is unclear, the method of what follows is too, and with it whether the answer has a body.
  const headers = Array.from({ length: below(random, 4) }, () => pick(random, HEADERS)).filter(
    (header) => method !== 'HEAD' || !MOVES_THE_END.test(header),
  );
  if (target.includes('admin') && chance(random, 0.7)) headers.push(`Authorization: Bearer ${ADMIN_KEY}`);
  const body = bodyOf(random, target);
  const chunked = chance(random, 0.2);
  const sent = chunked
    ? Buffer.concat([
        ...(body.length > 0
          ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]
          : []),
        Buffer.from('0\r\n\r\n'),
      ])
    : body;
  const head = [
    chance(random, 0.2) ? oddLineOf(random, method, target) : `${method} ${target} HTTP/1.1`,
    'Host: a',
    ...headers,
    ...(chunked ? ['Transfer-Encoding: chunked'] : []),
    ...(chunked || (body.length === 0 && chance(random, 0.7)) ? [] : [`Content-Length: ${body.length}`]),
  ];
  const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), sent]);
  const answers: Method = method === 'HEAD' ? 'HEAD' : 'other';
  const kind = random();
  if (kind < 0.05)
    return {
      bytes: Buffer.from(Array.from({ length: 1 + below(random, 300) }, () => below(random, 256))),
      complete: false,
      method: 'other',
    };
  if (kind < 0.2 && method !== 'HEAD')
    return { bytes: mutated(random, request), complete: false, method: 'other' };
  return {
    bytes: request,
    complete: !headers.some((header) => MOVES_THE_END.test(header)),
    method: answers,
  };
}
