/**
 * Keeps one game server listed, by the rules of docs/game-servers.md: what is sent next, and when. Has no timer and
 * knows nothing of the game server but its fields.
 */

import { randomUUID } from 'node:crypto';
import type { Fields } from './invented-server.ts';
import type { Random } from './random.ts';
import type { Told, Post } from './send.ts';

/** After an error that a person has to correct. */
const WAIT_FOR_A_PERSON_MS = 300_000;
/** Until the service has told its own. */
const PING_INTERVAL_MS = 20_000;

/** Their entry is gone, or has another address: the token keeps the id. */
const BROADCAST_AGAIN: readonly unknown[] = ['unknown_server', 'idempotency_key_used', 'ip_mismatch'];
const CLAIM_AGAIN: readonly unknown[] = ['not_owner', 'server_token_required'];
const PASSING: readonly number[] = [0, 408, 429];

export class Announcer {
  readonly #send: Post;
  readonly #random: Random;
  #id: string | undefined;
  #token = 'claim';
  /** Lets a broadcast that was not answered be repeated. Never predictable, unlike all else in a world. */
  #key: string = randomUUID();
  #pingIntervalMs = PING_INTERVAL_MS;
  #failures = 0;
  /** Whether a refused token may be replaced at once; then not before a ping has succeeded. */
  #mayClaim = true;

  constructor(send: Post, random: Random) {
    this.#send = send;
    this.#random = random;
  }

  /** Whether its last broadcast was accepted, and no ping was told otherwise since. */
  get isListed(): boolean {
    return this.#id !== undefined;
  }

  /** Broadcasts or pings, whichever is due. `waitMs`: how long to wait before the next call. */
  async announce(fields: Fields): Promise<{ readonly answer: Told; readonly waitMs: number }> {
    const headers = { 'Server-Token': this.#token };
    const answer =
      this.#id === undefined
        ? await this.#send('/broadcast', fields, { ...headers, 'Idempotency-Key': this.#key })
        : await this.#send('/ping', { ...fields, server_id: this.#id }, headers);
    return { answer, waitMs: this.#take(answer) };
  }

  /** Takes the entry off the list, if there is one. What it sends next is a broadcast. */
  async remove({ server_ip }: Fields): Promise<void> {
    if (this.#id === undefined) return;
    const entry = { server_id: this.#id, server_ip };
    this.#beginAnew();
    await this.#send('/remove', entry, { 'Server-Token': this.#token });
  }

  #take(answer: Told): number {
    const { status, code } = answer;
    if (status === 200) return this.#succeed(answer);
    if (BROADCAST_AGAIN.includes(code)) {
      this.#beginAnew();
      return this.#pingIntervalMs * this.#random();
    }
    if (CLAIM_AGAIN.includes(code)) {
      const waitMs = this.#mayClaim ? this.#pingIntervalMs * this.#random() : WAIT_FOR_A_PERSON_MS;
      this.#beginAnew();
      this.#token = 'claim';
      this.#mayClaim = false;
      return waitMs;
    }
    if (PASSING.includes(status) || status >= 500 || code === 'address_taken') {
      const pauseMs = Math.min(this.#pingIntervalMs, 1000 * 2 ** this.#failures);
      this.#failures += 1;
      return Math.max(pauseMs * (0.5 + 0.5 * this.#random()), answer.retryAfterMs ?? 0);
    }
    return WAIT_FOR_A_PERSON_MS;
  }

  #succeed({ serverId, token, pingIntervalMs }: Told): number {
    const isFirst = this.#id === undefined;
    this.#id ??= serverId;
    this.#token = token ?? this.#token;
    this.#failures = 0;
    this.#mayClaim ||= !isFirst;
    this.#pingIntervalMs = pingIntervalMs || this.#pingIntervalMs;
    // Those that began together ping at different times, from the first ping on.
    return this.#pingIntervalMs * (isFirst ? this.#random() : 0.9 + 0.2 * this.#random());
  }

  #beginAnew(): void {
    this.#id = undefined;
    this.#key = randomUUID();
    this.#failures = 0;
  }
}
