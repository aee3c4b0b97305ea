/**
 * Keeps one game server listed at one service, by the rules of docs/game-servers.md: what is sent next, and when. Has
 * no timer and no file, and knows nothing of the game server but its fields.
 */

import type { BeaconWatch } from './beacons/beacon-watch.ts';
import { isOfGsls, type ServiceAnswer, type Ask } from './ask.ts';
import { growingPauseMs, retryAfterOf } from './pauses.ts';

/** The fields of a broadcast that an Announcer reads, in the words of the API. */
export interface AnnouncerFields {
  /** An address, or `auto`. */
  readonly server_ip: string;
}

export interface AnnouncerOptions {
  readonly ask: Ask;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Returns the time in ms since the epoch. */
  readonly now: () => number;
  /** Knows how far the beacons of the service are; undefined if nobody measures them. */
  readonly beacons?: Pick<BeaconWatch, 'latency' | 'note'> | undefined;
  /** The token of the entry that the game server has had before. */
  readonly token?: string | undefined;
  /** The token to keep; undefined: the one that it had is not valid any more. */
  readonly onToken?: (token: string | undefined) => void;
}

/** The result of a turn: one broadcast or one ping. */
export interface Turn {
  readonly sent: 'broadcast' | 'ping';
  readonly answer: ServiceAnswer;
  /** Whether the service has the entry now. */
  readonly isAccepted: boolean;
  /** Whether the next request is another broadcast than before, under a fresh key. */
  readonly beginsAnew: boolean;
  /** How long to wait before the next turn. */
  readonly waitMs: number;
}

/** The pause after an error that a person has to correct. */
const WAIT_FOR_A_PERSON_MS = 300_000;
/** The interval of pings until the service has sent its own. */
const PING_INTERVAL_MS = 20_000;
const NO_TOKEN = 'claim';

/** The codes after which the entry is gone, or has another address: the token keeps the id. */
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
  #verification: string | undefined;
  #joinCode: string | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#token = options.token ?? NO_TOKEN;
  }

  /** Undefined before its broadcast was accepted, and once it has to broadcast again. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The interval of pings that the service asks for; 20 s until it has sent one. */
  get pingIntervalMs(): number {
    return this.#pingIntervalMs;
  }

  /** The header `Server-Verification` that the service has sent last. */
  get verification(): string | undefined {
    return this.#verification;
  }

  /** The join code by which players find an unlisted entry, as the service has sent it last. */
  get joinCode(): string | undefined {
    return this.#joinCode;
  }

  /** Broadcasts or pings, whichever is due. */
  async announce(fields: AnnouncerFields): Promise<Turn> {
    const { ask, beacons } = this.#options;
    const headers = { 'Server-Token': this.#token };
    const isFirst = this.#id === undefined;
    const key = this.#key;
    const { latency } = beacons ?? {};
    const said = latency === undefined ? fields : { latency, ...fields };
    const answer = isFirst
      ? await ask({
          method: 'POST',
          path: '/broadcast',
          body: said,
          headers: { ...headers, 'Idempotency-Key': key },
        })
      : await ask({ method: 'POST', path: '/ping', body: { ...said, server_id: this.#id }, headers });
    const isAccepted = this.#isSuccess(answer);
    const waitMs = isAccepted ? this.#accept(answer) : this.#refuse(answer);
    beacons?.note(answer, this.#pingIntervalMs);
    this.#verification = answer.headers.get('Server-Verification') ?? this.#verification;
    this.#joinCode = answer.headers.get('Server-Join-Code') ?? this.#joinCode;
    const sent = isFirst ? 'broadcast' : 'ping';
    return { sent, answer, isAccepted, beginsAnew: key !== this.#key, waitMs };
  }

  /**
   * Takes the entry off the list, if there is one. The next request is then a broadcast. `keepsId`: the service keeps
   * the id for a broadcast with the token; one that is too old for this removes the entry for good.
   */
  async remove({ server_ip }: AnnouncerFields, keepsId = false): Promise<ServiceAnswer | undefined> {
    if (this.#id === undefined) return undefined;
    const body = { server_id: this.#id, server_ip, ...(keepsId && { keep_id: true }) };
    this.#beginAnew();
    return this.#options.ask({
      method: 'POST',
      path: '/remove',
      body,
      headers: { 'Server-Token': this.#token },
    });
  }

  #isSuccess({ status, body }: ServiceAnswer): boolean {
    const isNamed = this.#id !== undefined || typeof body['server_id'] === 'string';
    return status === 200 && body['status'] === 'success' && isNamed;
  }

  /** Returns how long to wait before the next ping. */
  #accept({ body, headers }: ServiceAnswer): number {
    const isFirst = this.#id === undefined;
    this.#mayClaim ||= !isFirst;
    this.#id ??= body['server_id'] as string;
    this.#failures = 0;
    const token = headers.get('Server-Token') || this.#token;
    if (token !== this.#token) {
      this.#token = token;
      this.#options.onToken?.(token);
    }
    const seconds = Number(headers.get('Server-Ping-Interval'));
    if (seconds >= 1 && seconds <= 1_000_000) this.#pingIntervalMs = 1000 * seconds;
    const { random } = this.#options;
    // Those that began together ping at different times, from the first ping on.
    return this.#pingIntervalMs * (isFirst ? random() : 0.9 + 0.2 * random());
  }

  /** Returns how long to wait before the next request. */
  #refuse(answer: ServiceAnswer): number {
    const { status, code } = answer;
    const { random } = this.#options;
    if (!isOfGsls(answer)) return this.#passingPauseMs(answer);
    if (BROADCAST_AGAIN.includes(code)) {
      this.#beginAnew();
      return this.#pingIntervalMs * random();
    }
    // No service has issued this token: another program may have written the file.
    const isDamaged = code === 'invalid_request' && this.#id === undefined && this.#token !== NO_TOKEN;
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

  #passingPauseMs({ headers }: ServiceAnswer): number {
    const { random, now } = this.#options;
    const pauseMs = growingPauseMs(this.#failures, this.#pingIntervalMs, random());
    this.#failures += 1;
    return Math.max(pauseMs, retryAfterOf(headers, now()) ?? 0);
  }

  #beginAnew(): void {
    this.#id = undefined;
    this.#key = crypto.randomUUID();
    this.#failures = 0;
  }
}
