/**
 * Finds the one cause why a game server is not listed. A silent ban is never the cause: an entry under one is described
 * as if there were no ban.
 */

import type { OwnProbeOutcome, ProbeOwnAddress } from '../reachability/own-address-probe.ts';
import type { Client } from '../http/client.ts';
import type { Backend, ExpiredEntry, Refusal } from '../../registry/backend.ts';
import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import { joinCodeOf } from '../../model/join-code.ts';
import { addressKindOf, isOtherFamily, type AddressKind } from '../../model/net/address-kind.ts';
import { checksOf, type DoctorCheck } from './checks.ts';
import type { Cause } from '../../model/findings.ts';
import type { Seen } from './look.ts';
import type { DoctorQuestion } from './question.ts';
import { causeOfRefusal, latestOf, type RefusedWrites } from './refusals.ts';

export interface Examination {
  readonly cause: Cause;
  /** The details of this case, as a part of a sentence. */
  readonly about: string | undefined;
  /** Whether the list shows the entry. */
  readonly listed: boolean;
  readonly checks: readonly DoctorCheck[];
}

export interface ExamineOptions {
  readonly moderation: Pick<Backend['moderation'], 'findBan'>;
  /** Whether the list shows only game servers that were reached. */
  readonly hidesUnreached: boolean;
  readonly whyNotReached: (entry: ListedGameServer) => string | undefined;
  /** Whether the operator allows game servers to announce this address, public or not. */
  readonly isNamed: (ip: string) => boolean;
  /** Whether every announced address has to be public. */
  readonly wantsPublic: boolean;
  readonly probe: ProbeOwnAddress;
  readonly refusals: RefusedWrites;
  /** Why the registry refuses writes now; undefined while it accepts them. */
  readonly whyRefused: () => Refusal | undefined;
  readonly ttlMs: number;
  /** ms since the epoch. */
  readonly now: () => number;
}

type Found = readonly [cause: Cause, about?: string | undefined];

export interface Examiner {
  /** Whether the entry is described as one that the list shows. An entry under a silent ban is, too. */
  readonly isTold: (entry: ListedGameServer) => boolean;
  examine(client: Client, question: DoctorQuestion, seen: Seen): Promise<Examination>;
}

export function createExaminer(options: ExamineOptions): Examiner {
  const { moderation, hidesUnreached, whyNotReached, isNamed, wantsPublic, probe, refusals, ttlMs, now } =
    options;
  const { whyRefused } = options;

  /** The reason of a ban, if it is one that the game server may know of. */
  function reasonOf(subject: ListedGameServer | ExpiredEntry): string | undefined {
    const ban = moderation.findBan(subject);
    return ban?.mode === 'refuse' ? ban.reason : undefined;
  }

  /** The reason of a ban on everything from the address; undefined also while a replica does not know the bans yet. */
  function reasonAt(address: string, { isCurrent }: Seen): string | undefined {
    if (!isCurrent) return undefined;
    return reasonOf({ id: '', client: address, ip: address, host: '', name: '' } as ExpiredEntry);
  }

  const isHidden = (entry: ListedGameServer): boolean => hidesUnreached && entry.reachability !== REACHED;

  function isTold(entry: ListedGameServer): boolean {
    return !isUnlisted(entry.id) && !isHidden(entry) && reasonOf(entry) === undefined;
  }

  /**
   * The reason why players on the internet cannot use this address; undefined if there is none. If the asker has no
   * public address either, most private ones are fine.
   */
  function badKind(ip: string, own: string | undefined): AddressKind | undefined {
    const kind = isNamed(ip) ? undefined : addressKindOf(ip);
    const isInside = own !== undefined && addressKindOf(own) !== undefined;
    return kind === 'private_address' && isInside && !wantsPublic ? undefined : kind;
  }

  function ofEntry(entry: ListedGameServer, own: string | undefined, probed: OwnProbeOutcome): Found {
    const reason = reasonOf(entry);
    if (reason !== undefined) return ['banned', reason];
    const kind = badKind(entry.ip, own);
    const fails = probed.is === 'probed' && probed.result.outcome !== REACHED;
    if (isHidden(entry)) {
      const why = whyNotReached(entry);
      if (kind !== undefined) return [kind, entry.ip];
      const other = own ?? entry.client;
      if (other !== '' && isOtherFamily(entry.ip, other))
        return ['wrong_ip_family', `${entry.ip} is announced, and the request came from ${other}`];
      return fails ? ['port_closed', probed.result.words] : ['not_verified', why];
    }
    if (isUnlisted(entry.id)) return ['unlisted', joinCodeOf(entry.id)];
    if (kind !== undefined) return [kind, entry.ip];
    return fails ? ['port_closed', probed.result.words] : ['listed'];
  }

  function withoutEntry(client: Client, question: DoctorQuestion, seen: Seen): Found {
    const own = client.doubt === undefined ? client.address : undefined;
    const { expired, removedAt, isCurrent } = seen;
    const reason = expired && reasonOf(expired);
    if (reason !== undefined) return ['banned', reason];
    if (own === undefined) {
      if (expired !== undefined) return ofLeft(expired);
      if (removedAt === undefined) return ['proxy_not_trusted', client.address];
    }
    const banned = own === undefined ? undefined : reasonAt(own, seen);
    if (banned !== undefined) return ['banned', banned];
    const { ip } = question;
    if (
      own !== undefined &&
      ip !== undefined &&
      ip !== own &&
      expired === undefined &&
      removedAt === undefined
    )
      return ofOtherAddress(ip, own);
    // An entry that has expired had no trouble before its last ping, and a parked one none before it was parked.
    const silentMs = expired?.parkedUntil === undefined ? ttlMs : 0;
    const wellAt = expired === undefined ? (removedAt ?? 0) : expired.expiredAt - silentMs;
    const latest = own === undefined ? undefined : latestOf(refusals, own, now(), wellAt);
    if (latest !== undefined) return [causeOfRefusal(latest), latest.says];
    if (expired !== undefined) return ofLeft(expired);
    if (removedAt !== undefined)
      return ['removed', removedAt === 0 ? undefined : `at ${timeText(removedAt)}`];
    if (!isCurrent || whyRefused() !== undefined) return ['registry_unavailable'];
    const kind = badKind(own!, own);
    if (kind !== undefined) return [kind, own];
    return ['unknown'];
  }

  function ofOtherAddress(ip: string, own: string): Found {
    const cause = badKind(ip, own) ?? (isOtherFamily(ip, own) ? 'wrong_ip_family' : 'other_address');
    return [cause, `${ip}, and the service sees you at ${own}`];
  }

  return {
    isTold,
    async examine(client, question, seen) {
      const own = client.doubt === undefined ? client.address : undefined;
      const { entry } = seen;
      const port = question.port ?? entry?.port ?? seen.expired?.port;
      const isOwn = own !== undefined && (entry ?? seen.expired ?? question).ip === own;
      const isAsked = own !== undefined && entry === undefined && question.ip === undefined;
      const probed: OwnProbeOutcome | undefined =
        (isOwn || isAsked) && port !== undefined ? await probe({ ip: own, port }, own) : undefined;
      const [cause, about] =
        entry === undefined
          ? withoutEntry(client, question, seen)
          : ofEntry(entry, own, probed ?? { is: 'off' });
      const listed = entry !== undefined && isTold(entry);
      return {
        cause,
        about,
        listed,
        checks: checksOf({
          client,
          question,
          seen,
          cause,
          listed,
          probed,
          reason: entry && reasonOf(entry),
          whyNotReached: entry && hidesUnreached ? whyNotReached(entry) : undefined,
          verifies: hidesUnreached,
          latest: own === undefined ? undefined : latestOf(refusals, own, now()),
          refusal: whyRefused(),
        }),
      };
    },
  };
}

function ofLeft({ expiredAt, parkedUntil }: ExpiredEntry): Found {
  return parkedUntil === undefined
    ? ['expired', `at ${timeText(expiredAt)}`]
    : ['parked', `until ${timeText(parkedUntil)}`];
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
