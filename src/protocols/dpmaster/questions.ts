/**
 * The game servers that were recently asked: how often, and which of them seem to have ended. A game server that ends
 * sends two heartbeats and then answers no more (SV_MasterShutdown() of ioquake3), or sends a flatline. Anybody can
 * forge either, and have it keep silent: it answers questions up to a limit, and forged ones use that up. This file
 * knows no registry.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import { dpmasterLinkOf, type Peer } from './game-server.ts';

export const TICK_MS = 250;
/**
 * The time for an answer: two seconds and a little. It is counted in ticks and not by a clock, so that a pause of this
 * process, in which answers wait to be read, counts as one tick.
 */
const TICKS = 9;
/** How often a game server is asked within the time for an answer, whoever sends its heartbeats. */
const MOST_QUESTIONS = 6;
/** How many heartbeats without an answer mean a farewell. */
export const FAREWELL_HEARTBEATS = 2;

/** A game server that was asked. */
export interface Asked {
  readonly id: GameServerId;
  readonly peer: Peer;
  /** The network of which a stranger may take a place; undefined for a listed game server. */
  network: string | undefined;
  questions: number;
  /** The heartbeats since its last answer; a flatline counts as a whole farewell. */
  unanswered: number;
  ticksLeft: number;
}

export class Questions {
  /** The game servers by address and port. */
  readonly #asked = new Map<string, Asked>();
  /** How many strangers were asked and have not answered, by network; under '' those of all networks. */
  readonly #strangers = new Map<string, number>();

  get(peer: Peer): Asked | undefined {
    return this.#asked.get(dpmasterLinkOf(peer));
  }

  /** The strangers of a network, or of all networks if none is given. */
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

  /** Counts one more question, and returns whether it may be asked. */
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

  /** Call it each TICK_MS. Returns so many at most that said farewell and then kept silent; others come later. */
  tick(most: number): readonly Asked[] {
    const silent: Asked[] = [];
    for (const [key, asked] of this.#asked) {
      asked.ticksLeft -= 1;
      if (asked.ticksLeft > 0) continue;
      const isFarewell = asked.network === undefined && asked.unanswered >= FAREWELL_HEARTBEATS;
      if (isFarewell && silent.length >= most) continue;
      this.#asked.delete(key);
      this.#countStranger(asked, -1);
      if (isFarewell) silent.push(asked);
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
