/**
 * What the clients know: each operation with its times, and for each game server what was acknowledged to it. Judges
 * nothing; checker.ts does. All times are ms of one monotonic clock, `now()`.
 */

import type { TestAnswer } from '../ask.ts';

/** What the checks need of an answer. */
type Answer = Pick<TestAnswer, 'status' | 'headers' | 'text'>;

export const now = (): number => performance.now();

export type Kind = 'broadcast' | 'ping' | 'remove' | 'list';

/** One request that a client sent, and how it ended. */
export interface Operation {
  readonly kind: Kind;
  /** `haproxy`, or the host of the replica that was asked directly. */
  readonly target: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** A status such as `200`; where no answer came, the code of the error, such as `ECONNRESET`. */
  readonly outcome: string;
  /** The list has the header that marks it as stale. */
  readonly stale: boolean;
  readonly answer?: Answer;
}

/** A time in which game servers could not ping, or the store forgot what they had said. */
export interface Outage {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
  readonly losesData: boolean;
}

/** A replica had ended or was frozen. */
export interface Absence {
  readonly host: string;
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** At some moment in between Redis lost data. */
export interface Loss {
  readonly from: number;
  readonly to: number;
}

/** "All replicas that knew of it end within 0.3 s": one poll of the feed takes 150 ms at most, and so does the next. */
const KNOWN_TO_ALL_AFTER_MS = 150 + 150;
/** By then a replica that knows of it has written it back. */
const TOLD_AFTER_MS = 1500;

/** A ping, or the broadcast at the beginning. `answeredAt` is undefined until it is acknowledged. */
interface Renewal {
  readonly players: number;
  readonly sentAt: number;
  answeredAt?: number;
}

/** So many renewals are remembered: enough for every list that is under way. */
const REMEMBERED_RENEWALS = 8;

/** A ban of one game server; each time is Infinity until then. */
export interface BanPeriod {
  readonly sentAt: number;
  addedAt: number;
  liftSentAt: number;
  liftedAt: number;
}

/** What the clients know of one game server, under the name that only it has. */
export class GameServerHistory {
  readonly name: string;
  /** Once its broadcast is acknowledged. */
  id: string | undefined;
  /** When it was acknowledged that its server token was used. */
  claimedSince = Infinity;
  readonly bans: BanPeriod[] = [];
  listedSince = Infinity;
  /** It pings for ever, and must be in every list. */
  keepsPinging = true;
  /** When its id was unknown, though it kept pinging. */
  lostAt: number | undefined;
  removeSentAt = Infinity;
  removedAt = Infinity;
  /** A current list did not show it any more, after it had fallen silent. */
  goneAt = Infinity;
  /** The latest moment at which something that it sent may have renewed it. */
  renewedUntil = -Infinity;
  /** The last acknowledged renewal, when it was sent. */
  renewedAt = -Infinity;
  readonly renewals: Renewal[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** A broadcast or ping goes out. */
  renewing(players: number, sentAt: number): Renewal {
    const renewal = { players, sentAt };
    this.renewals.push(renewal);
    if (this.renewals.length > REMEMBERED_RENEWALS) this.renewals.shift();
    this.renewedUntil = Infinity;
    return renewal;
  }

  /** It is over. Where no success came, it may have had its effect all the same. */
  renewed(renewal: Renewal, { outcome, answeredAt }: Operation): void {
    this.renewedUntil = answeredAt;
    if (outcome !== '200') return;
    renewal.answeredAt = answeredAt;
    this.renewedAt = renewal.sentAt;
  }
}

export class Recorder {
  readonly operations: Operation[] = [];
  readonly outages: Outage[];
  readonly losses: Loss[];
  readonly absences: Absence[];
  /** When what was lost had been acknowledged, where no design could keep it. */
  readonly unavoidable = new Set<number>();
  /** By name; those that are gone, too: they must not come back. */
  readonly histories = new Map<string, GameServerHistory>();
  /** The game servers that some list has to show. */
  readonly listed = new Set<GameServerHistory>();

  /** `beside`: the recorder of another registry, which meets the same faults. */
  constructor(beside?: Recorder) {
    this.outages = beside?.outages ?? [];
    this.losses = beside?.losses ?? [];
    this.absences = beside?.absences ?? [];
  }

  begin(name: string): GameServerHistory {
    const history = new GameServerHistory(name);
    this.histories.set(name, history);
    return history;
  }

  /** Sends, and notes how it ended. Never rejects. */
  async operation(kind: Kind, target: string, send: () => Promise<Answer>): Promise<Operation> {
    const sentAt = now();
    let answer: Answer | undefined;
    let outcome: string;
    try {
      answer = await send();
      outcome = String(answer.status);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      outcome = code ?? message;
    }
    const done = { kind, target, sentAt, answeredAt: now(), outcome };
    const stale = answer?.headers['warning']?.startsWith('110') === true;
    this.operations.push({ ...done, stale });
    return { ...done, stale, ...(answer && { answer }) };
  }

  /**
   * Whether what was acknowledged then may be lost: so soon before a loss of data that only the replica which took it
   * knew of it for sure, and some replica was gone before it could tell. The acknowledgement left the replica after
   * `sentAt`: a busy client may have read it late.
   */
  mayBeLost(acknowledgedAt: number, sentAt = acknowledgedAt): boolean {
    const excused = this.losses.some(
      ({ from, to }) =>
        to >= sentAt &&
        from < acknowledgedAt + KNOWN_TO_ALL_AFTER_MS &&
        this.absences.some((each) => each.from < to + TOLD_AFTER_MS && each.to > sentAt),
    );
    if (excused) this.unavoidable.add(acknowledgedAt);
    return excused;
  }

  /** Whether the replica was absent at some moment in between. */
  wasAbsent(host: string, from: number, to: number): boolean {
    return this.absences.some((each) => each.host === host && each.from <= to && each.to >= from);
  }

  /** The end is to be set once it is known. */
  beginOutage(losesData: boolean): Outage {
    const outage = { from: now(), to: Infinity, losesData };
    this.outages.push(outage);
    return outage;
  }
}
