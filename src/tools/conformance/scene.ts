/** The form of a scene: data alone. For the short names of ids, tokens and tags the kit makes others each time. */

import type { ErrorCode } from '../../model/errors.ts';
import type { Ability } from './abilities.ts';

/** The shortest and the longest time, ms, both included. */
export type Span = readonly [number, number];

export interface Scene {
  readonly name: string;
  readonly needs: readonly Ability[];
  /** The rule that the client has to keep, in a sentence. */
  readonly rule: string;
  /** The source of the rule: a document, and words of one of its lines. */
  readonly proves: readonly [document: string, words: string];
  /** Whether it is short enough to be played on the wall clock. */
  readonly short?: true;
  /** How the service listens; 'http' if left out. */
  readonly listens?: 'http' | 'https' | 'ipv6';
  /** The path behind the address of the service, such as `/lists/eu`. */
  readonly path?: string;
  /** The paths of several URLs of the service, in their order: a reader gets all of them. */
  readonly paths?: readonly string[];
  /** Whether the client keeps the list in a file. */
  readonly keeps?: true;
  /** The time limit of a request, ms, real time. It is short where the service is silent. */
  readonly timeoutMs?: number;
  /** The key that the client has to send. */
  readonly key?: string;
  readonly acts: readonly Act[];
}

export type Act =
  /** The kit tells the client to announce. */
  | { readonly start: StartScript }
  /** The next request has to be this one. */
  | WriteExpected
  /** The client fails to connect, and waits for the next span after each failure; then the service listens. */
  | { readonly down: readonly Span[] }
  /** The client gets this count, and has to be done with it at once. */
  | { readonly players: number }
  /** The client sends nothing for this long. */
  | { readonly quiet: number }
  /** The clock moves on by this many ms at once: the machine has slept, or a stream goes on. */
  | { readonly sleep: number }
  /** The kit tells the client to stop. */
  | { readonly stop: StopScript }
  /** The process of the client gets SIGTERM: it has to leave as at a stop, and to end. */
  | { readonly terminate: Pick<StopScript, 'remove'> }
  /** The process ends, if it runs, and another one takes its place. */
  | { readonly restart: true }
  /** The acts are played this many times. */
  | { readonly repeat: number; readonly acts: readonly Act[] }
  /** The kit looks at this many random pauses: they have to fill their span. */
  | { readonly spread: SpreadScript }
  /** The token file has to hold this token; undefined: there is no file. */
  | { readonly tokenFile: string | undefined }
  /** The client has opened this many connections at most since the start. */
  | { readonly connections: number }
  /** The client asks for the beacons in time. Until then writes get this mark; `anew`: one has to be a broadcast. */
  | { readonly beacons: Span; readonly mark: string; readonly anew?: true; readonly answer: AnswerScript }
  /** A beacon is silent, and the clock moves on by this many ms: a ping has to come, and gets this answer. */
  | { readonly hangs: number; readonly answer: AnswerScript }
  /** Hours of pings before a service with faults at random. */
  | { readonly hours: number; readonly intervalS: number; readonly ttlS: number }
  /** The file in which the client keeps the list has this text from now on. */
  | { readonly keptFile: string }
  /** The kit tells the client to read the whole list. */
  | { readonly list: true }
  /** The kit tells the client to read what matches this query, once; `nearest`: by what it measures, in these spans. */
  | { readonly find: string; readonly nearest?: Readonly<Record<string, Span>> }
  /** The kit tells the client to follow what matches this query. */
  | { readonly watch: string }
  /** The kit tells the client to report the entry of this name. */
  | { readonly report: string; readonly reason: string; readonly note?: string }
  /** The next request has to be that report and no more, at the path of a URL where there are several. */
  | { readonly post: '/report'; readonly from?: string; readonly answer: AnswerScript }
  /** The client says that its report was taken. */
  | { readonly reported: true }
  | ReadExpected
  /** Polls come every 2 s until the client wants a stream, which is a time from then on. */
  | { readonly polls: PollsScript }
  /** The client has to report these servers, by the names of their ids; `called`: the names of some of them. */
  | {
      readonly servers: readonly string[];
      readonly called?: Readonly<Record<string, string>>;
      readonly stale?: boolean;
    }
  /** The client gives up with this text. */
  | { readonly failed: RegExp }
  /** The log of the client has this line by now. */
  | { readonly logged: RegExp }
  /** The log of the client names the id of this name by now. */
  | { readonly loggedId: string }
  /** The service sends these events on the open stream, in packets of this many bytes. */
  | { readonly send: readonly StreamEvent[]; readonly packets?: number }
  /** The open stream ends: as HTTP has it, or without that, or with the bytes sent last thrown away. */
  | { readonly end: 'well' | 'cut' | 'reset' }
  /** The client sends nothing for this long on the wall clock, ms. */
  | { readonly nothing: number };

export interface StartScript {
  readonly fields?: Readonly<Record<string, unknown>>;
  /**
   * The token file before the start: as the start before has left it, a token by its name, a text that is none, or a
   * folder, which cannot be read.
   */
  readonly tokenFile?: 'none' | 'kept' | 'folder' | { readonly token: string } | { readonly bytes: string };
  /** Whether the client accepts any certificate. */
  readonly insecure?: true;
  /** How long no request may come, as none can be sent. */
  readonly failsFor?: number;
}

export interface WriteExpected {
  readonly request: 'broadcast' | 'ping' | 'remove';
  /** The time since the answer before. */
  readonly after?: Span;
  /** The name of a token, or `claim`. */
  readonly token?: string;
  /** Whether the Idempotency-Key differs from that of the broadcast before. */
  readonly key?: 'fresh' | 'same';
  /** The name of an id. */
  readonly id?: string;
  /** Whether the remove asks the service to keep the id. */
  readonly keepsId?: boolean;
  /** Members of the body, among others. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly latency?: Readonly<Record<string, Span>>;
  /** The acts that happen before it gets its answer. */
  readonly meanwhile?: readonly Act[];
  readonly answer: AnswerScript;
}

/** `get`: the path. The query is the one of the reading, and nothing is added to it but what is named here. */
export interface ReadExpected {
  readonly get: '/' | '/servers' | '/changes' | '/beacons';
  /** The path of the URL that is asked, where there are several. */
  readonly from?: string;
  readonly after?: Span;
  /** The name of the cursor of a page; without it, it is the first page. */
  readonly cursor?: string;
  /** The name of the tag that it is at: as `since`, `Last-Event-ID` or `If-None-Match`; `none`: it has none. */
  readonly at?: string;
  readonly accept?: 'stream' | 'json' | 'gzip';
  /** The acts that happen before it gets its answer. */
  readonly meanwhile?: readonly Act[];
  readonly answer: AnswerScript;
}

export interface PollsScript {
  /** The tag of all of them. */
  readonly at: string;
  /** The time between the answer before and the request for a stream. */
  readonly until: Span;
  readonly answer: AnswerScript;
}

export type AnswerScript =
  /** The answer of GSLS to a write that succeeds. It holds only what is named. */
  | {
      readonly accept: {
        readonly id?: string;
        readonly token?: string;
        readonly intervalS?: number | string;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: Readonly<Record<string, unknown>>;
      };
    }
  /** An error of the API, which `says` these words. `retryAfter`: in seconds, or a date that many seconds from now. */
  | {
      readonly refuse: ErrorCode;
      readonly says?: string;
      readonly also?: Readonly<Record<string, unknown>>;
      readonly retryAfter?: number | { readonly dateIn: number };
    }
  /** Any other answer, such as one of a proxy. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** No answer, until the client gives up. */
  | { readonly silence: true }
  /** The connection is reset: before the answer, or in the middle of it. */
  | { readonly reset: 'before' | 'within' }
  /** The head promises more than comes, and the connection ends well. */
  | { readonly half: true }
  /** A success with this many bytes. */
  | { readonly bytes: number }
  /** An object of JSON with these servers, as `GET /`, `/servers` or `/changes` has it. */
  | { readonly servers: ServersScript }
  /** 304; stale for this many seconds. */
  | { readonly unchanged: true; readonly staleFor?: number }
  /** A stream that stays open, with these events. */
  | { readonly stream: readonly StreamEvent[] }
  /** The beacons by their ids: what each answers, or after how many ms in turn, the last for all that follow. */
  | { readonly beacons: Readonly<Record<string, readonly number[] | AnswerScript>> };

export interface ServersScript {
  /** The servers, by the names of their ids. */
  readonly ids: readonly string[];
  readonly etag?: string;
  readonly gzip?: true;
  /** Whether only half of it comes. */
  readonly cut?: true;
  /** How many seconds the list has been stale. */
  readonly staleFor?: number;
  /** The name of the next page's cursor; null on the last page. */
  readonly next?: string | null;
  /** The ids that are removed, in an answer with changes. */
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
  /** The text of the stream as it is. */
  | { readonly raw: string };

export interface ChangesEvent {
  readonly changes: ServersScript;
  /** The form: data in several lines, or no space behind a colon. */
  readonly form?: 'lines' | 'tight';
  readonly lineEnd?: '\r\n' | '\r';
  /** How much of the event comes: its id, half of it, or all but the empty line that ends it. */
  readonly upTo?: 'id' | 'half' | 'end';
}

export interface StopScript {
  /** The remove that the client has to send; undefined: it sends none, as it has no entry. */
  readonly remove?: Omit<WriteExpected, 'request' | 'after'>;
  /** Whether the client is told to give up the id. */
  readonly forGood?: true;
}

export interface SpreadScript {
  readonly of: 'first pings' | 'pings' | 'pauses' | 'pauses of a watch';
  readonly times: number;
  readonly between: Span;
}
