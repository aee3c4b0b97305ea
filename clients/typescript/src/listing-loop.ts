/**
 * One game server at one service: broadcasts and pings as an Announcer says, with the newest fields there are, and is
 * silent while there are none. It is never faster than the service allows, also when the game server comes back.
 */

import type { Announcer, AnnouncerFields, Turn } from './announcer.ts';
import type { ServiceAnswer } from './ask.ts';
import type { Environment } from './environment.ts';

export interface ListingLoopOptions {
  readonly announcer: Announcer;
  readonly environment: Pick<Environment, 'after' | 'now'>;
  readonly onTurn: (turn: Turn) => void;
}

export class ListingLoop {
  readonly #options: ListingLoopOptions;
  /** Undefined while the game server is away. */
  #body: AnnouncerFields | undefined;
  /** The last fields, which a remove needs. */
  #lastBody: AnnouncerFields | undefined;
  /** When the last turn was, ms since the epoch, and how long after it nothing is sent. */
  #turnedAt = -Infinity;
  #waitMs = 0;
  #cancel: (() => void) | undefined;
  #turning: Promise<void> | undefined;
  #isOver = false;

  constructor(options: ListingLoopOptions) {
    this.#options = options;
  }

  /** Whether the service has the entry, as far as is known, and the game server is there. */
  get isListed(): boolean {
    return this.#body !== undefined && this.#options.announcer.id !== undefined;
  }

  get id(): string | undefined {
    return this.#options.announcer.id;
  }

  /** Takes fields for the next ping; after an absence they are sent at once, and after stop() never. */
  update(body: AnnouncerFields): void {
    if (this.#isOver) return;
    this.#body = body;
    this.#lastBody = body;
    if (this.#cancel === undefined && this.#turning === undefined) this.#schedule();
  }

  /** The game server is away: its entry is left to the TTL. */
  pause(): void {
    this.#body = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Takes one turn, now. */
  async announceOnce(body: AnnouncerFields): Promise<Turn> {
    const turn = await this.#options.announcer.announce(body);
    this.#options.onTurn(turn);
    return turn;
  }

  /** Nothing is sent any more but the request of remove(). A turn that is under way goes on. */
  stop(): void {
    this.#isOver = true;
    this.pause();
  }

  /** Resolves once no turn is under way. */
  async settle(): Promise<void> {
    await this.#turning;
  }

  /** Takes the entry off the list, if there is one that could be there. Call it after stop(). */
  async remove(keepsId: boolean): Promise<ServiceAnswer | undefined> {
    return this.#lastBody === undefined ? undefined : this.#options.announcer.remove(this.#lastBody, keepsId);
  }

  #schedule(): void {
    const { after, now } = this.#options.environment;
    // A clock that is set back does not make it wait longer.
    const passedMs = Math.max(0, now() - this.#turnedAt);
    this.#cancel = after(Math.max(0, this.#waitMs - passedMs), () => {
      this.#cancel = undefined;
      this.#turning = this.#takeTurn();
    });
  }

  async #takeTurn(): Promise<void> {
    const { announcer, environment, onTurn } = this.#options;
    const turn = await announcer.announce(this.#body!);
    this.#turnedAt = environment.now();
    this.#waitMs = turn.waitMs;
    this.#turning = undefined;
    if (!this.#isOver) onTurn(turn);
    if (this.#body !== undefined && !this.#isOver) this.#schedule();
  }
}
