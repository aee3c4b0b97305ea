/**
 * Very many game servers in one process, each with the manners of docs/game-servers.md: one broadcast, a ping at each
 * interval, the same request again after a 503, a new broadcast only after 404. They share connections, as many as
 * it takes, and one timing wheel; each takes some 60 bytes.
 */

import { headerOf, type Answer } from '../support/http-connection.ts';
import { addDuration, createCounts } from '../support/histogram.ts';
import type { GameServersOptions, GameServersReport } from './game-servers-report.ts';
import { ID_LENGTH } from './ids.ts';
import { ReadyQueue } from './ready-queue.ts';
import { FEWEST_PLAYERS, MOST_PLAYERS } from './request-text.ts';
import { SenderPool } from './sender-pool.ts';
import { TICK_MS, TimingWheel } from './timing-wheel.ts';

/** The states of a game server; 0 before its first broadcast. */
const BROADCASTING = 1;
const LISTED = 2;
const SILENT = 3;

/** So many broadcasts of a wave are under way at the same time. */
const MOST_IN_WAVE = 64;
const JITTER = 0.1;
/** The longest doubling of the pause before another try: 32 s. */
const MOST_DOUBLINGS = 5;
const ID_IN_ANSWER = '"server_id":"';

export class GameServers {
  readonly #options: GameServersOptions;
  readonly #ids: Buffer;
  readonly #states: Uint8Array;
  readonly #players: Uint8Array;
  /** In a row. */
  readonly #failures: Uint8Array;
  readonly #keysUsed: Uint8Array;
  /** Whether it is neither in the wheel nor among the ready. */
  readonly #isSending: Uint8Array;
  readonly #wheel: TimingWheel;
  readonly #ready = new ReadyQueue();
  /** The start-up wave: these have not broadcast yet. */
  #waveAt = 0;
  #waveEnd = 0;
  /** How many broadcasts are under way. */
  #broadcasting = 0;
  readonly #senders: SenderPool;
  #living = 0;
  #failing = 0;
  #lost = 0;
  #late = 0;
  readonly #pings = createCounts();
  readonly #broadcasts = createCounts();
  readonly #statuses = new Map<number, number>();

  constructor(options: GameServersOptions) {
    const { capacity } = options;
    this.#options = options;
    this.#ids = Buffer.alloc(capacity * ID_LENGTH);
    this.#states = new Uint8Array(capacity);
    this.#players = new Uint8Array(capacity).fill(FEWEST_PLAYERS);
    this.#failures = new Uint8Array(capacity);
    this.#keysUsed = new Uint8Array(capacity);
    this.#isSending = new Uint8Array(capacity);
    this.#wheel = new TimingWheel(capacity);
    this.#senders = new SenderPool(options, (n, answer) => {
      this.#isSending[n] = 0;
      this.#take(n, answer);
      this.#pump();
    });
    setInterval(() => this.#turn(), TICK_MS);
  }

  /** Game servers up to the number `end` broadcast: at once, as fast as they are answered, or spread over a time. */
  start(end: number, withinMs = 0): void {
    if (withinMs === 0) {
      this.#waveEnd = end;
      return;
    }
    for (let n = this.#waveEnd; n < end; n += 1) {
      this.#states[n] = BROADCASTING;
      this.#wheel.schedule(n, Math.random() * withinMs);
    }
    this.#waveAt = end;
    this.#waveEnd = end;
  }

  /** All that live ping within this time, whenever they meant to. */
  pingAllWithin(ms: number): void {
    this.#wheel.clear();
    this.#ready.clear();
    for (let n = 0; n < this.#waveAt; n += 1) {
      const state = this.#states[n];
      if ((state === LISTED || state === BROADCASTING) && this.#isSending[n] === 0)
        this.#wheel.schedule(n, Math.random() * ms);
    }
  }

  /** This share of the game servers falls silent for good. Returns how many. */
  silence(share: number): number {
    let count = 0;
    for (let n = 0; n < this.#waveAt; n += 1) {
      if (this.#states[n] !== LISTED || Math.random() >= share) continue;
      this.#states[n] = SILENT;
      count += 1;
    }
    this.#living -= count;
    return count;
  }

  report(): GameServersReport {
    return {
      living: this.#living,
      failing: this.#failing,
      lost: this.#lost,
      pings: this.#pings,
      broadcasts: this.#broadcasts,
      statuses: this.#statuses,
      late: this.#late,
      bytesSent: this.#senders.sum('bytesSent'),
      bytesReceived: this.#senders.sum('bytesReceived'),
    };
  }

  /** The ids of all that live; the ids of others are zeros. */
  livingIds(): Buffer {
    const ids = Buffer.from(this.#ids.subarray(0, this.#waveAt * ID_LENGTH));
    for (let n = 0; n < this.#waveAt; n += 1)
      if (this.#states[n] !== LISTED) ids.fill(0, n * ID_LENGTH, (n + 1) * ID_LENGTH);
    return ids;
  }

  #turn(): void {
    this.#wheel.advance((n) => {
      if (this.#states[n] !== SILENT) this.#ready.push(n);
    });
    this.#pump();
  }

  /** Pings first: a long wave of broadcasts must not starve those that are listed. */
  #pump(): void {
    while (this.#senders.canTake) {
      if (this.#ready.length > 0) {
        const n = this.#ready.take();
        if (this.#states[n] === LISTED) this.#noteLateness(n);
        if (this.#states[n] !== SILENT) this.#send(n);
      } else if (this.#waveAt < this.#waveEnd && this.#broadcasting < MOST_IN_WAVE) {
        const n = this.#waveAt;
        this.#waveAt += 1;
        this.#states[n] = BROADCASTING;
        this.#send(n);
      } else return;
    }
  }

  #noteLateness(n: number): void {
    const lateMs = this.#wheel.lateMs(n);
    if (lateMs > this.#options.pingIntervalMs) this.#late += 1;
  }

  #send(n: number): void {
    const { text, connection } = this.#senders.take(n);
    this.#isSending[n] = 1;
    if (this.#states[n] === BROADCASTING) {
      this.#broadcasting += 1;
      connection.send(text.broadcast(n, this.#players[n]!, this.#keysUsed[n]!));
      return;
    }
    // A repetition carries the same data.
    if (this.#failures[n] === 0 && Math.random() < this.#options.changed) {
      const players = this.#players[n]! + 1;
      this.#players[n] = players > MOST_PLAYERS ? FEWEST_PLAYERS : players;
    }
    connection.send(text.ping(n, this.#players[n]!, this.#ids));
  }

  #take(n: number, answer: Answer): void {
    const { status, ms } = answer;
    const isBroadcast = this.#states[n] === BROADCASTING;
    if (isBroadcast) this.#broadcasting -= 1;
    addDuration(isBroadcast ? this.#broadcasts : this.#pings, ms);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (this.#states[n] === SILENT) return;
    if (status === 200) this.#succeed(n, isBroadcast ? answer.body : undefined);
    else if (status === 404 && !isBroadcast) this.#lose(n);
    else {
      if (status === 409) this.#keysUsed[n]! += 1;
      this.#retry(n, Number(headerOf(answer.head, 'retry-after') ?? 0));
    }
  }

  /** `body`: of the answer to a broadcast. */
  #succeed(n: number, body: Buffer | undefined): void {
    if (body !== undefined) {
      const at = body.indexOf(ID_IN_ANSWER) + ID_IN_ANSWER.length;
      body.copy(this.#ids, n * ID_LENGTH, at, at + ID_LENGTH);
      this.#states[n] = LISTED;
      this.#living += 1;
    }
    if (this.#failures[n]! > 0) this.#failing -= 1;
    this.#failures[n] = 0;
    this.#wheel.schedule(n, this.#options.pingIntervalMs * (1 - JITTER + 2 * JITTER * Math.random()));
  }

  #lose(n: number): void {
    this.#lost += 1;
    this.#living -= 1;
    this.#states[n] = BROADCASTING;
    this.#keysUsed[n]! += 1;
    if (this.#failures[n] === 0) this.#failing += 1;
    this.#failures[n] = 1;
    this.#wheel.schedule(n, Math.random() * this.#options.pingIntervalMs);
  }

  /** After 1 s, 2 s, 4 s and so on up to the ping interval, shortened at random, and not before Retry-After. */
  #retry(n: number, retryAfterS: number): void {
    if (this.#failures[n] === 0) this.#failing += 1;
    const doublings = Math.min(this.#failures[n]!, MOST_DOUBLINGS);
    this.#failures[n] = Math.min(this.#failures[n]! + 1, 255);
    const longestMs = Math.min(1000 * 2 ** doublings, this.#options.pingIntervalMs);
    this.#wheel.schedule(n, Math.max(longestMs * (0.5 + 0.5 * Math.random()), 1000 * retryAfterS));
  }
}
