/** Compares a request with what a scene expects of it, and with the rules for every request of every scene. */

import { idempotencyKeyOf } from '../../api/writes/idempotency-key.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { ScriptedRequest } from './scripted-service.ts';
import type { WriteExpected } from './scene.ts';
import { SceneFailure } from './scene-failure.ts';
import { isWithin, type Spans } from './span.ts';

/** The meaning of the short names of a scene, and what the client has sent so far. */
export interface Known {
  readonly ids: Names;
  readonly tokens: Names;
  readonly tags: Names;
  /** The key of the last broadcast. */
  idempotencyKey: string | undefined;
  readonly usedKeys: Set<string>;
  /** The key of the service. */
  readonly key: string | undefined;
  /** The query of the last reading, as the client was given it. */
  query: string;
  /** What it has to add to that. */
  near: Spans;
}

/** Short names, and the value of each, which is made when it is first named. */
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
/** The least length of an Idempotency-Key: nobody guesses this many characters. */
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
  if (expected.keepsId !== undefined)
    same(body['keep_id'], expected.keepsId || undefined, `"keep_id" of the ${kind}`);
  for (const [name, value] of Object.entries(expected.body ?? {}))
    same(JSON.stringify(body[name]), JSON.stringify(value), `"${name}" of the ${kind}`);
  if (expected.latency !== undefined) checkLatency(body['latency'], expected.latency, `the ${kind}`);
  return body;
}

/**
 * `what` says how far each of these beacons is, and no other one; none may be an empty object. Throws a SceneFailure.
 */
export function checkLatency(said: unknown, beacons: Spans, what: string): void {
  const told = isRecord(said) ? Object.entries(said) : [];
  const isRight =
    (said === undefined || isRecord(said)) &&
    told.length === Object.keys(beacons).length &&
    told.every(([id, ms]) => Number.isInteger(ms) && isWithin(Number(ms), beacons[id] ?? [1, 0], false));
  if (!isRight)
    throw new SceneFailure(
      `the latency ${JSON.stringify(beacons)} in ${what}`,
      JSON.stringify(said) ?? 'none',
    );
}

/** Throws a SceneFailure. */
export function checkForm(request: ScriptedRequest, known: Known): Readonly<Record<string, unknown>> {
  const { headers, text } = request;
  if (!/^application\/json\b/i.test(String(headers['content-type'])))
    throw new SceneFailure('Content-Type: application/json', String(headers['content-type']));
  checkAuthorization(request, known);
  const body = parseJson(text);
  if (isRecord(body)) return body;
  throw new SceneFailure('a body that is an object of JSON', text.slice(0, 200));
}

/** Throws a SceneFailure. */
export function checkAuthorization({ headers }: ScriptedRequest, { key }: Known): void {
  const wanted = key === undefined ? undefined : `Bearer ${key}`;
  if (headers.authorization === wanted) return;
  throw new SceneFailure(
    wanted === undefined ? 'no Authorization' : 'the key of the service in Authorization',
    headers.authorization === undefined ? 'none' : 'another Authorization',
  );
}

function checkIdempotencyKey(
  sent: string | readonly string[] | undefined,
  expected: 'fresh' | 'same' | undefined,
  known: Known,
): void {
  if (typeof sent !== 'string') throw new SceneFailure('an Idempotency-Key with the broadcast', 'none');
  const key = idempotencyKeyOf(sent);
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

/** Throws a SceneFailure. */
export function same(seen: unknown, wanted: unknown, what: string): void {
  if (seen === wanted) return;
  throw new SceneFailure(`${what} to be ${String(wanted)}`, String(seen));
}
