/**
 * Finds the one cause why a game server is not listed. A silent ban is never the cause: an entry under one is described
 * as if there were no ban.
 */

import type { OwnProbeOutcome, ProbeOwnAddress } from '../reachability/own-address-probe.ts';
import type { ProbeResult } from '../reachability/probe-result.ts';
import type { NotReached } from '../reachability/verification.ts';
import type { Client } from '../http/client.ts';
import type { Backend, ExpiredEntry, WriteOutage } from '../../registry/backend.ts';
import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import { joinCodeOf } from '../../model/join-code.ts';
import { addressKindOf, isOtherFamily, type AddressKind } from '../../model/net/address-kind.ts';
import { checksOf, type DoctorCheck } from './checks.ts';
import type { Cause } from '../../model/findings.ts';
import { timeText } from '../http/time-text.ts';
import { agoText, isOther, textOfKnown } from './known-entries.ts';
import type { Seen } from './look.ts';
import type { DoctorQuestion } from './question.ts';
import { causeOfRefusal, mayConcern, recentOf, type RefusedWrites, type WriteRefusal } from './refusals.ts';

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
  readonly whyNotReached: (entry: ListedGameServer) => NotReached | undefined;
  /** Whether the operator allows game servers to announce this address, public or not. */
  readonly isNamed: (ip: string) => boolean;
  /** Whether every announced address has to be public. */
  readonly wantsPublic: boolean;
  readonly probe: ProbeOwnAddress;
  readonly refusals: RefusedWrites;
  /** Why the registry refuses writes now; undefined while it accepts them. */
  readonly whyRefused: () => WriteOutage | undefined;
  readonly ttlMs: number;
  /** ms since the epoch. */
  readonly now: () => number;
}

type Found = readonly [cause: Cause, about?: string | undefined];

/** What is known of the asker, the question and its entry. */
interface Case {
  readonly client: Client;
  /** The address of the asker; undefined if a proxy hides it. */
  readonly own: string | undefined;
  readonly question: DoctorQuestion;
  readonly seen: Seen;
  /** What was refused to the address of the asker of late, the latest first. */
  readonly refused: readonly WriteRefusal[];
  readonly probed: OwnProbeOutcome | undefined;
}

export interface Examiner {
  /**
   * Whether the entry is described as one that the list shows, or showed until it expired. An entry under a silent ban
   * is, too.
   */
  readonly isTold: (entry: ListedGameServer | ExpiredEntry) => boolean;
  examine(client: Client, question: DoctorQuestion, seen: Seen): Promise<Examination>;
}

/** The causes of probes that failed. */
const OF_PROBES: Partial<Record<ProbeResult['outcome'], Cause>> = {
  refused: 'not_listening',
  no_answer: 'port_closed',
  unreachable: 'no_route',
  other_protocol: 'other_protocol',
};

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

  const isHidden = ({ reachability }: ListedGameServer | ExpiredEntry): boolean =>
    hidesUnreached && reachability !== REACHED;

  function isTold(entry: ListedGameServer | ExpiredEntry): boolean {
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

  function ofEntry(entry: ListedGameServer, about: Case): Found {
    const { own, question, probed } = about;
    const reason = reasonOf(entry);
    if (reason !== undefined) return ['banned', reason];
    if (isUnlisted(entry.id) && !isHidden(entry)) return ['unlisted', joinCodeOf(entry.id)];
    const kind = badKind(entry.ip, own);
    if (kind !== undefined) return [kind, entry.ip];
    if (isHidden(entry)) return ofHidden(entry, about);
    if (probed?.is === 'probed' && probed.result.outcome !== REACHED) return ofProbe(probed.result);
    const refusal = about.refused.find((each) => endangers(each, entry, about.seen));
    if (refusal !== undefined) return ofRefusal(refusal);
    const told = [{ ...entry, expiredAt: undefined, isReached: true }];
    if (question.port !== undefined && question.port !== entry.port)
      return ['other_port', textOfKnown(told, now())];
    const isElsewhere = entry.host !== question.host && isOther(entry.ip, question.ip);
    return isElsewhere ? ['other_ip', textOfKnown(told, now())] : ['listed'];
  }

  /** The cause of an entry that the list does not show because its game server was not reached. */
  function ofHidden(entry: ListedGameServer, { own, probed }: Case): Found {
    const other = own ?? entry.client;
    if (other !== '' && isOtherFamily(entry.ip, other))
      return ['wrong_ip_family', `${entry.ip} is announced, and the request came from ${other}`];
    const { words = '', refusal, outcome = '' } = whyNotReached(entry) ?? {};
    if (probed?.is === 'probed')
      return probed.result.outcome === REACHED ? ['not_verified', words] : ofProbe(probed.result);
    if (refusal === 'other_address' && entry.client !== '')
      return ['source_mismatch', `${entry.ip}, and it sends from ${entry.client}`];
    return outcome === '' ? ['not_verified', words] : ofProbe({ outcome, words });
  }

  /**
   * Whether the refusal came after the last ping of a listed entry, which is about to leave the list; or a second game
   * server was refused the address of the first, which goes on with its pings.
   */
  function endangers(refusal: WriteRefusal, entry: ListedGameServer, { expiresAt, by }: Seen): boolean {
    const { code, at, ip = entry.ip, port } = refusal;
    if (by === 'named' || port !== entry.port || ip !== entry.ip) return false;
    const registeredAt = Math.floor(entry.registeredVersion / 1000);
    if (code === 'address_taken') return at >= registeredAt && now() - at <= 2 * ttlMs;
    return expiresAt !== undefined && at >= expiresAt - ttlMs && at > registeredAt;
  }

  function withoutEntry(about: Case): Found {
    const { client, own, question, seen, refused } = about;
    const { expired, removedAt, isCurrent, known } = seen;
    const reason = expired && reasonOf(expired);
    if (reason !== undefined) return ['banned', reason];
    if (own === undefined) {
      if (expired !== undefined) return ofLeft(expired, now());
      if (removedAt === undefined) return ['proxy_not_trusted', client.address];
    }
    const banned = own === undefined ? undefined : reasonAt(own, seen);
    if (banned !== undefined) return ['banned', banned];
    // An entry that has expired had no trouble before its last ping, and a parked one none before it was parked.
    const isParked = expired?.parkedUntil !== undefined;
    const wellAt = expired === undefined ? (removedAt ?? 0) : expired.expiredAt - (isParked ? 0 : ttlMs);
    const asked = { ip: question.ip, port: question.port ?? expired?.port, isParked };
    const refusal = refused.find((each) => each.at >= wellAt && mayConcern(each, asked, own!));
    if (refusal !== undefined) return ofRefusal(refusal);
    if (expired !== undefined) return ofLeft(expired, now());
    if (removedAt !== undefined) return ['removed', removedAt === 0 ? undefined : agoText(now() - removedAt)];
    if (!isCurrent || whyRefused() !== undefined) return ['registry_unavailable'];
    if (question.ip !== undefined && question.ip !== own) return ofOtherAddress(question.ip, own!);
    const kind = badKind(own!, own);
    if (kind !== undefined) return [kind, own];
    const others = known.filter(({ port }) => port === question.port);
    if (others.length > 0) return ['other_ip', textOfKnown(others, now())];
    if (known.length > 0 && question.port !== undefined) return ['other_port', textOfKnown(known, now())];
    // The game server may be the one that was refused, and another port the one that it announces.
    const [other] = refused;
    return other === undefined ? ['unknown'] : ofRefusal(other, question.port);
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
      const probed =
        (isOwn || isAsked) && port !== undefined ? await probe({ ip: own, port }, own) : undefined;
      const refused = own === undefined ? [] : recentOf(refusals, own, now());
      const about: Case = { client, own, question, seen, refused, probed };
      const [cause, detail] = entry === undefined ? withoutEntry(about) : ofEntry(entry, about);
      const listed = entry !== undefined && isTold(entry);
      return {
        cause,
        about: detail,
        listed,
        checks: checksOf({
          client,
          question,
          seen,
          cause,
          listed,
          probed,
          reason: entry && reasonOf(entry),
          whyNotReached: entry && hidesUnreached ? whyNotReached(entry)?.words : undefined,
          verifies: hidesUnreached,
          latest: refused[0],
          refusal: whyRefused(),
          now: now(),
        }),
      };
    },
  };
}

function ofLeft({ expiredAt, parkedUntil }: ExpiredEntry, now: number): Found {
  return parkedUntil === undefined
    ? ['expired', agoText(now - expiredAt)]
    : ['parked', `until ${timeText(parkedUntil)}`];
}

/** The next step takes the place of the question in the words. */
function ofProbe({ outcome, words }: ProbeResult): Found {
  const cause = OF_PROBES[outcome];
  return cause === undefined ? ['not_verified', words] : [cause, words.replace(/: is .*/, '')];
}

/** `asked`: the port in question, if the refusal may be about another one. */
function ofRefusal(refusal: WriteRefusal, asked = refusal.port): Found {
  const { about, port } = refusal;
  const where = port === asked ? undefined : `at port ${port}`;
  return [causeOfRefusal(refusal), [about, where].filter((each) => each !== undefined).join(', ')];
}
