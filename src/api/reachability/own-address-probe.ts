/**
 * A probe at a client's request: only of the address that the request comes from, by the rules of --verify, once in an
 * interval for a network, and few at a time. So nobody can have other machines probed, or many ports of their own.
 */

import type { Lease } from '../../registry/backend.ts';
import { networkOf } from '../../model/net/ip.ts';
import { monotonicClock, type ProbeClock } from './clock.ts';
import type { ProbeResult, ProbeTarget } from './probe-result.ts';
import { probe } from './probe.ts';
import { probeRuleOf, TIMEOUT_MS, type VerifyOptions } from './verification.ts';

/** `off`: the service does not probe. `busy`: this network was probed a moment ago, or too many probes are running. */
export type OwnProbeOutcome =
  | { readonly is: 'off' }
  | { readonly is: 'busy' }
  | { readonly is: 'refused'; readonly words: string }
  | { readonly is: 'probed'; readonly result: ProbeResult };

/** Probes the port of the client's own address. Settles within the timeout of a probe, and never rejects. */
export type ProbeOwnAddress = (target: ProbeTarget, clientAddress: string) => Promise<OwnProbeOutcome>;

export interface OwnProbeOptions {
  readonly verify: Pick<VerifyOptions, 'kind' | 'isNamed'>;
  readonly lease: Lease;
  readonly clock?: ProbeClock;
  /** Never rejects. */
  readonly probe?: (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>;
  readonly limits?: Partial<OwnProbeLimits>;
}

export interface OwnProbeLimits {
  /** A network is probed once in this time by all replicas together. Within it the outcome is remembered. */
  readonly intervalMs: number;
  readonly concurrency: number;
  /** How many networks are remembered. */
  readonly networks: number;
}

const LIMITS: OwnProbeLimits = { intervalMs: 30_000, concurrency: 8, networks: 10_000 };

const OFF = { is: 'off' } as const;
const BUSY = { is: 'busy' } as const;

interface Remembered {
  readonly at: number;
  readonly target: ProbeTarget;
  readonly outcome: Promise<OwnProbeOutcome>;
}

export class OwnAddressProbe {
  readonly #options: OwnProbeOptions;
  readonly #limits: OwnProbeLimits;
  readonly #clock: ProbeClock;
  readonly #closing = new AbortController();
  /** The probes by network, the latest last. */
  readonly #latest = new Map<string, Remembered>();
  #underWay = 0;

  constructor(options: OwnProbeOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#clock = options.clock ?? monotonicClock;
  }

  readonly probe: ProbeOwnAddress = async (target, clientAddress) => {
    const { verify } = this.#options;
    if (verify.kind === undefined || this.#closing.signal.aborted) return OFF;
    if (target.ip !== clientAddress)
      return {
        is: 'refused',
        words: `${target.ip} is not tried: only the address that you ask from is looked at`,
      };
    const refusal = probeRuleOf(verify)(target, clientAddress);
    if (refusal !== undefined) return { is: 'refused', words: refusal.words };
    const network = networkOf(clientAddress);
    const now = this.#clock.now();
    const latest = this.#latest.get(network);
    if (latest !== undefined && now - latest.at < this.#limits.intervalMs)
      return latest.target.port === target.port && latest.target.ip === target.ip ? latest.outcome : BUSY;
    if (this.#underWay >= this.#limits.concurrency) return BUSY;
    const outcome = this.#run(network, target);
    this.#latest.delete(network);
    this.#latest.set(network, { at: now, target, outcome });
    if (this.#latest.size > this.#limits.networks) {
      const [oldest] = this.#latest.keys();
      this.#latest.delete(oldest!);
    }
    return outcome;
  };

  /** Gives up the probes that are under way. */
  close(): void {
    this.#closing.abort();
  }

  async #run(network: string, target: ProbeTarget): Promise<OwnProbeOutcome> {
    const { verify, lease } = this.#options;
    const { signal } = this.#closing;
    const probeNow =
      this.#options.probe ??
      ((to: ProbeTarget) => probe(verify.kind!, to, { timeoutMs: TIMEOUT_MS, signal }));
    this.#underWay += 1;
    try {
      if (!(await lease.take(`doctor:${network}`, this.#limits.intervalMs))) return BUSY;
      const result = await probeNow(target, signal);
      return result.outcome === 'not_tried' ? BUSY : { is: 'probed', result };
    } catch {
      return BUSY;
    } finally {
      this.#underWay -= 1;
    }
  }
}
