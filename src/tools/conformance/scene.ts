/**
 * The form of a scene, which is data alone. A scene says what happens in turn, and with it what a client has to do.
 * Ids, tokens and tags have short names in a scene; the kit makes long ones of them, other ones each time.
 */

import type { ErrorCode } from '../../model/errors.ts';

/** The abilities that a client can claim. A scene is played for those that can do all that it needs. */
export const ABILITIES = [
  'announce',
  'list',
  'find',
  'watch',
  'stream',
  'gzip',
  'key',
  'token_file',
  'tls',
  'insecure',
  'ipv6',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** From and to, ms, both included. */
export type Span = readonly [number, number];

export interface Scene {
  readonly name: string;
  readonly needs: readonly Ability[];
  /** The rule that the client has to keep, in a sentence. */
  readonly rule: string;
  /** The place of the rule: the document, and words of the line. */
  readonly proves: readonly [document: string, words: string];
  /** Whether it is short enough to be played on the wall clock. */
  readonly short?: true;
  /** How the service listens; 'http' if left out. */
  readonly listens?: 'http' | 'https' | 'ipv6';
  /** Behind the address of the service, such as `/lists/eu`. */
  readonly path?: string;
  /** How long a request may take, in ms of real time. Short where the service is silent. */
  readonly timeoutMs?: number;
  /** That the client has to send. */
  readonly key?: string;
  readonly acts: readonly Act[];
}

export type Act =
  /** The client is told to announce. */
  | { readonly start: StartScript }
  /** The next request that comes is this one. */
  | WriteExpected
  /** It fails so many times to connect, and waits so long after each failure; then the service listens again. */
  | { readonly down: readonly Span[] }
  /** Sent to the client, which has to be done with it at once. */
  | { readonly players: number }
  /** Nothing comes for so long. */
  | { readonly quiet: number }
  /** The clock moves on by so much at once, ms: the machine has slept. */
  | { readonly sleep: number }
  /** The client is told to stop. */
  | { readonly stop: StopScript }
  /** Plays the acts so many times. */
  | { readonly repeat: number; readonly acts: readonly Act[] }
  /** Pauses at random, of which the kit looks at so many: they fill their span. */
  | { readonly spread: SpreadScript }
  /** The content of the token file; undefined if there is none. */
  | { readonly tokenFile: string | undefined }
  /** The most connections that the client may have opened since the start. */
  | { readonly connections: number }
  /** Hours of pings before a service with faults at random. */
  | { readonly hours: number; readonly intervalS: number; readonly ttlS: number }
  /** The client is told to read: with a query, but for the whole list. */
  | { readonly list: true }
  | { readonly find: string }
  | { readonly watch: string }
  | ReadExpected
  /** Polls come every 2 s until the client wants a stream, which is a time from then on. */
  | { readonly polls: PollsScript }
  /** The servers that the client reports: the names of their ids, and the names of some servers. */
  | {
      readonly servers: readonly string[];
      readonly called?: Readonly<Record<string, string>>;
      readonly stale?: boolean;
    }
  /** The message with which the client gives up. */
  | { readonly failed: RegExp }
  /** A line of its log so far. */
  | { readonly logged: RegExp }
  /** Onto the stream that is open; in packets of so many bytes. */
  | { readonly send: readonly StreamEvent[]; readonly packets?: number }
  /** The stream that is open ends: as HTTP has it, or without that, or with what was sent last thrown away. */
  | { readonly end: 'well' | 'cut' | 'reset' }
  /** Nothing comes for so long on the clock of the wall, ms. */
  | { readonly nothing: number };

export interface StartScript {
  readonly fields?: Readonly<Record<string, unknown>>;
  /**
   * The content of the token file before the start: a token by its name, a text that is none, or nothing to read: a
   * folder.
   */
  readonly tokenFile?: 'none' | 'folder' | { readonly token: string } | { readonly bytes: string };
  /** Takes any certificate. */
  readonly insecure?: true;
  /** No request may come, as none can be sent. */
  readonly failsFor?: number;
}

export interface WriteExpected {
  readonly request: 'broadcast' | 'ping' | 'remove';
  /** How long after the answer before the request comes. */
  readonly after?: Span;
  /** The name of a token, or `claim`. */
  readonly token?: string;
  /** Against the broadcast before. */
  readonly key?: 'fresh' | 'same';
  /** The name of an id. */
  readonly id?: string;
  /** Members of the body, among others. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The acts while the client waits for its answer. */
  readonly meanwhile?: readonly Act[];
  readonly answer: AnswerScript;
}

/** The query is the one of the reading, and nothing is added to it but what is named here. */
export interface ReadExpected {
  /** The path. */
  readonly get: '/' | '/servers' | '/changes';
  readonly after?: Span;
  /** The name of the cursor of a page; without it, it is the first page. */
  readonly cursor?: string;
  /** The name of the tag that it is at: as `since`, `Last-Event-ID` or `If-None-Match`; `none`: it has none. */
  readonly at?: string;
  readonly accept?: 'stream' | 'json' | 'gzip';
  /** The acts while the client waits for its answer. */
  readonly meanwhile?: readonly Act[];
  readonly answer: AnswerScript;
}

export interface PollsScript {
  /** The tag of all of them. */
  readonly at: string;
  /** How long after the answer before the request for a stream comes. */
  readonly until: Span;
  readonly answer: AnswerScript;
}

export type AnswerScript =
  /** As GSLS answers a write that succeeds. Only what is named is told. */
  | {
      readonly accept: {
        readonly id?: string;
        readonly token?: string;
        readonly intervalS?: number | string;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: Readonly<Record<string, unknown>>;
      };
    }
  /** An error of the API. `retryAfter`: in seconds, or so many seconds from now as a date. */
  | {
      readonly refuse: ErrorCode;
      /** In these words. */
      readonly says?: string;
      readonly retryAfter?: number | { readonly dateIn: number };
    }
  /** Anything else, such as a proxy says it. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Nothing, until the client gives up. */
  | { readonly silence: true }
  /** The connection is reset: before the answer, or in the middle of it. */
  | { readonly reset: 'before' | 'within' }
  /** The head promises more than comes, and the connection ends well. */
  | { readonly half: true }
  /** A success of so many bytes. */
  | { readonly bytes: number }
  /** An object of JSON with these servers, as `GET /`, `/servers` or `/changes` has it. */
  | { readonly servers: ServersScript }
  /** 304; stale since so many seconds. */
  | { readonly unchanged: true; readonly staleFor?: number }
  /** A stream that stays open, with these events. */
  | { readonly stream: readonly StreamEvent[] };

export interface ServersScript {
  /** By name. */
  readonly ids: readonly string[];
  readonly etag?: string;
  readonly gzip?: true;
  /** Only half of it comes. */
  readonly cut?: true;
  /** Stale since so many seconds. */
  readonly staleFor?: number;
  /** The name of the cursor of the next page; null on the last. */
  readonly next?: string | null;
  /** The ids that have left, in an answer of changes. */
  readonly removed?: readonly string[];
  readonly full?: boolean;
  readonly tag?: string;
  /** Members of each server, beside those that every one has; undefined: without this one. */
  readonly each?: Readonly<Record<string, unknown>>;
  /** Members beside the servers. */
  readonly also?: Readonly<Record<string, unknown>>;
}

export type StreamEvent =
  | ChangesEvent
  /** A line `id`. */
  | { readonly bookmark: string }
  | { readonly stale: boolean }
  | { readonly retry: number }
  /** As it is. */
  | { readonly raw: string };

export interface ChangesEvent {
  readonly changes: ServersScript;
  /** Its data in several lines; or no space behind a colon. */
  readonly form?: 'lines' | 'tight';
  readonly lineEnd?: '\r\n' | '\r';
  /** Only its beginning: its id, half of it, or all but the empty line that ends it. */
  readonly upTo?: 'id' | 'half' | 'end';
}

export interface StopScript {
  /** The remove that the client sends; undefined if it has no entry. */
  readonly remove?: Omit<WriteExpected, 'request' | 'after'>;
}

export interface SpreadScript {
  readonly of: 'first pings' | 'pings' | 'pauses' | 'pauses of a watch';
  readonly times: number;
  readonly between: Span;
}
