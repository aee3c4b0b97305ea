/** The native entries of a registry in memory. The twin of redis/redis-native-entries.ts and lua/publish.lua. */

import {
  describedBy,
  MOST_LINKS,
  type NativeState,
  type NativeOutcome,
  type NativeEntries,
} from '../native-entries.ts';
import { REACHED, saysTheSame, type GameServerId, type ListedGameServer } from '../../model/game-server.ts';
import { isAlive } from '../lifetime.ts';
import type { Caller, Clock, RegistryEvents } from '../registry.ts';
import { isSameAddress } from './address-index.ts';
import type { Admission } from './admission.ts';
import type { Entries } from './entries.ts';
import type { Journal } from './journal.ts';
import type { MemoryEntry } from './memory-entry.ts';

export interface MemoryNativeEntriesOptions {
  readonly entries: Entries;
  readonly admission: Admission;
  readonly journal: Journal | undefined;
  readonly clock: Clock;
  readonly events: Partial<RegistryEvents>;
}

export class MemoryNativeEntries implements NativeEntries {
  readonly #options: MemoryNativeEntriesOptions;

  constructor(options: MemoryNativeEntriesOptions) {
    this.#options = options;
  }

  async publish(
    id: GameServerId,
    state: NativeState,
    { address: client }: Pick<Caller, 'address'>,
  ): Promise<NativeOutcome> {
    const { entries, admission, journal, clock, events } = this.#options;
    const now = clock.now();
    const listed = entries.listed.get(id);
    const links = liveLinks(listed, now);
    links.set(state.link, now + state.lifetime.ttlMs);
    for (const oldest of links.keys()) if (links.size > MOST_LINKS) links.delete(oldest);
    const gameServer = describedBy(state, [...links.keys()]);
    const former = entries.find(id);
    const isThere = listed !== undefined && isSameAddress(listed, gameServer);
    const refusal =
      (isThere ? undefined : admission.addressTaken(id, gameServer)) ??
      admission.quotaExceeded(id, gameServer, client, { former }) ??
      admission.tooManyBytes(id, gameServer, client, { document: state.document, listed });
    if (refusal !== undefined) return refusal;
    if (listed?.native !== undefined && listed.client === client && saysTheSame(gameServer, listed)) {
      replaceAll(listed.native.links, links);
      entries.renew(listed);
    } else {
      if (former !== undefined && !isThere) entries.addresses.release(former, id);
      if (!isThere) admission.takeAddress(id, gameServer);
      const standing = { isClaimed: true, client, reachability: REACHED };
      entries.publish(id, gameServer, standing, former, { document: state.document, links });
      if (listed === undefined)
        events.onListed?.({ id, ...gameServer }, former === undefined ? 'new' : 'revived');
    }
    await journal?.written();
    return listed === undefined ? 'listed' : 'refreshed';
  }

  async withdraw(id: GameServerId, link: string): Promise<'withdrawn' | 'unknown'> {
    const { entries, journal, clock, events } = this.#options;
    const listed = entries.listed.get(id);
    if (listed?.native?.links.has(link) !== true) return 'unknown';
    listed.native.links.delete(link);
    if (liveLinks(listed, clock.now()).size === 0) {
      entries.removeForGood(id);
      events.onLeft?.(listed, 'removed');
    }
    await journal?.written();
    return 'withdrawn';
  }

  documentOf({ id, details }: Pick<ListedGameServer, 'id' | 'details'>): string | undefined {
    const listed = this.#options.entries.listed.get(id);
    const isSame = listed?.details.fields.document === details.fields.document;
    return isSame ? listed?.native?.document : undefined;
  }
}

function liveLinks(entry: MemoryEntry | undefined, now: number): Map<string, number> {
  return new Map([...(entry?.native?.links ?? [])].filter(([, deadline]) => isAlive(deadline, now)));
}

function replaceAll(links: Map<string, number>, by: ReadonlyMap<string, number>): void {
  links.clear();
  for (const [link, deadline] of by) links.set(link, deadline);
}
