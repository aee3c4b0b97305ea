/** How near servers are to the player, estimated from what both have measured. For the page and for its worker. */

import { BeaconMap, nearMs, type Beacon, type Latency, type Point } from '../../model/near.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';

/** How far the player is from the beacons. */
export interface Measured {
  /** When it was measured, in ms since the epoch: equal times mean equal measurements. */
  readonly at: number;
  readonly beacons: readonly Beacon[];
  /** Has the beacons that answered. */
  readonly latency: Latency;
}

export class Nearness {
  readonly measured: Measured;
  readonly #map: BeaconMap;
  readonly #player: Point | undefined;
  /** The estimates for the servers as they were sent: a changed one is another object. */
  readonly #known = new WeakMap<ListedServer, number | undefined>();

  constructor(measured: Measured) {
    this.measured = measured;
    this.#map = new BeaconMap(measured.beacons);
    this.#player = this.#map.pointOf(measured.latency);
  }

  /** In ms, there and back; undefined if there is no estimate. */
  msOf(server: ListedServer): number | undefined {
    if (!this.#known.has(server)) this.#known.set(server, this.#estimate(server.latency));
    return this.#known.get(server);
  }

  /** The names of the beacons that answered the player. */
  get places(): readonly string[] {
    return Object.keys(this.measured.latency).map((id) => this.placeOf(id));
  }

  /** The name of a beacon. */
  placeOf(id: string): string {
    return this.measured.beacons.find((beacon) => beacon.id === id)?.place ?? id;
  }

  #estimate(latency: Latency | undefined): number | undefined {
    const point = latency && this.#map.pointOf(latency);
    if (point === undefined || this.#player === undefined || !this.#map.isPossible(point)) return undefined;
    return nearMs(this.#player, point);
  }
}
