/**
 * Keeps one game server listed at one service, by the rules of docs/game-servers.md: what is sent next, and when. Has
 * no timer and no file, and knows nothing of the game server but its fields.
 */

import type { Answer, Ask } from './ask.ts';
import { growingPauseMs, retryAfterOf } from './pauses.ts';

/** What a broadcast says, in the words of the API. */
export interface BroadcastFields {
  /** An address, or `auto`. */
  readonly server_ip: string;
}

export interface AnnouncerOptions {
  readonly ask: Ask;
  /** From 0 to 1. */
  readonly random: () => number;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Of the entry that it has had before. */
  readonly token?: string | undefined;
  /** The token to keep; undefined: the one that it had is not valid any more. */
  readonly onToken?: (token: string | undefined) => void;
}

/** What came of a turn. */
export interface Turn {
  readonly sent: 'broadcast' | 'ping';
  readonly answer: Answer;
  /** How long to wait before the next turn. */
  readonly waitMs: number;
}

/** After an error that a person has to correct. */
const WAIT_FOR_A_PERSON_MS = 300_000;
/** Until the service has told its own. */
const PING_INTERVAL_MS = 20_000;
const NO_TOKEN = 'claim';

/** Their entry is gone, or has another address: the token keeps the id. */
const BROADCAST_AGAIN: readonly unknown[] = ['unknown_server', 'idempotency_key_used', 'ip_mismatch'];
const CLAIM_AGAIN: readonly unknown[] = ['not_owner', 'server_token_required'];
const PASSING: readonly number[] = [408, 429];

export class Announcer {
  readonly #options: AnnouncerOptions;
  #id: string | undefined;
  #token: string;
  /** Lets a broadcast that was not answered be repeated. A credential like the token, and as hard to guess. */
  #key: string = crypto.randomUUID();
  #pingIntervalMs = PING_INTERVAL_MS;
  #failures = 0;
  /** Whether a refused token may be replaced at once; then not before a ping has succeeded. */
  #mayClaim = true;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#token = options.token ?? NO_TOKEN;
  }

  /** Undefined before its broadcast was accepted, and once it has to broadcast again. */
  get id(): string | undefined {
    return this.#id;
  }

  /** What the service asks for; until it has told, 20 s. */
  get pingIntervalMs(): number {
    return this.#pingIntervalMs;
  }

  /** Broadcasts or pings, whichever is due. */
  async announce(fields: BroadcastFields): Promise<Turn> {
    const { ask } = this.#options;
    const headers = { 'Server-Token': this.#token };
    const isFirst = this.#id === undefined;
    const answer = isFirst
      ? await ask({
          method: 'POST',
          path: '/broadcast',
          body: fields,
          headers: { ...headers, 'Idempotency-Key': this.#key },
        })
      : await ask({ method: 'POST', path: '/ping', body: { ...fields, server_id: this.#id }, headers });
    return { sent: isFirst ? 'broadcast' : 'ping', answer, waitMs: this.#take(answer) };
  }

  /** Takes the entry off the list, if there is one. What it sends next is a broadcast. */
  async remove({ server_ip }: BroadcastFields): Promise<Answer | undefined> {
    if (this.#id === undefined) return undefined;
    const body = { server_id: this.#id, server_ip };
    this.#beginAnew();
    return this.#options.ask({
      method: 'POST',
      path: '/remove',
      body,
      headers: { 'Server-Token': this.#token },
    });
  }

  #take(answer: Answer): number {
    const { status, code } = answer;
    const isOfGsls = typeof answer.body['status'] === 'string' && (status < 300 || status >= 400);
    // A proxy may answer anything to anything.
    if (!isOfGsls) return this.#passingPauseMs(answer);
    const { random } = this.#options;
    const isFirst = this.#id === undefined;
    // Those that began together ping at different times, from the first ping on.
    if (status === 200 && this.#succeed(answer))
      return this.#pingIntervalMs * (isFirst ? random() : 0.9 + 0.2 * random());
    if (BROADCAST_AGAIN.includes(code)) {
      this.#beginAnew();
      return this.#pingIntervalMs * random();
    }
    // What no service has issued, such as a file that another program wrote.
    const isDamaged = code === 'invalid_request' && isFirst && this.#token !== NO_TOKEN;
    if (CLAIM_AGAIN.includes(code) || isDamaged) {
      const waitMs = this.#mayClaim ? this.#pingIntervalMs * random() : WAIT_FOR_A_PERSON_MS;
      this.#beginAnew();
      this.#token = NO_TOKEN;
      this.#mayClaim = false;
      this.#options.onToken?.(undefined);
      return waitMs;
    }
    if (PASSING.includes(status) || status >= 500 || code === 'address_taken')
      return this.#passingPauseMs(answer);
    return WAIT_FOR_A_PERSON_MS;
  }

  #passingPauseMs({ headers }: Answer): number {
    const { random, now } = this.#options;
    const pauseMs = growingPauseMs(this.#failures, this.#pingIntervalMs, random());
    this.#failures += 1;
    return Math.max(pauseMs, retryAfterOf(headers, now()) ?? 0);
  }

  /** Whether it was accepted. */
  #succeed({ body, headers }: Answer): boolean {
    const told = body['server_id'];
    if (body['status'] !== 'success' || (this.#id === undefined && typeof told !== 'string')) return false;
    this.#mayClaim ||= this.#id !== undefined;
    this.#id ??= told as string;
    this.#failures = 0;
    const token = headers.get('Server-Token') ?? this.#token;
    if (token !== this.#token) {
      this.#token = token;
      this.#options.onToken?.(token);
    }
    const seconds = Number(headers.get('Server-Ping-Interval'));
    if (seconds >= 1 && seconds <= 1_000_000) this.#pingIntervalMs = 1000 * seconds;
    return true;
  }

  #beginAnew(): void {
    this.#id = undefined;
    this.#key = crypto.randomUUID();
    this.#failures = 0;
  }
}
