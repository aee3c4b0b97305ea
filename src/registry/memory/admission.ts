/**
 * Decides whether there is room for an entry: at its address, if addresses are unique, and within the quotas. The twin
 * of redis/lua/lib/addresses.lua and quotas.lua.
 */

import { isUnlisted, type GameServer, type GameServerId } from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import { countedBytesOf, type TooManyBytes } from '../native-entries.ts';
import { NO_QUOTAS, type Quotas, type RegistryRules } from '../registry-rules.ts';
import type { AddressTaken, Clock, QuotaExceeded } from '../registry.ts';
import type { Entries } from './entries.ts';
import { bytesOfDocument } from './listed-entries.ts';
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
   * The refusal, if the client's network would have an entry too many with this one. `former`: the entry so far, if it
   * is listed or can be revived: one of this network stays one of its entries. Entries that leave for it do not count:
   * the one whose address it takes, and its predecessor.
   */
  quotaExceeded(
    id: GameServerId,
    gameServer: GameServer,
    client: string,
    {
      former,
      predecessor,
    }: { readonly former?: MemoryEntry | undefined; readonly predecessor?: MemoryEntry | undefined },
  ): QuotaExceeded | undefined {
    const { maxServers, maxServersPerAddress, isExempt } = this.#quotas;
    if (isExempt(client) || (former !== undefined && isOfNetwork(former, client))) return undefined;
    this.removeLapsed();
    const { listed, revivable, clients } = this.#entries;
    const leaving = [this.#rival(id, gameServer), predecessor].filter((entry) => entry !== undefined);
    const count = listed.size + revivable.size - leaving.length;
    if (former === undefined && count >= maxServers)
      return { is: 'quota_exceeded', of: 'all', limit: maxServers, count };
    const own = clients.of(client) - leaving.filter((entry) => isOfNetwork(entry, client)).length;
    if (own < maxServersPerAddress) return undefined;
    return { is: 'quota_exceeded', of: 'address', limit: maxServersPerAddress, count: own };
  }

  /**
   * The refusal, if the documents of the client's network would take too many bytes with this one. `listed`: the entry
   * so far: its document may always be replaced by one that counts no more for the same network.
   */
  tooManyBytes(
    id: GameServerId,
    gameServer: GameServer,
    client: string,
    { document, listed }: { readonly document: string; readonly listed: MemoryEntry | undefined },
  ): TooManyBytes | undefined {
    const { maxDocumentBytesPerAddress: limit = Infinity } = this.#rules;
    const bytesHere = (entry: MemoryEntry | undefined): number =>
      entry !== undefined && isOfNetwork(entry, client) ? bytesOfDocument(entry) : 0;
    const growth = countedBytesOf(document) - bytesHere(listed);
    if (growth <= 0) return undefined;
    const rest = this.#entries.listed.documentBytes.of(client) - bytesHere(this.#rival(id, gameServer));
    return rest + growth > limit ? { is: 'too_many_bytes', limit } : undefined;
  }

  /** Removes for good the entries off the list that cannot come back any more. */
  removeLapsed(): void {
    const { revivable } = this.#entries;
    for (const { id } of revivable.lapsed(this.#clock.now())) this.#entries.removeForGood(id);
  }

  /** The listed entry that has to leave so that the id can have this address. */
  #rival(id: GameServerId, gameServer: GameServer): MemoryEntry | undefined {
    if (!this.#rules.uniqueAddress || isUnlisted(id)) return undefined;
    const holder = this.#entries.addresses.holderOf(gameServer);
    return holder === undefined || holder === id ? undefined : this.#entries.listed.get(holder);
  }
}

function isOfNetwork(entry: MemoryEntry, client: string): boolean {
  return networkOf(entry.client) === networkOf(client);
}
