/** Compares a request of a client that reads, and the servers that it reports, with what a scene expects. */

import { checkAuthorization, checkForm, checkLatency, same, type Known } from './expectations.ts';
import type { Act, ReadExpected } from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';

type ServersSaid = Extract<Act, { readonly servers: readonly string[] }>;

/** The parameters that a client itself adds to the query, by path. */
const OWN_PARAMETERS = {
  '/': [],
  '/servers': ['limit', 'cursor', 'near'],
  '/changes': ['since'],
  '/beacons': [],
};
const MOST_ON_A_PAGE = 1000;

/** Throws a SceneFailure. */
export function checkRead(
  request: ScriptedRequest,
  path: string,
  expected: Omit<ReadExpected, 'answer'>,
  known: Known,
): void {
  const { headers, method, url } = request;
  same(`${method} ${url.pathname}`, `GET ${expected.from ?? path}${expected.get}`, 'the request');
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

/** `report`: the body that it has to have, with no other member. Throws a SceneFailure. */
export function checkReport(request: ScriptedRequest, path: string, report: object, known: Known): void {
  const { method, url } = request;
  same(`${method} ${url.pathname}${url.search}`, `POST ${path}/report`, 'the request');
  same(sorted(checkForm(request, known)), sorted(report), 'the body of the report');
}

/** The JSON of the members in the order of their names. */
function sorted(body: object): string {
  const members = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(members));
}

export function isForStream({ headers }: ScriptedRequest): boolean {
  return String(headers.accept).includes('text/event-stream');
}

function checkQuery(url: URL, { get, cursor }: Pick<ReadExpected, 'get' | 'cursor'>, known: Known): void {
  const own: readonly string[] = OWN_PARAMETERS[get];
  const parameters = (query: string): readonly string[] =>
    query
      .split('&')
      .filter((each) => each !== '' && !own.includes(each.replace(/=.*/s, '')))
      .map(withoutEscapes)
      .toSorted();
  const near = get === '/servers' ? known.near : {};
  const isSorted = Object.keys(near).length > 0 && !/(^|&)sort=/.test(known.query);
  const query = get === '/beacons' ? '' : known.query + (isSorted ? '&sort=near' : '');
  same(parameters(url.search.slice(1)).join('&'), parameters(query).join('&'), 'the query');
  checkLatency(nearIn(url), near, 'the query');
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

/** What the parameter `near` says, which is rounded to 5 ms; undefined without it. */
function nearIn({ search }: URL): Readonly<Record<string, unknown>> | undefined {
  const [, near] = /[?&]near=([^&]*)/.exec(search) ?? [];
  const parts = near?.split(',').map((part) => part.split(':'));
  return parts && Object.fromEntries(parts.map(([id, ms]) => [id, Number(ms) % 5 === 0 ? Number(ms) : ms]));
}

/** Decodes escapes but those of what means something else unescaped: comma, star, ampersand, plus, percent. */
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

/** `line`: the client's line `servers`. Throws a SceneFailure. */
export function checkServers(
  line: unknown,
  { servers: names, called = {}, stale = false }: ServersSaid,
  { ids: known }: Known,
): void {
  const said = line as { readonly ids?: unknown; readonly names?: unknown; readonly stale?: unknown };
  const ids = textsOf(said.ids);
  const wanted = names.map((name) => known.of(name));
  const short = (each: readonly string[]): string =>
    each.length > 10 ? `${each.length} servers` : `[${each.map((id) => known.nameOf(id) ?? id).join(', ')}]`;
  const distinct = new Set(ids);
  const isSame =
    ids.length === wanted.length && distinct.size === ids.length && wanted.every((id) => distinct.has(id));
  if (!isSame) throw new SceneFailure(`the servers ${short(wanted)}`, short(ids));
  for (const [name, wantedName] of Object.entries(called))
    same(textsOf(said.names)[ids.indexOf(known.of(name))], wantedName, `the name of the server ${name}`);
  if (Boolean(said.stale) !== stale)
    throw new SceneFailure(stale ? 'a list that is stale' : 'a list that is current', 'the opposite');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Throws a SceneFailure. */
export function checkFailed(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new SceneFailure(`a failure that says ${String(pattern)}`, text);
  if (/\p{Cc}/u.test(text)) throw new SceneFailure('words of printable characters', text);
}
