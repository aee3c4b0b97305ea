/**
 * All open streams of this replica: how many there may be, the one clock that they share, which clients are cut off,
 * and how all streams end when the replica stops.
 */

import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../model/service-error.ts';
import { onceItHasConnection } from '../../runtime/node-internals.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker } from '../work/work.ts';
import { systemClock, type Clock, type Listing, type Registry } from '../../registry/registry.ts';
import type { ListPosition } from '../../registry/snapshot/snapshot.ts';
import type { StreamedBody } from '../http/answer.ts';
import { isToBeLeft } from '../http/context.ts';
import { retryAfter } from './event-text.ts';
import { LiveChanges, type StreamClient } from './live-changes.ts';
import { StreamLimits, type StreamLimitsOptions } from './stream-limits.ts';
import { Outbox } from './stream-outbox.ts';
import type { WantedList } from './wanted-list.ts';
import { WaitingMemory } from '../http/server/waiting-memory.ts';

/** `lagging`: the client was too far behind. `memory`: too much waited for all, and this client had waited longest. */
export const STREAM_CUT_OFF_REASONS = ['lagging', 'memory'] as const;
export type StreamCutOffReason = (typeof STREAM_CUT_OFF_REASONS)[number];

export interface StreamEvents {
  /** How many streams are open from now on. */
  readonly onStreams: (open: number) => void;
  readonly onEvents: (sent: number) => void;
  readonly onWaiting: (bytes: number) => void;
  readonly onCutOff: (reason: StreamCutOffReason, remoteAddress: string | undefined) => void;
  /** Called for a defect. */
  readonly onError: (error: unknown) => void;
}

export interface StreamsOptions extends StreamLimitsOptions {
  readonly registry: Pick<Registry, 'list'>;
  readonly turns: Turns;
  /** How often changes are sent to clients, in ms. */
  readonly intervalMs: number;
  /** How many bytes may wait for all clients together. */
  readonly maxWaitingBytes: number;
  /** How long a stream lasts, in ms, less up to a tenth: streams that began together do not end together. */
  readonly lifeMs: number;
  readonly events: StreamEvents;
  /** Aborted when this replica begins to stop; all streams end then. */
  readonly stopping?: AbortSignal | undefined;
  readonly clock?: Pick<Clock, 'every'>;
}

/** The stream that a client asks for. */
export interface StreamRequest {
  readonly wanted: WantedList;
  /** The list that the client has; undefined for none. */
  readonly since: ListPosition | undefined;
  readonly asker: Asker;
  readonly isGzip: boolean;
}

/** A client to which nothing was sent for this long gets a bookmark. */
const BOOKMARK_INTERVAL_MS = 2000;
/** The clock beats at least this often. */
const LONGEST_BEAT_MS = 1000;

/**
 * How long clients wait before they connect again, in ms: after the connection was lost, after the stream has lasted
 * its time, and after the replica has stopped. The second is short: few streams end together, and a client that
 * received something 2.5 s before is back before it takes the silence for an outage (5 s on the page).
 */
const USUAL_RETRY_MS = [1000, 3000] as const;
const RETRY_AFTER_LIFE_MS = [100, 1000] as const;
const RETRY_AFTER_STOP_MS = [500, 5000] as const;

/** When a replica stops, its streams end within this time, ENDED_AT_A_TIME at once. */
const DRAINING_MS = 400;
const ENDED_AT_A_TIME = 64;

interface OpenStream extends StreamClient {
  /** When the client last had nothing waiting. ms. */
  readyAt: number;
  /** When the stream ends, and its client opens another one. ms. */
  readonly endsAt: number;
}

export class Streams {
  readonly #options: StreamsOptions;
  readonly #limits: StreamLimits;
  readonly #memory = new WaitingMemory();
  readonly #open = new Set<OpenStream>();
  readonly #feed: LiveChanges;
  readonly #beatMs: number;
  readonly #beatsOfATick: number;
  /** Beats since the first stream. They are the clock of this class, which stands still while the process is paused. */
  #beats = 0;
  #isBeating = false;
  #stopClock: (() => void) | undefined;

  constructor(options: StreamsOptions) {
    const { registry, turns, intervalMs, events, stopping } = options;
    this.#options = options;
    this.#limits = new StreamLimits(options);
    this.#beatsOfATick = Math.ceil(intervalMs / LONGEST_BEAT_MS);
    this.#beatMs = intervalMs / this.#beatsOfATick;
    this.#feed = new LiveChanges({
      registry,
      turns,
      now: () => this.#now,
      onEvents: events.onEvents,
      onLagging: (client) => this.#cutOff(client, 'lagging'),
      onError(error, { outbox }) {
        events.onError(error);
        outbox.cutOff();
      },
    });
    stopping?.addEventListener('abort', () => void this.#endAll());
  }

  /**
   * A stream for this client, which begins when its body is started. `listing`: the list at which the first stream
   * begins. Throws a ServiceError `too_many_streams`, `overloaded` or `shutting_down`.
   */
  open(request: StreamRequest, listing: Listing): StreamedBody {
    if (isToBeLeft(this.#options.stopping)) throw new ServiceError('shutting_down');
    this.#limits.check(request.asker.client.address);
    // Work is admitted here, for the client's first text: once a stream is open it cannot be refused any more.
    this.#options.turns.admit(request.asker);
    return {
      start: (response) => {
        // From then on the end of the connection is noticed.
        onceItHasConnection(response, () => this.#begin(response, request, listing));
      },
    };
  }

  #begin(response: ServerResponse, request: StreamRequest, listing: Listing): void {
    const { lifeMs, events, stopping, clock = systemClock } = this.#options;
    const { wanted, since, asker, isGzip } = request;
    const outbox = new Outbox(response, isGzip, retryAfter(between(USUAL_RETRY_MS)), this.#memory);
    if (stopping?.aborted) return outbox.end(retryAfter(between(RETRY_AFTER_STOP_MS)));
    if (response.req.socket.destroyed) return;
    const now = this.#now;
    const stream = {
      asker,
      wanted,
      outbox,
      position: since,
      isAwaitingText: false,
      isToldStale: false,
      toldAt: now,
      readyAt: now,
      endsAt: now + between([0.9 * lifeMs, lifeMs]),
    };
    const release = this.#limits.take(asker.client.address);
    this.#open.add(stream);
    events.onStreams(this.#limits.count);
    response.once('close', () => {
      release();
      this.#open.delete(stream);
      this.#feed.remove(stream);
      if (this.#open.size === 0) this.#stop();
      events.onStreams(this.#limits.count);
    });
    this.#feed.add(stream, listing);
    this.#stopClock ??= clock.every(this.#beatMs, () => this.#beat());
  }

  #stop(): void {
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  /** ms since the first stream, as far as the clock has beaten. */
  get #now(): number {
    return this.#beats * this.#beatMs;
  }

  /** While a beat is still at work, the next one is skipped. */
  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#beats += 1;
    try {
      this.#makeRoom();
      this.#endOld();
      if (this.#beats % this.#beatsOfATick === 0) await this.#feed.tick();
      // Half a beat is subtracted, so that bookmarks come at the beat that is nearest to the interval.
      await this.#feed.sendBookmarks(BOOKMARK_INTERVAL_MS - this.#beatMs / 2);
    } catch (error) {
      this.#options.events.onError(error);
    } finally {
      this.#isBeating = false;
    }
  }

  /** Cuts off clients if too much waits, beginning with those that have let it wait the longest. */
  #makeRoom(): void {
    const { maxWaitingBytes, events } = this.#options;
    for (const stream of this.#open) if (stream.outbox.waitingBytes === 0) stream.readyAt = this.#now;
    events.onWaiting(this.#memory.bytes);
    if (this.#memory.bytes <= maxWaitingBytes) return;
    for (const stream of [...this.#open].toSorted((a, b) => a.readyAt - b.readyAt)) {
      if (this.#memory.bytes <= maxWaitingBytes) return;
      if (stream.outbox.waitingBytes > 0) this.#cutOff(stream, 'memory');
    }
  }

  /** Ends the streams whose time is over. The client continues from its position with a new stream. */
  #endOld(): void {
    for (const { outbox, endsAt } of this.#open)
      if (endsAt <= this.#now) outbox.end(retryAfter(between(RETRY_AFTER_LIFE_MS)));
  }

  #cutOff({ outbox }: StreamClient, reason: StreamCutOffReason): void {
    this.#options.events.onCutOff(reason, outbox.remoteAddress);
    outbox.cutOff();
  }

  /** Ends all streams. Each client gets a wait of its own before it connects again. */
  async #endAll(): Promise<void> {
    this.#stop();
    const all = [...this.#open];
    const pauseMs = (DRAINING_MS * ENDED_AT_A_TIME) / Math.max(all.length, ENDED_AT_A_TIME);
    for (const [index, { outbox }] of all.entries()) {
      if (index % ENDED_AT_A_TIME === ENDED_AT_A_TIME - 1) await delay(pauseMs);
      outbox.end(retryAfter(between(RETRY_AFTER_STOP_MS)));
    }
  }
}

function between([shortest, longest]: readonly [number, number]): number {
  return shortest + Math.random() * (longest - shortest);
}
