/**
 * Remembers which entry has an address. A game server that starts anew has another secret, and so another id; without
 * this the entry of the run before would stay for its TTL. The list is read at most once in a second, however many game
 * servers come at once. An entry that another replica has listed since then is not known here, and expires.
 */

import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { ProtocolContext } from '../protocol.ts';

/** The name of the protocol in --protocols. */
export const DDNET = 'ddnet';

const REREAD_MS = 1000;

type Owners = Map<string, GameServerId>;

export class LinkOwners {
  readonly #context: Pick<ProtocolContext, 'registry' | 'now'>;
  #owners: Promise<Owners> | undefined;
  #readAt = 0;

  constructor(context: Pick<ProtocolContext, 'registry' | 'now'>) {
    this.#context = context;
  }

  /**
   * Gives the link to this entry. Resolves with the entry that had it before; undefined if that is the same one, or
   * none. Rejects with a ServiceError `registry_unavailable`.
   */
  async hand(link: string, id: GameServerId): Promise<GameServerId | undefined> {
    const owners = await this.#current();
    const before = owners.get(link);
    owners.set(link, id);
    return before === id ? undefined : before;
  }

  #current(): Promise<Owners> {
    const now = this.#context.now();
    const isYoung = now - this.#readAt < REREAD_MS && now >= this.#readAt;
    if (this.#owners !== undefined && isYoung) return this.#owners;
    this.#readAt = now;
    const reading = this.#read();
    this.#owners = reading;
    reading.catch(() => {
      if (this.#owners === reading) this.#owners = undefined;
    });
    return reading;
  }

  async #read(): Promise<Owners> {
    const owners: Owners = new Map();
    for (const entry of await this.#context.registry.entries())
      for (const link of linksOf(entry)) owners.set(link, entry.id);
    return owners;
  }
}

/** The links of an entry of this protocol. */
export function linksOf(entry: ListedGameServer | undefined): readonly string[] {
  if (entry?.details.areOfProtocol !== true || entry.details.fields.protocol !== DDNET) return [];
  return entry.details.fields.links ?? [];
}
