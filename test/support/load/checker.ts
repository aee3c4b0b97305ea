/**
 * Compares every list that a client got with what was acknowledged to the game servers: no entry is missing, none is
 * there that must not be, none is there twice.
 */

import { createHash } from 'node:crypto';
import { now, type BanPeriod, type GameServerHistory, type Operation, type Recorder } from './recorder.ts';

/** "Gone within TTL + 2 s." */
const SWEPT_WITHIN_MS = 2000;
/** "In effect on all replicas within a second." */
const KNOWN_TO_ALL_MS = 1000;
/** How a reader that attacks names what it broadcasts, before the name of the entry that it attacks. */
export const TAKEN_OVER = 'taken over: ';
const LISTED = /"id":"([^"]*)","host":"[^"]*","name":"([^"]*)","port":\d+,"ip":"[^"]*","players":(\d+)/g;

interface Complaint {
  count: number;
  readonly firstSeen: string;
}

/** A list has every change that was acknowledged before `asOf`. */
interface List {
  readonly operation: Operation;
  readonly asOf: number;
  /** Players by name. */
  readonly players: ReadonlyMap<string, number>;
}

export class Checker {
  readonly #recorder: Recorder;
  readonly #ttlMs: number;
  readonly #digests = new Map<string, string>();
  #complaints = new Map<string, Complaint>();
  #lost = new Set<string>();
  #since = now();

  constructor(recorder: Recorder, ttlMs: number) {
    this.#recorder = recorder;
    this.#ttlMs = ttlMs;
  }

  /** Drops all complaints. */
  reset(): void {
    this.#complaints = new Map();
    this.#lost = new Set();
    this.#since = now();
  }

  /** The complaints since the last reset, one sentence for each kind. */
  get reasons(): string[] {
    return [...this.#complaints].map(([what, { count, firstSeen }]) => `${count} × ${what} (${firstSeen})`);
  }

  /** How many game servers that kept pinging were refused as unknown or missing from a list since the last reset. */
  get lost(): number {
    return this.#lost.size;
  }

  complain(what: string, where: string): void {
    const complaint = this.#complaints.get(what);
    if (complaint !== undefined) complaint.count += 1;
    else {
      const seconds = ((now() - this.#since) / 1000).toFixed(1);
      this.#complaints.set(what, { count: 1, firstSeen: `first: ${where}, after ${seconds} s` });
    }
  }

  /** The game server had kept pinging, and its id is unknown. */
  noteLost({ name }: GameServerHistory, kind: 'ping' | 'remove' | 'restart'): void {
    this.#lost.add(name);
    this.complain(`the ${kind} of a game server that had kept pinging met an unknown id`, name);
  }

  /** A game server was told that the entry is not its own, or the like. */
  noteRefused({ name }: GameServerHistory, kind: string, { text }: { readonly text: string }): void {
    this.complain(`the ${kind} of a game server to its own entry met 403`, `${name}: ${text}`);
  }

  /** A reader did something to an entry with what the list shows. One that is being removed is nobody's. */
  checkAttack(
    { name, claimedSince, removeSentAt }: GameServerHistory,
    attack: string,
    status: number,
    sentAt: number,
  ): void {
    if (status !== 200 || removeSentAt !== Infinity) return;
    if (claimedSince < sentAt && !this.#recorder.mayBeLost(claimedSince))
      this.complain('an attack on a claimed entry succeeded', `${attack}, ${name}`);
  }

  /** When a game server that fell silent has to be off the list: TTL + 2 s later, and one TTL more after an outage. */
  leavesBy({ renewedUntil }: GameServerHistory): number {
    let deadline = renewedUntil + this.#ttlMs;
    for (const { from, to } of this.#recorder.outages)
      if (from <= deadline + SWEPT_WITHIN_MS && to >= renewedUntil)
        deadline = Math.max(deadline, to + this.#ttlMs);
    return deadline + SWEPT_WITHIN_MS;
  }

  /** Whether the list has every entry that it has to have. Complaints are kept for `reasons`. */
  check(operation: Operation): boolean {
    const { answer, sentAt, stale } = operation;
    if (answer === undefined || operation.outcome !== '200') return false;
    const age = stale ? Number(answer.headers['age']) * 1000 : 0;
    const list = { operation, asOf: sentAt - age, players: this.#parse(operation, answer.text) };
    this.#checkBytes(answer.headers.etag, answer.text, operation);
    for (const [name, players] of list.players) {
      const history = this.#recorder.histories.get(name);
      if (history === undefined && !this.#mayBeTakenOver(name))
        this.complain('a list shows an entry that no client sent', `${name}, ${operation.target}`);
      else if (history !== undefined) this.#checkPresent(history, players, list);
    }
    let complete = true;
    for (const history of this.#recorder.listed) {
      if (list.players.has(history.name)) continue;
      if (this.#mustShow(history, list) && !this.#recorder.mayBeLost(history.listedSince)) {
        complete = false;
        this.#missing(history, list);
      }
      const { keepsPinging, renewedUntil, bans } = history;
      // An entry that a ban hides need not be gone.
      const isHidden = bans.some((ban) => this.#mayHide(ban, operation.answeredAt, list.asOf));
      if (!keepsPinging && !stale && !isHidden && list.asOf > renewedUntil) {
        history.goneAt = operation.answeredAt;
        this.#recorder.listed.delete(history);
      }
    }
    return complete;
  }

  #parse({ target, answeredAt }: Operation, text: string): Map<string, number> {
    const players = new Map<string, number>();
    const ids = new Set<string>();
    let entries = 0;
    for (const [, id, name, count] of text.matchAll(LISTED)) {
      entries += 1;
      if (ids.has(id!)) this.complain('an id is in a list twice', `${id}, ${target}`);
      else if (players.has(name!) && !name!.startsWith(TAKEN_OVER))
        this.complain('one broadcast is in a list twice', `${name}, ${target}`);
      ids.add(id!);
      players.set(name!, Number(count));
      const known = this.#recorder.histories.get(name!);
      if (known !== undefined && known.listedSince < answeredAt && known.id !== id)
        this.complain('a game server is listed under another id', `${name}, ${target}`);
    }
    if (!text.endsWith(`],"count":${entries}}`)) this.complain('a list is malformed', target);
    return players;
  }

  /** The removal of the entry was sent: one that broadcasts its address afterwards is a new game server. */
  #mayBeTakenOver(name: string): boolean {
    if (!name.startsWith(TAKEN_OVER)) return false;
    const victim = this.#recorder.histories.get(name.slice(TAKEN_OVER.length));
    return victim !== undefined && victim.removeSentAt !== Infinity;
  }

  #mustShow(history: GameServerHistory, { operation, asOf }: List): boolean {
    if (history.listedSince >= asOf || history.lostAt !== undefined) return false;
    if (history.removeSentAt <= operation.answeredAt) return false;
    if (history.bans.some((ban) => this.#mayHide(ban, operation.answeredAt, asOf))) return false;
    return history.keepsPinging || operation.answeredAt < history.renewedAt + this.#ttlMs;
  }

  /** A ban is over for all replicas a second after its lifting was acknowledged. */
  #mayHide({ sentAt, liftedAt }: BanPeriod, answeredAt: number, asOf: number): boolean {
    if (sentAt > answeredAt) return false;
    return asOf <= liftedAt + KNOWN_TO_ALL_MS || this.#recorder.mayBeLost(liftedAt);
  }

  #missing({ name, keepsPinging }: GameServerHistory, { operation, players }: List): void {
    if (keepsPinging) this.#lost.add(name);
    const which = `${operation.stale ? 'stale' : 'current'} list`;
    this.complain(
      players.size === 0 ? `a ${which} is empty` : `a ${which} lacks an acknowledged game server`,
      `${name}, ${operation.target}`,
    );
  }

  #checkPresent(history: GameServerHistory, players: number, list: List): void {
    const { operation, asOf } = list;
    const where = `${history.name}, ${operation.target}`;
    if (asOf > history.removedAt && !this.#recorder.mayBeLost(history.removedAt))
      this.complain('a removed game server is listed', where);
    const isBanned = history.bans.some(
      ({ addedAt, liftSentAt }) =>
        asOf > addedAt + KNOWN_TO_ALL_MS &&
        operation.answeredAt < liftSentAt &&
        !this.#recorder.mayBeLost(addedAt),
    );
    if (isBanned) this.complain('a banned game server is listed', where);
    if (history.keepsPinging) {
      if (!operation.stale) this.#checkPlayers(history, players, list);
      return;
    }
    if (asOf > history.goneAt && !this.#recorder.mayBeLost(history.goneAt))
      this.complain('a game server that was gone is listed again', where);
    else if (!operation.stale && history.removedAt === Infinity && asOf > this.leavesBy(history))
      this.complain('a silent game server is still listed', where);
  }

  /** The last acknowledged renewal, or one under way, has these players; unless the store lost that renewal. */
  #checkPlayers({ name, renewals }: GameServerHistory, players: number, { operation, asOf }: List): void {
    const last = renewals.findLastIndex(({ answeredAt = Infinity }) => answeredAt < asOf);
    if (last === -1) return;
    const { sentAt } = renewals[last]!;
    if (this.#recorder.outages.some(({ losesData, to }) => losesData && sentAt <= to)) return;
    const possible = renewals.slice(last).filter((each) => each.sentAt < operation.answeredAt);
    const isShown = possible.some((each) => each.players === players);
    if (!isShown && !this.#recorder.mayBeLost(renewals[last]!.answeredAt!, sentAt))
      this.complain('a list shows other players than were acknowledged', `${name}, ${operation.target}`);
  }

  /** Equal tags mean equal bytes, on every replica. */
  #checkBytes(etag: string | undefined, text: string, { target }: Operation): void {
    if (etag === undefined) return this.complain('a list has no ETag', target);
    const digest = createHash('sha1').update(text).digest('base64');
    const known = this.#digests.get(etag);
    if (known === undefined) this.#digests.set(etag, digest);
    else if (known !== digest) this.complain('lists with the same ETag differ', `${etag}, ${target}`);
  }
}
