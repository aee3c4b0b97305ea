/** Parses answers to `GET /changes`: the changes, or the reason why there are none. */

import type { AwayReason } from './contact-state.ts';
import type { ListedServer, ListServer, TaggedChanges } from '../../../../src/model/view/listed-server.ts';
import { parseJson } from '../../../../src/model/json.ts';
import { isTextForUrl, membersOf } from '../../../../src/model/json.ts';
import { retryAfterOf } from '../pauses.ts';

/** An answer that brings no changes. */
export class FeedFailure extends Error {
  declare readonly reason: AwayReason;
  /** The pause that the answer asks for, if it does. ms. */
  declare readonly retryAfterMs: number | undefined;
  /** Polls may have more luck. */
  declare readonly isOfStreams: boolean;
  /** The status of the answer; 0 without one. */
  declare readonly status: number;
  /** The code of an error of the API. */
  declare readonly code: string | undefined;
  /** The words of the service, if it has any. Not yet made printable. */
  declare readonly says: string | undefined;

  constructor(reason: AwayReason, { cause, ...told }: Partial<FeedFailure> = {}) {
    super(reason, { cause });
    Object.assign(this, { reason, status: 0, isOfStreams: false, ...told });
  }
}

const TEXTS = ['id', 'host', 'name', 'ip'] as const;
const NUMBERS = ['port', 'players', 'max_players'] as const;

/** Whether the value has the fields that every game server has in `GET /`. */
export function isListServer(value: unknown): value is ListServer {
  if (typeof value !== 'object' || value === null) return false;
  const server = value as Record<string, unknown>;
  return (
    TEXTS.every((name) => typeof server[name] === 'string') &&
    NUMBERS.every((name) => typeof server[name] === 'number')
  );
}

/** Whether the value has the fields that every game server has everywhere else. */
export function isServer(value: unknown): value is ListedServer {
  return isListServer(value) && typeof (value as Partial<ListedServer>).registered_at === 'string';
}

/** The members of a text that is a JSON object; none for another JSON. Throws a FeedFailure for a text that is none. */
export function parseMembers(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  if (value === undefined) throw new FeedFailure('refused');
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}

/** Parses the changes of an answer to `GET /changes`. Throws a FeedFailure for any other text. */
export function parseToldChanges(text: string): TaggedChanges {
  const { servers, removed, full, tag } = parseMembers(text);
  const isRight =
    Array.isArray(servers) &&
    servers.every(isServer) &&
    Array.isArray(removed) &&
    removed.every((id) => typeof id === 'string') &&
    typeof full === 'boolean' &&
    isTextForUrl(tag);
  if (!isRight) throw new FeedFailure('refused');
  return { servers, removed, full, tag };
}

/** Parses an event `state`. `asOf`: ms. Throws a FeedFailure for a text that is none. */
export function parseStateEvent(text: string): {
  readonly isStale: boolean;
  readonly asOf: number | undefined;
} {
  const { stale, as_of: told } = parseMembers(text);
  const asOf = Date.parse(String(told));
  return { isStale: stale === true, asOf: Number.isNaN(asOf) ? undefined : asOf };
}

/** The reasons by status; any other is 'refused'. A proxy answers 502 and 504 where it does not reach the service. */
const REASONS: Readonly<Record<number, AwayReason>> = {
  401: 'unauthorized',
  429: 'limited',
  502: 'unreachable',
  503: 'unavailable',
  504: 'unreachable',
};

/** Builds the FeedFailure for an answer with another status than 200. `body`: its text. */
export function failureOf({ status, headers }: Response, body: string, now: number): FeedFailure {
  const { code, error } = membersOf(body);
  return new FeedFailure(REASONS[status] ?? 'refused', {
    status,
    code: typeof code === 'string' ? code : undefined,
    says: typeof error === 'string' ? error : undefined,
    retryAfterMs: retryAfterOf(headers, now),
    isOfStreams: status === 429 && code === 'too_many_streams',
  });
}

/** When the service's list was current last, in ms, if the answer to a poll says that it is stale. */
export function staleSince(headers: Headers, now: number): number | undefined {
  if (!/^11[01]\b/.test(headers.get('Warning') ?? '')) return undefined;
  const age = Number(headers.get('Age') ?? 0);
  return now - 1000 * (Number.isFinite(age) ? age : 0);
}

/** Whether the answer is a stream: a service without streams answers as to a poll. */
export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '');
}

/** How far the clock here is ahead of the service's, in ms; 0 if the answer has no `Date`. */
export function clockOffsetMs({ headers }: Response, now: number): number {
  const date = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(date) ? 0 : now - date;
}
