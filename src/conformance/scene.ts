/**
 * What a scene is made of: data alone. A scene says what happens in turn, and with it what a client has to do. Ids,
 * tokens and tags have short names in a scene; the kit makes long ones of them, other ones each time.
 */

import type { ErrorCode } from '../errors.ts';

/** What a client says that it can do. A scene is played for those that can do all that it needs. */
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
  /** What the client has to do, in a sentence. */
  readonly rule: string;
  /** Where that is said: the document, and words of the line. */
  readonly proves: readonly [document: string, words: string];
  /** Whether it is short enough to be played on the wall clock. */
  readonly short?: true;
  /** How the service listens; 'http' if left out. */
  readonly listens?: 'http' | 'https' | 'ipv6';
  /** Behind the address of the service, such as `/lists/eu`. */
  readonly path?: string;
  /** Of a request, ms, real time. Short where the service is silent. */
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
  /** So many times. */
  | { readonly repeat: number; readonly acts: readonly Act[] }
  /** Pauses at random, of which the kit looks at so many: they fill their span. */
  | { readonly spread: SpreadScript }
  /** What the token file holds now; undefined: it is not there. */
  | { readonly tokenFile: string | undefined }
  /** So many connections at most were opened since the start. */
  | { readonly connections: number }
  /** Hours of pings before a service with faults at random. */
  | { readonly hours: number; readonly intervalS: number; readonly ttlS: number }
  /** The client is told to read. */
  | { readonly list: true }
  | { readonly find: string }
  | { readonly watch: string }
  | ReadExpected
  /** What the client says of the servers that it knows, in time. */
  | { readonly servers: readonly string[]; readonly stale?: boolean }
  /** What the client says when it gives up. */
  | { readonly failed: RegExp }
  /** Onto the stream that is open. */
  | { readonly send: readonly StreamEvent[] }
  /** The stream that is open ends, with or without an end that HTTP knows. */
  | { readonly end: 'well' | 'cut' };

export interface StartScript {
  readonly fields?: Readonly<Record<string, unknown>>;
  /** What is in the token file before: a token by its name, a text that is none, or nothing to read: a folder. */
  readonly tokenFile?: 'none' | 'folder' | { readonly token: string } | { readonly bytes: string };
  /** Takes any certificate. */
  readonly insecure?: true;
  /** No request may come, as none can be sent. */
  readonly failsFor?: number;
}

export interface WriteExpected {
  readonly request: 'broadcast' | 'ping' | 'remove';
  /** So long after the answer before. */
  readonly after?: Span;
  /** The name of a token, or `claim`. */
  readonly token?: string;
  /** Against the broadcast before. */
  readonly key?: 'fresh' | 'same';
  /** The name of an id. */
  readonly id?: string;
  /** Members of the body, among others. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What happens while it waits for its answer. */
  readonly meanwhile?: readonly Act[];
  readonly answer: AnswerScript;
}

export interface ReadExpected {
  /** The path. */
  readonly get: string;
  readonly after?: Span;
  /** Parameters, among others. */
  readonly query?: Readonly<Record<string, string>>;
  /** The name of the tag that it is at: as `since`, `Last-Event-ID` or `If-None-Match`; `none`: it has none. */
  readonly at?: string;
  readonly accept?: 'stream' | 'json' | 'gzip';
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
  | { readonly unchanged: true }
  /** A stream that stays open, with these events. */
  | { readonly stream: readonly StreamEvent[] };

export interface ServersScript {
  /** Ids by name, or so many. */
  readonly ids: readonly string[] | number;
  readonly etag?: string;
  readonly gzip?: true;
  /** Stale since so many seconds. */
  readonly staleFor?: number;
  /** Of pages: the name of the cursor of the next one; null on the last. */
  readonly next?: string | null;
  /** Of changes. */
  readonly removed?: readonly string[];
  readonly full?: boolean;
  readonly tag?: string;
  /** Members of each server, beside those that every one has. */
  readonly also?: Readonly<Record<string, unknown>>;
}

export type StreamEvent =
  | { readonly changes: ServersScript }
  /** A line `id`. */
  | { readonly bookmark: string }
  | { readonly stale: boolean }
  | { readonly retry: number }
  /** As it is. */
  | { readonly raw: string };

export interface StopScript {
  /** What it sends; undefined: nothing, as it has no entry. */
  readonly remove?: Omit<WriteExpected, 'request' | 'after'>;
}

export interface SpreadScript {
  readonly of: 'first pings' | 'pings' | 'pauses';
  readonly times: number;
  readonly between: Span;
}
