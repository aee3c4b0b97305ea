/**
 * The game servers that were asked of late: how often, and which of them keep silent. A game server that ends sends two
 * heartbeats and answers no more (SV_MasterShutdown() of ioquake3), or one that says so (a flatline). Both can be
 * forged; its silence cannot. Knows no registry.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import { dpmasterLinkOf, type Peer } from './game-server.ts';

export const TICK_MS = 250;
/**
 * Two seconds and a little, to answer. Counted in ticks and not by a clock: a pause of this process, in which answers
 * wait to be read, counts as one.
 */
const TICKS = 9;
/** So often one game server is asked before it had that time to answer, whoever sends its heartbeats. */
const MOST_QUESTIONS = 6;
/** So many heartbeats without an answer are a farewell. */
export const FAREWELL_HEARTBEATS = 2;

/** A game server that was asked. */
export interface Asked {
  readonly id: GameServerId;
  readonly peer: Peer;
  /** Of a stranger who may come to take a place of this network. */
  network: string | undefined;
  questions: number;
  /** The heartbeats since its last answer; a flatline counts as a whole farewell. */
  unanswered: number;
  ticksLeft: number;
}

export class Questions {
  /** By address and port. */
  readonly #asked = new Map<string, Asked>();
  /** How many strangers were asked and have not answered, by network; all of them under ''. */
  readonly #strangers = new Map<string, number>();

  get(peer: Peer): Asked | undefined {
    return this.#asked.get(dpmasterLinkOf(peer));
  }

  /** Of all networks without one. */
  strangersOf(network = ''): number {
    return this.#strangers.get(network) ?? 0;
  }

  begin(id: GameServerId, peer: Peer, isStranger: boolean): Asked {
    const network = isStranger ? networkOf(peer.address) : undefined;
    const asked = { id, peer, network, questions: 0, unanswered: 0, ticksLeft: TICKS };
    this.#asked.set(dpmasterLinkOf(peer), asked);
    this.#countStranger(asked, 1);
    return asked;
  }

  /** Whether it may be asked once more. If so, that is counted. */
  ask(asked: Asked, isFlatline: boolean): boolean {
    if (asked.questions >= MOST_QUESTIONS) return false;
    asked.questions += 1;
    asked.unanswered += isFlatline ? FAREWELL_HEARTBEATS : 1;
    asked.ticksLeft = TICKS;
    return true;
  }

  answered(asked: Asked): void {
    asked.unanswered = 0;
    this.#countStranger(asked, -1);
    asked.network = undefined;
  }

  /** To be called each TICK_MS. Returns those who have said farewell, and kept silent. */
  tick(): readonly Asked[] {
    const silent: Asked[] = [];
    for (const [key, asked] of this.#asked) {
      asked.ticksLeft -= 1;
      if (asked.ticksLeft > 0) continue;
      this.#asked.delete(key);
      this.#countStranger(asked, -1);
      if (asked.unanswered >= FAREWELL_HEARTBEATS) silent.push(asked);
    }
    return silent;
  }

  #countStranger({ network }: Asked, by: number): void {
    if (network === undefined) return;
    for (const each of ['', network]) {
      const count = this.strangersOf(each) + by;
      if (count === 0) this.#strangers.delete(each);
      else this.#strangers.set(each, count);
    }
  }
}
