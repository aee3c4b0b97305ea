/**
 * Decides whether there is room for an entry: at its address, if addresses are unique, and within the quotas. The twin
 * of redis/lua/lib/addresses.lua and quotas.lua.
 */

import { isUnlisted, type GameServer, type GameServerId } from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import { NO_QUOTAS, type Quotas, type RegistryRules } from '../registry-rules.ts';
import type { AddressTaken, Clock, QuotaExceeded } from '../registry.ts';
import type { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';

export class Admission {
  readonly #rules: RegistryRules;
  readonly #quotas: Quotas;
  readonly #entries: Entries;
  readonly #clock: Clock;
  readonly #onReplaced: (entry: MemoryEntry) => void;

  /** `onReplaced` is called with each entry that another one replaced. */
  constructor(
    { onReplaced, ...rules }: RegistryRules & { readonly onReplaced: (entry: MemoryEntry) => void },
    entries: Entries,
    clock: Clock,
  ) {
    this.#onReplaced = onReplaced;
    this.#rules = rules;
    this.#quotas = rules.quotas ?? NO_QUOTAS;
    this.#entries = entries;
    this.#clock = clock;
  }

  /** The refusal, if another entry is claimed and keeps the address. */
  addressTaken(id: GameServerId, gameServer: GameServer): AddressTaken | undefined {
    const rival = this.#rules.verifySource === true ? undefined : this.#rival(id, gameServer);
    if (rival?.isClaimed !== true) return undefined;
    return { is: 'address_taken', forMs: Math.max(0, rival.expiresAt - this.#clock.now()) };
  }

  /** Gives the address to the id. If addresses are unique, this removes its former holder for good. */
  takeAddress(id: GameServerId, gameServer: GameServer): void {
    const rival = this.#rival(id, gameServer);
    if (rival !== undefined) {
      this.#entries.removeForGood(rival.id);
      this.#onReplaced(rival);
    }
    this.#entries.addresses.take(gameServer, id);
  }

  /**
   * The refusal, if one more entry of this client would be too many. Entries that leave for it do not count: the one
   * whose address it takes, and its predecessor.
   */
  quotaExceeded(
    id: GameServerId,
    gameServer: GameServer,
    client: string,
    predecessor?: MemoryEntry,
  ): QuotaExceeded | undefined {
    const { maxServers, isExempt } = this.#quotas;
    if (isExempt(client)) return undefined;
    this.removeLapsed();
    const { listed, revivable } = this.#entries;
    const leaving = this.#leaving(id, gameServer, predecessor);
    const count = listed.size + revivable.size - leaving.length;
    if (count >= maxServers) return { is: 'quota_exceeded', of: 'all', limit: maxServers, count };
    return this.clientQuotaExceeded(id, gameServer, client, predecessor);
  }

  /** The refusal, if the network of the client has as many entries as it may. Those of it that leave do not count. */
  clientQuotaExceeded(
    id: GameServerId,
    gameServer: GameServer,
    client: string,
    predecessor?: MemoryEntry,
  ): QuotaExceeded | undefined {
    const { maxServersPerAddress, isExempt } = this.#quotas;
    if (isExempt(client)) return undefined;
    this.removeLapsed();
    const leaving = this.#leaving(id, gameServer, predecessor);
    const ownLeaving = leaving.filter((entry) => networkOf(entry.client) === networkOf(client));
    const own = this.#entries.clients.of(client) - ownLeaving.length;
    if (own < maxServersPerAddress) return undefined;
    return { is: 'quota_exceeded', of: 'address', limit: maxServersPerAddress, count: own };
  }

  /** Removes for good the entries off the list that cannot come back any more. */
  removeLapsed(): void {
    const { revivable } = this.#entries;
    for (const { id } of revivable.lapsed(this.#clock.now())) this.#entries.removeForGood(id);
  }

  #leaving(id: GameServerId, gameServer: GameServer, predecessor: MemoryEntry | undefined): MemoryEntry[] {
    return [this.#rival(id, gameServer), predecessor].filter((entry) => entry !== undefined);
  }

  /** The listed entry that has to leave so that the id can have this address. */
  #rival(id: GameServerId, gameServer: GameServer): MemoryEntry | undefined {
    if (!this.#rules.uniqueAddress || isUnlisted(id)) return undefined;
    const holder = this.#entries.addresses.holderOf(gameServer);
    return holder === undefined || holder === id ? undefined : this.#entries.listed.get(holder);
  }
}
