/**
 * The native entries of a registry in Redis. The twin of ../memory/memory-native-entries.ts. Redis decides which links
 * an entry has: two replicas may publish two links of one game server in the same millisecond. The replica describes
 * the entry with these links.
 */

import {
  describedBy,
  hashOfDocument,
  type NativeState,
  type NativeOutcome,
  type NativeEntries,
} from '../native-entries.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { Caller, RegistryEvents } from '../registry.ts';
import type { Documents } from './documents.ts';
import type { WriteReply } from './guarded-writes.ts';
import type { RedisInternals } from './redis-internals.ts';
import type { Published } from './scripts/script-replies.ts';

export interface RedisNativeEntriesOptions extends Pick<RedisInternals, 'scripts' | 'writes' | 'follower'> {
  readonly documents: Documents;
  readonly events: Partial<RegistryEvents>;
  /** Remembers what a write has changed, until the feed has it. */
  readonly note: (id: GameServerId, reply: WriteReply) => void;
}

/** How often the entry is described anew: no game server changes its few links more often meanwhile. */
const MOST_ATTEMPTS = 8;

export class RedisNativeEntries implements NativeEntries {
  readonly #options: RedisNativeEntriesOptions;

  constructor(options: RedisNativeEntriesOptions) {
    this.#options = options;
  }

  async publish(
    id: GameServerId,
    state: NativeState,
    { address: client }: Pick<Caller, 'address'>,
  ): Promise<NativeOutcome> {
    const { writes, documents, events, note } = this.#options;
    const reply = await writes.untilSure(id, undefined, (since) => this.#publish(id, state, client, since));
    const { outcome, changed, wasExpired } = reply as Published;
    if (changed !== undefined) {
      documents.keep(changed, state.document);
      note(id, reply);
      if (outcome === 'listed') events.onListed?.(changed, wasExpired ? 'revived' : 'new');
    }
    return outcome as NativeOutcome;
  }

  async withdraw(id: GameServerId, link: string): Promise<'withdrawn' | 'unknown'> {
    const { scripts, writes, follower, events, note } = this.#options;
    const known = follower.get(id);
    const reply: WriteReply = await writes.untilSure(id, BY_PROTOCOL, (since) =>
      scripts.withdraw(id, link, since),
    );
    if (reply.outcome === 'unknown') return 'unknown';
    note(id, reply);
    if (reply.version !== undefined) events.onLeft?.(known ?? { id }, 'removed');
    return 'withdrawn';
  }

  documentOf({ id, details }: Pick<ListedGameServer, 'id' | 'details'>): string | undefined {
    return this.#options.documents.get(id, details.fields.document);
  }

  /** Publishes the game server, described with the links that Redis has of it. */
  async #publish(id: GameServerId, state: NativeState, client: string, since: number): Promise<Published> {
    const { scripts, follower, documents } = this.#options;
    const { lifetime, link, document } = state;
    const known = follower.get(id);
    const before = known?.details.fields.links ?? [];
    let links = before.includes(link) ? before : [...before, link];
    const hash = hashOfDocument(document);
    let toldDocument = documents.get(id, hash) === undefined ? document : '';
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const gameServer = describedBy(state, links);
      const about = { gameServer, client, lifetime, link, links, document: toldDocument };
      const reply = await scripts.publish(id, about, since);
      if (!('asksFor' in reply)) return reply;
      if (reply.asksFor === 'links') links = reply.links;
      else toldDocument = document;
    }
    throw new ServiceError('registry_unavailable');
  }
}

/** The claimant of a native entry: its protocol has verified that the caller is the game server. */
const BY_PROTOCOL = { caller: { proof: 'token' } } as const;
