/**
 * What other protocols list, in Redis. Twin of ../memory/memory-native-entries.ts. Which links an entry has is up to
 * Redis: two of one game server may be published at two replicas in the same millisecond. What the entry is with these
 * links is described here.
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
  /** Notes what a write has changed. */
  readonly note: (id: GameServerId, reply: WriteReply) => void;
}

/** An entry has a few links: more changes of them in a row are not those of one game server. */
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
    const reply = await writes.untilSure(id, undefined, () => this.#publish(id, state, client));
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
    const reply: WriteReply = await writes.untilSure(id, BY_PROTOCOL, () => scripts.withdraw(id, link));
    if (reply.outcome === 'unknown') return 'unknown';
    note(id, reply);
    if (reply.version !== undefined) events.onLeft?.(known ?? { id }, 'removed');
    return 'withdrawn';
  }

  documentOf({ id, details }: Pick<ListedGameServer, 'id' | 'details'>): string | undefined {
    return this.#options.documents.get(id, details.fields.document);
  }

  documentBytesOf(client: string): number {
    return this.#options.documents.bytesOf(client);
  }

  /** Describes the game server with the links that Redis has of it. */
  async #publish(id: GameServerId, state: NativeState, client: string): Promise<Published> {
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
      const reply = await scripts.publish(id, about);
      if (!('asksFor' in reply)) return reply;
      if (reply.asksFor === 'links') links = reply.links;
      else toldDocument = document;
    }
    throw new ServiceError('registry_unavailable');
  }
}

/** Its protocol has seen that the caller is the game server. */
const BY_PROTOCOL = { caller: { proof: 'token' } } as const;
