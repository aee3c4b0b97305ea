/**
 * The schedule of probes: a game server is probed at once after its broadcast, and now and then afterwards, few at a
 * time. The number of entries kept is bounded, however many broadcasts come.
 */

import { setMaxListeners } from 'node:events';
import { monotonicClock, type ProbeClock } from './clock.ts';
import { Fifo } from './fifo.ts';
import { NetworkQueue, type QueuedNetwork, type NetworkQueueLimits } from './network-queue.ts';
import type { ProbeRefusal, ProbeRule } from './probe-rule.ts';
import type { ProbeResult, ProbeTarget } from './probe-result.ts';

/** An entry whose game server is to be probed. */
export interface Candidate extends ProbeTarget {
  readonly id: string;
  /** The address of the client that sent the broadcast or the ping, in canonical form (parseIp). */
  readonly clientAddress: string;
  /** Whether the entry counts as verified, at this address and port. */
  readonly isVerified: boolean;
  /** Whether the game server broadcast; otherwise it pinged. */
  readonly isBroadcast: boolean;
}

export interface ProberOptions {
  /** Never rejects. */
  readonly probe: (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>;
  readonly rule: ProbeRule;
  /**
   * Whether this process may probe the entry now. If it may, no other process gets the lease for `forMs`; the same
   * process may renew it. After a rejection the entry is tried again later.
   */
  readonly takeLease: (id: string, forMs: number) => Promise<boolean>;
  /**
   * Receives the result of a probe. One failure of a verified game server is no result: it has to fail three times in a
   * row. An outcome `not_tried` is not passed on. After a rejection the game server is probed again soon.
   */
  readonly onResult: (id: string, target: ProbeTarget, result: ProbeResult) => void | Promise<void>;
  /** The network to which a canonical address belongs. */
  readonly networkOf: (ip: string) => string;
  readonly clock?: ProbeClock;
  readonly limits?: Partial<ProberLimits>;
}

export interface ProberLimits extends NetworkQueueLimits {
  /** How many probes run at the same time, each with one socket. A network has one at most. */
  readonly concurrency: number;
}

/** There are as many places as one process can probe in an interval if each game server answers within 50 ms. */
const LIMITS: ProberLimits = { concurrency: 16, probesPerNetwork: 60, places: 200_000 };

/** How long after a probe a verified game server is probed again. */
export const VERIFY_INTERVAL_MS = 600_000;

/** The pauses after the first failure in a row, the second, and so on; the last one repeats. */
const RETRY_PAUSES_MS = [15_000, 30_000, 60_000, 120_000, 240_000, VERIFY_INTERVAL_MS];

/** The lease for a verified game server, so long that one process probes it in an interval, and not each process. */
const VERIFIED_LEASE_MS = 0.9 * VERIFY_INTERVAL_MS;

/**
 * The lease for any other game server. It is long enough for a probe, and so short that a probe soon follows a new
 * broadcast, whichever process gets it.
 */
const UNVERIFIED_LEASE_MS = 10_000;

/** How many failures in a row end the verification: a game server that changes its map may be silent for seconds. */
const FAILURES_TO_UNVERIFY = 3;

const TICK_MS = 1000;

const TOO_MANY: ProbeRefusal = {
  reason: 'too_many',
  words: 'too many game servers wait to be verified: the next ping asks again',
};

interface Entry {
  readonly id: string;
  readonly ip: string;
  readonly port: number;
  readonly network: QueuedNetwork<Entry>;
  isVerified: boolean;
  /** The number of failures in a row. */
  failures: number;
  /** When a broadcast or a ping last named it. */
  namedAt: number;
  /** When its pause ends. */
  dueAt: number;
}

export class Prober {
  readonly #options: ProberOptions;
  readonly #clock: ProbeClock;
  readonly #limits: ProberLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #queue: NetworkQueue<Entry>;
  /** Pausing entries by the length of their pause, so that each queue is in the order of time. */
  readonly #pausing = new Map<number, Fifo<Entry>>();
  readonly #closing = new AbortController();
  readonly #stopTicking: () => void;
  #probing = 0;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#queue = new NetworkQueue(this.#limits, this.#clock);
    setMaxListeners(this.#limits.concurrency, this.#closing.signal);
    this.#stopTicking = this.#clock.every(TICK_MS, async () => this.#tick());
  }

  /** How many entries are kept, waiting for a probe now or later. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Schedules probes of the game server, or returns the reason against it. Call it with each broadcast and each ping:
   * an entry that is not named for one interval is dropped. A broadcast or an unverified entry is probed at once.
   */
  offer({ id, ip, port, clientAddress, isVerified, isBroadcast }: Candidate): ProbeRefusal | undefined {
    const refusal = this.#options.rule({ ip, port }, clientAddress);
    if (refusal !== undefined) return refusal;
    const namedAt = this.#clock.now();
    const known = this.#entries.get(id);
    if (known !== undefined) {
      const isTheSame = known.ip === ip && known.port === port && !isBroadcast;
      const verifiedElsewhere = isVerified && !known.isVerified;
      if (isTheSame && !verifiedElsewhere) {
        known.namedAt = namedAt;
        known.isVerified = isVerified;
        return undefined;
      }
      this.forget(id);
    }
    const network = this.#queue.takePlace(this.#options.networkOf(ip));
    if (network === undefined) return TOO_MANY;
    const entry = { id, ip, port, network, isVerified, failures: 0, namedAt, dueAt: namedAt };
    this.#entries.set(id, entry);
    if (isVerified && !isBroadcast) this.#pause(entry, VERIFY_INTERVAL_MS);
    else this.#queue.push(entry);
    this.#start();
    return undefined;
  }

  /** Forgets an entry that is gone. Its place becomes free when it would be probed. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  /** Gives up the probes under way. No probe begins and no result is passed on afterwards. */
  close(): void {
    this.#stopTicking();
    this.#closing.abort();
  }

  #tick(): void {
    const now = this.#clock.now();
    for (const pausing of this.#pausing.values())
      while ((pausing.first?.dueAt ?? Infinity) <= now) this.#queue.push(pausing.shift()!);
    this.#queue.endRests();
    this.#start();
  }

  #pause(entry: Entry, pauseMs: number): void {
    entry.dueAt = this.#clock.now() + pauseMs;
    let pausing = this.#pausing.get(pauseMs);
    if (pausing === undefined) this.#pausing.set(pauseMs, (pausing = new Fifo()));
    pausing.push(entry);
  }

  /** Begins as many probes as may be under way. */
  #start(): void {
    while (this.#probing < this.#limits.concurrency && !this.#closing.signal.aborted) {
      const entry = this.#queue.take(this.#keeps);
      if (entry === undefined) return;
      void this.#run(entry);
    }
  }

  /** Whether the entry must still be probed. If not, it is dropped. */
  readonly #keeps = (entry: Entry): boolean => {
    if (this.#entries.get(entry.id) !== entry) return false;
    if (this.#clock.now() - entry.namedAt <= VERIFY_INTERVAL_MS) return true;
    this.#entries.delete(entry.id);
    return false;
  };

  async #run(entry: Entry): Promise<void> {
    this.#probing += 1;
    this.#pause(entry, await this.#probe(entry));
    this.#probing -= 1;
    this.#queue.giveBack(entry);
    this.#start();
  }

  /** Probes the game server if it is this process's turn. Returns how long to wait until the next probe, in ms. */
  async #probe(entry: Entry): Promise<number> {
    const { id, ip, port, isVerified } = entry;
    const retryMs = retryPause(entry.failures);
    const isOurs = await succeeds(() =>
      this.#options.takeLease(id, isVerified ? VERIFIED_LEASE_MS : UNVERIFIED_LEASE_MS),
    );
    if (!isOurs) {
      if (isVerified) return VERIFY_INTERVAL_MS;
      entry.failures += 1;
      return retryMs;
    }
    const { signal } = this.#closing;
    if (signal.aborted || !this.#keeps(entry)) return retryMs;
    const target = { ip, port };
    const result = await this.#options.probe(target, signal);
    if (result.outcome === 'not_tried' || !this.#keeps(entry)) return retryMs;
    const answered = result.outcome === 'answered';
    entry.failures = answered ? 0 : entry.failures + 1;
    if (!answered && entry.isVerified && entry.failures < FAILURES_TO_UNVERIFY) return retryMs;
    const isTold = await succeeds(async () => {
      await this.#options.onResult(id, target, result);
      return true;
    });
    if (!isTold) return retryMs;
    entry.isVerified = answered;
    return answered ? VERIFY_INTERVAL_MS : retryMs;
  }
}

function retryPause(failures: number): number {
  return RETRY_PAUSES_MS[Math.min(failures, RETRY_PAUSES_MS.length - 1)]!;
}

/** Resolves as the call does, and with false if the call fails. */
async function succeeds(call: () => Promise<boolean>): Promise<boolean> {
  try {
    return await call();
  } catch {
    return false;
  }
}
