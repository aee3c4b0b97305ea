/**
 * `GET /`: the current list in the smallest encoding that is ready and that the client accepts, or 304 if the client
 * has it already. This is by far the most frequent request: while the list is unchanged it costs one call, and no
 * rendering.
 *
 * It waits in no queue. It is made once for each version, so no client can multiply it, and a list that waited would
 * lack what was acknowledged meanwhile.
 */

import { ServiceError } from '../../model/service-error.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import type { Rope } from '../../runtime/bytes/rope.ts';
import { ENCODINGS, type Encoding, type Snapshot } from '../../registry/snapshot/snapshot.ts';
import { emptyAnswer, jsonAnswer, type Answer } from '../http/answer.ts';
import { STALE_MARK, type CurrentList } from '../http/current-list.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { chooseEncoding } from '../http/negotiation.ts';

export interface ListEndpointOptions {
  readonly currentList: CurrentList;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Called when the list was rendered in an encoding: once for each encoding and version that clients ask for. */
  readonly onRendered?: OnRendered | undefined;
  /** The headers of a request on which the answer depends. */
  readonly vary?: string | undefined;
}

export type OnRendered = (encoding: Encoding, body: Rope, durationMs: number) => void;

/** How long a list must be unchanged, in ms, before brotli is worth its cost. */
const AT_REST_MS = 1000;

const SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', gzip: '-gzip', br: '-br' };

/** The parts of an answer that are the same for every request of one snapshot. */
interface Prepared {
  /** When the snapshot was first asked for, ms since the epoch. */
  readonly firstAskedAt: number;
  readonly etags: Readonly<Record<Encoding, string>>;
  readonly notModified: Readonly<Record<Encoding, Answer>>;
  readonly whole: Partial<Record<Encoding, Answer>>;
}

export function createList(options: ListEndpointOptions): Endpoint {
  const current = createListAnswers(options, '');
  const stale = createListAnswers(options, STALE_MARK);
  return (request) =>
    options.currentList.answer((snapshot, isStale) => (isStale ? stale : current)(snapshot, request));
}

/** `mark`: a part of every ETag. */
function createListAnswers(
  { currentList, now, onRendered, vary = 'Accept-Encoding' }: ListEndpointOptions,
  mark: string,
): (snapshot: Snapshot, request: EndpointRequest) => Answer | Promise<Answer> {
  const common = { ...currentList.caching, Vary: vary };
  /** Resolves with the newest snapshot, compressed: however often the list changes, no queue of snapshots forms. */
  const gzipped = coalesce(async (newest: Snapshot) => {
    await newest.encode('gzip', onRendered);
    return newest;
  });
  const preparations = new WeakMap<Snapshot, Prepared>();

  function prepare(snapshot: Snapshot): Prepared {
    const known = preparations.get(snapshot);
    if (known !== undefined) return known;
    const etags = forEach((encoding) => etagOf(snapshot, mark, encoding));
    const notModified = forEach((encoding) => emptyAnswer(304, { ...common, ETag: etags[encoding] }));
    const prepared = { firstAskedAt: now(), etags, notModified, whole: {} };
    preparations.set(snapshot, prepared);
    return prepared;
  }

  function readyList(snapshot: Snapshot, encoding: Encoding): Answer | Promise<Answer> {
    return prepare(snapshot).whole[encoding] ?? wholeList(snapshot, encoding);
  }

  async function wholeList(seen: Snapshot, encoding: Encoding): Promise<Answer> {
    const isReady = encoding !== 'gzip' || seen.made(encoding) !== undefined;
    const snapshot = isReady ? seen : await gzipped(seen);
    const body = await snapshot.encode(encoding, onRendered);
    const { etags, whole } = prepare(snapshot);
    // All requests that waited for the body share one answer, and so one head.
    whole[encoding] ??= jsonAnswer(body, {
      ...common,
      ETag: etags[encoding],
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    });
    return whole[encoding];
  }

  /**
   * The encodings on offer. After a change, brotli compresses the whole list again, and gzip only the changed part, so
   * no request waits for brotli.
   */
  function offeredEncodings(snapshot: Snapshot): readonly Encoding[] {
    if (snapshot.made('br') !== undefined) return ['br', 'gzip'];
    if (now() - prepare(snapshot).firstAskedAt >= AT_REST_MS)
      snapshot.encode('br', onRendered).catch(() => undefined);
    return ['gzip'];
  }

  return (snapshot, { headers }) => {
    const ifNoneMatch = headers['if-none-match'];
    if (ifNoneMatch !== undefined) {
      // The comparison is weak, and the tag of any encoding matches (RFC 9110 section 13.1.2).
      const { etags, notModified } = prepare(snapshot);
      const known =
        ifNoneMatch.trim() === '*' ? 'identity' : ENCODINGS.find((each) => ifNoneMatch.includes(etags[each]));
      if (known !== undefined) return notModified[known];
    }
    const accepted = headers['accept-encoding'];
    if (accepted === undefined) return readyList(snapshot, 'identity');
    const offered = offeredEncodings(snapshot);
    const encoding = chooseEncoding(accepted, offered);
    if (encoding !== undefined) return readyList(snapshot, encoding);
    throw new ServiceError('not_acceptable', {
      message: `the list is available as plain JSON and ${offered.join(', ')}: accept one of them`,
      headers: { Vary: vary },
    });
  };
}

function forEach<T>(make: (encoding: Encoding) => T): Record<Encoding, T> {
  return { identity: make('identity'), gzip: make('gzip'), br: make('br') };
}

/** The ETag, which is the same on every replica: equal epoch and version mean equal bytes. */
function etagOf({ epoch, version }: Snapshot, mark: string, encoding: Encoding): string {
  return `"${epoch}-${version.toString(36)}${mark}${SUFFIXES[encoding]}"`;
}
