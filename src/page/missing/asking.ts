/**
 * Asks why a server is not listed, one question at a time, and holds the outcome of the last one. After an answer that
 * demands patience, no question is sent for that time. This file knows nothing of what is shown.
 */

import { AnswerError, type Answers } from '../connection/get-json.ts';

export interface Question {
  readonly server_host?: string;
  readonly server_port?: number;
  readonly server_id?: string;
}

export type FailureCause =
  /** This address has asked too often. */
  | 'limited'
  /** The service refused the question, with a reason. */
  | 'refused'
  /** The service requires a key. */
  | 'unauthorized'
  /** The service was reached, and has no answer now. */
  | 'unavailable'
  | 'offline';

export type AskingStatus =
  | { readonly is: 'idle' }
  | { readonly is: 'asking' }
  | { readonly is: 'told'; readonly diagnosis: Answers['Diagnosis'] }
  | {
      readonly is: 'failed';
      readonly cause: FailureCause;
      /** The service's text. */
      readonly reason: string | undefined;
      /** How long no question is sent, until the failure is over; 0 if one may be sent at once. */
      readonly waitMs: number;
    };

/** Rejects as postJson() does. */
export type AskDoctor = (question: Question, signal: AbortSignal) => Promise<Answers['Diagnosis']>;

/** How long an answer may take: the service answers within 5 s. */
const DEADLINE_MS = 20_000;
/** The wait if the service does not set one. */
const LIMITED_MS = 10_000;

export class Asking {
  readonly #ask: AskDoctor;
  readonly #subscribers = new Set<() => void>();
  #status: AskingStatus = { is: 'idle' };
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(ask: AskDoctor) {
    this.#ask = ask;
  }

  get status(): AskingStatus {
    return this.#status;
  }

  get isBusy(): boolean {
    return this.#status.is === 'asking' || (this.#status.is === 'failed' && this.#status.waitMs > 0);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** Does nothing while it is busy. Never rejects. */
  async ask(question: Question): Promise<void> {
    if (this.isBusy) return;
    const { signal } = (this.#abort = new AbortController());
    this.#timer = setTimeout(() => this.#abort.abort(), DEADLINE_MS);
    this.#set({ is: 'asking' });
    let status: AskingStatus;
    try {
      status = { is: 'told', diagnosis: await this.#ask(question, signal) };
    } catch (error) {
      status = failureOf(error);
    }
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    if (status.is === 'failed' && status.waitMs > 0)
      this.#timer = setTimeout(() => this.#set({ is: 'idle' }), status.waitMs);
    this.#set(status);
  }

  /** Aborts the question under way and notifies nobody any more, for good. */
  close(): void {
    this.#isClosed = true;
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  #set(status: AskingStatus): void {
    this.#status = status;
    for (const listener of this.#subscribers) listener();
  }
}

function failed(cause: FailureCause, reason?: string, waitMs = 0): AskingStatus {
  return { is: 'failed', cause, reason, waitMs };
}

function failureOf(error: unknown): AskingStatus {
  // fetch() rejects with this error if there is no answer at all.
  if (error instanceof TypeError) return failed('offline');
  if (!(error instanceof AnswerError)) return failed('unavailable');
  const { code, reason, retryAfterMs } = error;
  switch (code) {
    case 'rate_limited':
      return failed('limited', reason, retryAfterMs ?? LIMITED_MS);
    case 'unauthorized':
      return failed('unauthorized', reason);
    case 'invalid_request':
    case 'cross_site':
    case 'not_allowed':
      return failed('refused', reason);
  }
  return failed('unavailable', reason, retryAfterMs);
}
