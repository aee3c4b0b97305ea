/**
 * Finds the entry that has an address: host, IP and port together, however they are spelled. The twin of
 * redis/lua/lib/addresses.lua.
 */

import { comparableAddress } from '../../model/comparable.ts';
import { isUnlisted, type GameServer, type GameServerId } from '../../model/game-server.ts';

type Address = Pick<GameServer, 'host' | 'ip' | 'port'>;

/**
 * Several entries may have one address; the index knows the latest of them. It never has an unlisted entry, which
 * neither keeps an address from others nor takes one from them.
 */
export class AddressIndex {
  readonly #holders = new Map<string, GameServerId>();

  /** The id of the entry that has the address. */
  holderOf(address: Address): GameServerId | undefined {
    return this.#holders.get(comparableAddress(address));
  }

  /** Gives the address to this entry. */
  take(address: Address, id: GameServerId): void {
    if (!isUnlisted(id)) this.#holders.set(comparableAddress(address), id);
  }

  /** Frees the address if this entry has it. */
  release(address: Address, id: GameServerId): void {
    const key = comparableAddress(address);
    if (this.#holders.get(key) === id) this.#holders.delete(key);
  }
}

/** Whether both are spelled alike. It builds no key, so that a ping from the same address costs next to nothing. */
export function isSameAddress(a: Address, b: Address): boolean {
  return a.port === b.port && a.host === b.host && a.ip === b.ip;
}
