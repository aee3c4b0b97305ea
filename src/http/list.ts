/**
 * `GET /`: the current list in the cheapest encoding the client takes, or 304 if it has it already. What the
 * world reads all the time, so an unchanged list costs a look at the registry and no rendering.
 */

import { ServiceError } from '../errors.ts';
import { coalesce } from '../registry/coalesce.ts';
import type { Listing, Registry } from '../registry/registry.ts';
import type { Encoding, Snapshot } from '../registry/snapshot/snapshot.ts';
import { emptyAnswer, jsonAnswer, withHeaders, type Answer } from './answer.ts';
import type { Endpoint, EndpointRequest } from './endpoints.ts';
import { chooseEncoding } from './negotiation.ts';

export interface ListOptions {
  readonly registry: Pick<Registry, 'list'>;
  /** The oldest list that is still better than none, in ms. */
  readonly maxStaleMs: number;
  /** How old a list may be without looking for changes, in ms; caches are told the same. */
  readonly listMaxAgeMs: number;
  /** Whether readers need a key: then no shared cache may keep the list. */
  readonly isPrivate: boolean;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** After so long without a change, in ms, the list is at rest and worth its smallest encoding. */
const AT_REST_MS = 1000;

const SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', gzip: '-gzip', br: '-br' };
const ENCODINGS = Object.keys(SUFFIXES) as Encoding[];

/** What is the same for every request of one snapshot. */
interface Prepared {
  /** When it was first asked for, ms since the epoch. */
  readonly since: number;
  readonly etags: Readonly<Record<Encoding, string>>;
  readonly notModified: Readonly<Record<Encoding, Answer>>;
  readonly whole: Partial<Record<Encoding, Answer>>;
}

export function createList(options: ListOptions): Endpoint {
  const { registry, maxStaleMs, listMaxAgeMs, now } = options;
  const common = { 'Cache-Control': cacheControlOf(options), Vary: 'Accept-Encoding' };
  const gzipped = createCompressor('gzip');
  const preparations = new WeakMap<Snapshot, Prepared>();
  let last: { readonly listing: Listing; readonly at: number } | undefined;

  async function currentListing(): Promise<Listing> {
    if (listMaxAgeMs === 0) return registry.list();
    const at = now();
    if (last === undefined || at - last.at >= listMaxAgeMs || at < last.at)
      last = { listing: await registry.list(), at };
    return last.listing;
  }

  function prepare(snapshot: Snapshot): Prepared {
    const known = preparations.get(snapshot);
    if (known !== undefined) return known;
    const etags = forEach((encoding) => etagOf(snapshot, encoding));
    const notModified = forEach((encoding) => emptyAnswer(304, { ...common, ETag: etags[encoding] }));
    const prepared = { since: now(), etags, notModified, whole: {} };
    preparations.set(snapshot, prepared);
    return prepared;
  }

  async function wholeList(seen: Snapshot, encoding: Encoding): Promise<Answer> {
    const snapshot = encoding === 'gzip' ? await gzipped(seen) : seen;
    const { etags, whole } = prepare(snapshot);
    whole[encoding] ??= jsonAnswer(await snapshot.encode(encoding), {
      ...common,
      ETag: etags[encoding],
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    });
    return whole[encoding];
  }

  /** A change costs brotli the whole list, gzip only what changed: so no reader waits for brotli. */
  function offeredEncodings(snapshot: Snapshot): readonly Encoding[] {
    if (snapshot.made('br') !== undefined) return ['br', 'gzip'];
    if (now() - prepare(snapshot).since >= AT_REST_MS) snapshot.encode('br').catch(() => undefined);
    return ['gzip'];
  }

  async function answerFrom(snapshot: Snapshot, { headers }: EndpointRequest): Promise<Answer> {
    const ifNoneMatch = headers['if-none-match'];
    if (ifNoneMatch !== undefined) {
      const { etags, notModified } = prepare(snapshot);
      const known =
        ifNoneMatch.trim() === '*' ? 'identity' : ENCODINGS.find((each) => ifNoneMatch.includes(etags[each]));
      if (known !== undefined) return notModified[known];
    }
    const accepted = headers['accept-encoding'];
    if (accepted === undefined) return wholeList(snapshot, 'identity');
    const offered = offeredEncodings(snapshot);
    const encoding = chooseEncoding(accepted, offered);
    if (encoding !== undefined) return wholeList(snapshot, encoding);
    throw new ServiceError('not_acceptable', {
      message: `the list is ready as plain JSON and ${offered.join(', ')}: accept one of them`,
      headers: { Vary: 'Accept-Encoding' },
    });
  }

  return async (request) => {
    const { snapshot, staleSince } = await currentListing();
    if (staleSince !== undefined && now() - staleSince > maxStaleMs)
      throw new ServiceError('registry_unavailable');
    const answer = await answerFrom(snapshot, request);
    if (staleSince === undefined) return answer;
    return withHeaders(answer, {
      Warning: '110 - "Response is Stale"',
      Age: String(Math.max(1, Math.ceil((now() - staleSince) / 1000))),
    });
  };
}

/**
 * Resolves with the snapshot, or a newer one, once it is compressed. While one is at it, all who come later wait
 * together for the newest, however often the list changes meanwhile: there is no queue.
 */
function createCompressor(encoding: Encoding): (snapshot: Snapshot) => Promise<Snapshot> {
  let newest: Snapshot;
  const compressNewest = coalesce(async () => {
    const snapshot = newest;
    await snapshot.encode(encoding);
    return snapshot;
  });
  return async (snapshot) => {
    if (snapshot.made(encoding) !== undefined) return snapshot;
    newest = snapshot;
    return compressNewest();
  };
}

function forEach<T>(make: (encoding: Encoding) => T): Record<Encoding, T> {
  return { identity: make('identity'), gzip: make('gzip'), br: make('br') };
}

/**
 * The same on every replica: equal epoch and version mean equal bytes. If-None-Match is compared weakly, and a list
 * in any encoding will do (RFC 9110 section 13.1.2).
 */
function etagOf({ epoch, version }: Snapshot, encoding: Encoding): string {
  return `"${epoch}-${version.toString(36)}${SUFFIXES[encoding]}"`;
}

function cacheControlOf({ listMaxAgeMs, isPrivate }: ListOptions): string {
  const seconds = Math.floor(listMaxAgeMs / 1000);
  const audience = isPrivate ? 'private, ' : seconds > 0 ? 'public, ' : '';
  return audience + (seconds > 0 ? `max-age=${seconds}` : 'no-cache');
}
