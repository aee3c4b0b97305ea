/**
 * Checks that game servers can be reached, where the configuration asks for it, and has the registry note what came of
 * it.
 */

import { whyUnreachable } from '../../model/net/public-address.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import {
  createProbeResult,
  type ProbeKind,
  type ProbeOutcome,
  type ProbeResult,
  type ProbeTarget,
} from './probe-result.ts';
import { createProbeRule, type ProbeRefusal, type ProbeRule } from './probe-rule.ts';
import { probe } from './probe.ts';
import { Prober, VERIFY_INTERVAL_MS } from './prober.ts';
import type { TextMask } from '../../model/net/address-mask.ts';
import {
  REACHED,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type SeenPlayers,
} from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import type { Backend } from '../../registry/backend.ts';

/**
 * Takes note of an entry whose game server has just broadcast or pinged, and says in one line of printable ASCII what
 * came of the attempts to reach it.
 */
export type Verify = (
  id: GameServerId,
  gameServer: Pick<GameServer, 'ip' | 'port'>,
  client: VerifiedClient,
  isBroadcast: boolean,
) => string;

/** Who sent the request, and whether its address may be that of another one. */
export interface VerifiedClient {
  readonly address: string;
  readonly doubt?: string | undefined;
}

export interface Verification {
  readonly verify: Verify;
  readonly close: () => void;
}

/** How the operator wants game servers to be verified. */
export interface VerifyOptions {
  /** How they are probed; undefined if they are not. */
  readonly kind: ProbeKind | undefined;
  /** Whether entries that have not been reached are kept off the list. */
  readonly hidesUnreached: boolean;
  /** Whether the operator names the address as one to probe, whichever client announces it. */
  readonly isNamed: (ip: string) => boolean;
  /** Masks the addresses in a text that is shown or logged. */
  readonly maskText: TextMask;
}

export interface VerificationOptions {
  readonly options: VerifyOptions;
  readonly registry: Pick<Backend, 'known' | 'lease' | 'reachability'>;
  readonly logger: Logger;
  /** Gets what came of each attempt. */
  readonly onProbe: (outcome: ProbeOutcome) => void;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** How long a probe may take. */
export const TIMEOUT_MS = 3000;

/**
 * How long the same number of players is read again and not stored anew: that would be a visible change, for which
 * every copy of the list is fetched again.
 */
const RENEW_SEEN_MS = 2 * VERIFY_INTERVAL_MS;

/** How long a number of players counts that was not stored anew: nobody probes the game server any more. */
const FORGET_SEEN_MS = 2 * RENEW_SEEN_MS;

const NOT_TRIED_YET = 'not verified yet: the first attempt is under way';

type Probed = Pick<ListedGameServer, 'ip' | 'port' | 'reachability' | 'client'>;

/** Why an entry does not count as reached: why it may not be probed, or what came of that; '' if it never was. */
export interface NotReached extends Pick<ProbeResult, 'words'> {
  readonly refusal?: ProbeRefusal['reason'];
  readonly outcome?: ProbeOutcome | '';
}

/** Says why an entry does not count as reached, with its addresses masked. Undefined if it does. */
export function createWhyNotReached(options: VerifyOptions): (entry: Probed) => NotReached | undefined {
  const { kind, maskText } = options;
  if (kind === undefined) return () => undefined;
  const ruleFor = probeRuleOf(options);
  return (entry) => {
    const { reachability, client } = entry;
    if (reachability === REACHED) return undefined;
    const refusal = ruleFor(entry, client);
    if (refusal !== undefined) return { words: maskText(refusal.words), refusal: refusal.reason };
    return { words: maskText(wordsOf(kind, reachability, entry)), outcome: reachability as ProbeOutcome };
  };
}

/** The rule that says which targets are probed. */
export function probeRuleOf({ isNamed }: Pick<VerifyOptions, 'isNamed'>): ProbeRule {
  return createProbeRule({ isNamed, isPublic: (ip) => whyUnreachable(ip) === undefined });
}

/** In words, what is known of the reachability of this address. */
function wordsOf(kind: ProbeKind, reachability: string, target: ProbeTarget): string {
  if (reachability === '') return NOT_TRIED_YET;
  return createProbeResult(reachability as ProbeOutcome, kind, target, TIMEOUT_MS).words;
}

/** Undefined if nothing is to be verified. */
export function openVerification({
  options,
  registry,
  logger,
  onProbe,
  now,
}: VerificationOptions): Verification | undefined {
  const { kind, maskText } = options;
  if (kind === undefined) return undefined;
  const prober = new Prober({
    probe: (target, signal) => probe(kind, target, { timeoutMs: TIMEOUT_MS, signal }),
    rule: probeRuleOf(options),
    takeLease: (id, forMs) => registry.lease.take(id, forMs),
    async onResult(id, target, { outcome, words, players }) {
      onProbe(outcome);
      logger.debug({ id, outcome, reason: maskText(words) }, 'a game server was verified');
      const seen = players === undefined ? undefined : seenNow(players, registry.known(id)?.seen);
      await registry.reachability.note(id, target, outcome, seen);
    },
    networkOf,
  });

  const isOlder = ({ at }: SeenPlayers, ms: number): boolean => Math.abs(now() - at) >= ms;

  function seenNow(players: number, before: SeenPlayers | undefined): SeenPlayers {
    if (before?.players === players && !isOlder(before, RENEW_SEEN_MS)) return before;
    return { players, at: 1000 * Math.floor(now() / 1000) };
  }

  function reachabilityOf(id: GameServerId, target: ProbeTarget): string {
    const known = registry.known(id);
    if (known?.ip !== target.ip || known.port !== target.port) return '';
    const { reachability, seen } = known;
    if (seen !== undefined && isOlder(seen, FORGET_SEEN_MS))
      registry.reachability.note(id, target, reachability).catch(() => undefined);
    return reachability;
  }

  return {
    verify(id, { ip, port }, client, isBroadcast) {
      const target = { ip, port };
      const reachability = reachabilityOf(id, target);
      const isVerified = reachability === REACHED;
      const clientAddress = client.doubt === undefined ? client.address : '';
      const refusal = prober.offer({ id, ...target, clientAddress, isVerified, isBroadcast });
      return refusal === undefined || isVerified ? wordsOf(kind, reachability, target) : refusal.words;
    },
    close: () => prober.close(),
  };
}
