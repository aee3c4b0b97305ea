/** What a request has to be, against what a scene says of it; and what holds for each request of each scene. */

import type { ScriptedRequest } from './scripted-service.ts';
import type { ReadExpected, WriteExpected } from './scene.ts';
import { SceneFailure } from './stage.ts';

/** What the short names of a scene stand for, and what the client has sent so far. */
export interface Known {
  readonly ids: Names;
  readonly tokens: Names;
  readonly tags: Names;
  /** Of the last broadcast. */
  idempotencyKey: string | undefined;
  readonly usedKeys: Set<string>;
  /** Of the service. */
  readonly key: string | undefined;
  /** Of the reading that was begun last, as it was given. */
  query: string;
}

/** Short names, and what each stands for: made when it is first named. */
export class Names {
  readonly #make: () => string;
  readonly #byName = new Map<string, string>();

  constructor(make: () => string) {
    this.#make = make;
  }

  of(name: string): string {
    const known = this.#byName.get(name) ?? this.#make();
    this.#byName.set(name, known);
    return known;
  }

  get all(): readonly string[] {
    return [...this.#byName.values()];
  }

  /** The short name, if it has one. */
  nameOf(value: string): string | undefined {
    return [...this.#byName].find(([, each]) => each === value)?.[0];
  }
}

const NO_TOKEN = 'claim';
/** Nobody guesses so many characters. */
const LEAST_KEY = 16;

/** Throws a SceneFailure. Returns the body. */
export function checkWrite(
  request: ScriptedRequest,
  path: string,
  expected: WriteExpected,
  known: Known,
): Readonly<Record<string, unknown>> {
  const { headers, method, url } = request;
  const kind = expected.request;
  same(`${method} ${url.pathname}${url.search}`, `POST ${path}/${kind}`, 'the request');
  const body = checkForm(request, known);

  const token = headers['server-token'];
  if (expected.token !== undefined) {
    const wanted = expected.token === NO_TOKEN ? NO_TOKEN : known.tokens.of(expected.token);
    if (token !== wanted)
      throw new SceneFailure(
        `the Server-Token of a ${kind} to be ${nameOf(wanted, known)}`,
        nameOf(typeof token === 'string' ? token : '', known),
      );
  } else if (token === undefined) throw new SceneFailure(`a Server-Token with the ${kind}`, 'none');

  if (kind === 'broadcast') checkIdempotencyKey(headers['idempotency-key'], expected.key, known);
  if (expected.id !== undefined)
    same(body['server_id'], known.ids.of(expected.id), `the server_id of the ${kind}`);
  for (const [name, value] of Object.entries(expected.body ?? {}))
    same(JSON.stringify(body[name]), JSON.stringify(value), `"${name}" of the ${kind}`);
  return body;
}

/** Throws a SceneFailure. */
export function checkRead(
  request: ScriptedRequest,
  path: string,
  expected: Omit<ReadExpected, 'answer'>,
  known: Known,
): void {
  const { headers, method, url } = request;
  same(`${method} ${url.pathname}`, `GET ${path}${expected.get}`, 'the request');
  checkAuthorization(request, known);
  checkQuery(url, expected, known);
  const { accept, 'accept-encoding': encoding } = headers;
  if (expected.accept === 'gzip' && !/\bgzip\b/.test(String(encoding)))
    throw new SceneFailure('gzip in Accept-Encoding', String(encoding));
  if (expected.accept === 'stream' && !isForStream(request))
    throw new SceneFailure('Accept: text/event-stream', String(accept));
  if (expected.accept === 'json' && isForStream(request))
    throw new SceneFailure('a poll, without text/event-stream in Accept', String(accept));
  if (expected.at !== undefined) checkTag(request, expected.get, expected.at, known);
}

export function isForStream({ headers }: ScriptedRequest): boolean {
  return String(headers.accept).includes('text/event-stream');
}

/** What a client adds to the query, by the path. */
const OWN_PARAMETERS = { '/': [], '/servers': ['limit', 'cursor'], '/changes': ['since'] };
const MOST_ON_A_PAGE = 1000;

function checkQuery(url: URL, { get, cursor }: Pick<ReadExpected, 'get' | 'cursor'>, known: Known): void {
  const own: readonly string[] = OWN_PARAMETERS[get];
  const parameters = (query: string): readonly string[] =>
    query
      .split('&')
      .filter((each) => each !== '' && !own.includes(each.replace(/=.*/s, '')))
      .map(withoutEscapes)
      .toSorted();
  same(parameters(url.search.slice(1)).join('&'), parameters(known.query).join('&'), 'the query');
  const limit = url.searchParams.get('limit');
  if (limit !== null && !(Number(limit) >= 1 && Number(limit) <= MOST_ON_A_PAGE))
    throw new SceneFailure(`a limit of 1 to ${MOST_ON_A_PAGE}`, limit);
  const sent = url.searchParams.get('cursor') ?? '';
  const wanted = cursor === undefined ? '' : known.tags.of(cursor);
  if (sent === wanted) return;
  throw new SceneFailure(
    cursor === undefined ? 'no cursor' : `the cursor ${cursor}`,
    sent === '' ? 'none' : (known.tags.nameOf(sent) ?? sent),
  );
}

/** But for those of what means something else when it is not escaped: comma, star, ampersand, plus and percent. */
function withoutEscapes(parameter: string): string {
  const kept = parameter
    .replaceAll('+', '%20')
    .replaceAll(/%(2[56abc])/gi, (_, code: string) => `%25${code}`);
  try {
    return decodeURIComponent(kept).replaceAll(/%2[abc]/g, (escape) => escape.toUpperCase());
  } catch {
    return parameter;
  }
}

function checkTag({ headers, url }: ScriptedRequest, path: string, tag: string, known: Known): void {
  const sent =
    path === '/changes'
      ? String(headers['last-event-id'] ?? url.searchParams.get('since') ?? '')
      : (headers['if-none-match'] ?? '');
  const wanted = tag === 'none' ? '' : known.tags.of(tag);
  if (sent === (path === '/changes' || wanted === '' ? wanted : `"${wanted}"`)) return;
  const name = known.tags.nameOf(sent.replaceAll('"', ''));
  throw new SceneFailure(
    tag === 'none' ? 'no tag' : `the tag ${tag}`,
    sent === '' ? 'none' : `the tag ${name ?? sent}`,
  );
}

/** Throws a SceneFailure. */
export function checkForm(request: ScriptedRequest, known: Known): Readonly<Record<string, unknown>> {
  const { headers, text } = request;
  if (!/^application\/json\b/i.test(String(headers['content-type'])))
    throw new SceneFailure('Content-Type: application/json', String(headers['content-type']));
  checkAuthorization(request, known);
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Readonly<Record<string, unknown>>;
  } catch {
    // It is told below.
  }
  throw new SceneFailure('a body that is an object of JSON', text.slice(0, 200));
}

function checkAuthorization({ headers }: ScriptedRequest, { key }: Known): void {
  const wanted = key === undefined ? undefined : `Bearer ${key}`;
  if (headers.authorization === wanted) return;
  throw new SceneFailure(
    wanted === undefined ? 'no Authorization' : 'the key of the service in Authorization',
    headers.authorization === undefined ? 'none' : 'another Authorization',
  );
}

function checkIdempotencyKey(
  key: string | readonly string[] | undefined,
  expected: 'fresh' | 'same' | undefined,
  known: Known,
): void {
  if (typeof key !== 'string') throw new SceneFailure('an Idempotency-Key with the broadcast', 'none');
  if (key.length < LEAST_KEY || !/^[!-~]+$/.test(key))
    throw new SceneFailure(
      `an Idempotency-Key of ${LEAST_KEY} printable characters or more`,
      `${key.length} of them`,
    );
  if (expected === 'same' && key !== known.idempotencyKey)
    throw new SceneFailure('the same Idempotency-Key as before', 'another one');
  if (expected === 'fresh' && known.usedKeys.has(key))
    throw new SceneFailure('a fresh Idempotency-Key', 'one that was used before');
  known.idempotencyKey = key;
  known.usedKeys.add(key);
}

function nameOf(token: string, known: Known): string {
  if (token === '') return 'none';
  if (token === NO_TOKEN) return NO_TOKEN;
  const name = known.tokens.nameOf(token);
  return name === undefined ? 'an unknown one' : `the token ${name}`;
}

function same(seen: unknown, wanted: unknown, what: string): void {
  if (seen === wanted) return;
  throw new SceneFailure(`${what} to be ${String(wanted)}`, String(seen));
}
