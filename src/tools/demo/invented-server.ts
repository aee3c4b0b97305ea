/**
 * One invented game server as time goes by: players come and go in small steps, a round ends and the next map begins,
 * and now and then it starts anew.
 */

import type { ListedServer } from '../../model/view/listed-server.ts';
import { between, type Random } from './random.ts';

/** The fields of a broadcast, in the words of the API. */
export interface Fields
  extends
    Pick<ListedServer, 'players' | 'max_players' | 'addresses'>,
    Required<Pick<ListedServer, 'map' | 'mode' | 'version' | 'region' | 'password' | 'tags'>> {
  readonly server_host: string;
  readonly server_name: string;
  readonly server_port: number;
  readonly server_ip: string;
  readonly meta: { readonly [key: string]: string | number };
}

/** The traits of a game server that stay as long as it runs. */
export type Traits = Omit<Fields, 'players' | 'map'> & {
  /** The maps in the order in which they are played. */
  readonly maps: readonly string[];
  /** How many would like to play there, on average: may be more than there is room for. */
  readonly popularity: number;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** At most one player comes and one goes in a step. */
const STEP_MS = 10 * SECOND_MS;
/** How long a player stays, on average. */
const VISIT_MS = 15 * MINUTE_MS;
const ROUND_MINUTES = [12, 35] as const;
const UPTIME_MINUTES = [30, 200] as const;
/** One in this many players leaves when the map changes. */
const LEAVE_WITH_THE_MAP = 10;

export class InventedServer {
  readonly #traits: Traits;
  readonly #random: Random;
  #players: number;
  #map: number;
  /** Times are in ms since the epoch. Up to when it has lived. */
  #at: number;
  #roundEndsAt: number;
  #restartsAt: number;

  constructor(traits: Traits, now: number, random: Random) {
    const { maps, max_players: places, popularity } = traits;
    this.#traits = traits;
    this.#random = random;
    this.#players = Math.min(places, Math.round(popularity));
    this.#map = between(0, maps.length - 1, random);
    this.#at = now;
    // The game servers began at different times.
    this.#roundEndsAt = now + between(0, ROUND_MINUTES[1] * MINUTE_MS, random);
    this.#restartsAt = now + between(MINUTE_MS, UPTIME_MINUTES[1] * MINUTE_MS, random);
  }

  get fields(): Fields {
    const { maps, popularity: _, ...fields } = this.#traits;
    return { ...fields, players: this.#players, map: maps[this.#map]! };
  }

  /** Lets it live until `now`. */
  live(now: number): void {
    // After hours only the length of four visits is lived through: earlier players have left.
    this.#at = Math.max(this.#at, now - 4 * VISIT_MS);
    for (; this.#at + STEP_MS <= now; this.#at += STEP_MS) this.#step();
    if (now >= this.#roundEndsAt) {
      this.#map = (this.#map + 1) % this.#traits.maps.length;
      this.#roundEndsAt = now + between(...ROUND_MINUTES, this.#random) * MINUTE_MS;
      this.#players -= Math.floor(this.#players / LEAVE_WITH_THE_MAP);
    }
  }

  /** Whether it is about to stop, and to start anew a little later. */
  mustRestart(now: number): boolean {
    return now >= this.#restartsAt;
  }

  /** Starts the game server anew at `now`: nobody is there yet. */
  restart(now: number): void {
    this.#players = 0;
    this.#map = 0;
    this.#at = now;
    this.#roundEndsAt = now + between(...ROUND_MINUTES, this.#random) * MINUTE_MS;
    this.#restartsAt = now + between(...UPTIME_MINUTES, this.#random) * MINUTE_MS;
  }

  #step(): void {
    const { popularity, max_players: places } = this.#traits;
    const share = STEP_MS / VISIT_MS;
    if (this.#random() < popularity * share) this.#players += 1;
    if (this.#random() < this.#players * share) this.#players -= 1;
    this.#players = Math.min(places, Math.max(0, this.#players));
  }
}
