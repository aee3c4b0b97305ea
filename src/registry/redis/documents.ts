/**
 * The native documents of listed entries, as far as this replica has them. The feed has the hash of each; the replica
 * fetches the text from the record, once for each hash. Every replica can thus write all of them back after a loss.
 */

import { hashOfDocument, MOST_DOCUMENT_BYTES } from '../native-entries.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { ChangesBatch } from './follower/changes-batch.ts';

/** How many documents are fetched at a time: 3 MB at most. */
const BATCH_SIZE = 100;

/** How often a document is fetched whose hash is not that of the feed: it has changed again, or was damaged. */
const MOST_ATTEMPTS = 3;

interface Kept {
  readonly hash: string;
  readonly text: string;
}

interface Wanted {
  readonly entry: ListedGameServer;
  attempts: number;
}

export interface DocumentsOptions {
  /** Reads the documents of these entries from their records, null for none. It may reject. */
  readonly fetch: (ids: readonly GameServerId[]) => Promise<readonly (string | null)[]>;
}

export class Documents {
  readonly #options: DocumentsOptions;
  readonly #kept = new Map<GameServerId, Kept>();
  readonly #wanted = new Map<GameServerId, Wanted>();
  #isFetching = false;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /** The document of this entry, if it has this hash. */
  get(id: GameServerId, hash: string | undefined): string | undefined {
    const kept = this.#kept.get(id);
    return kept?.hash === hash ? kept?.text : undefined;
  }

  keep({ id }: Pick<ListedGameServer, 'id'>, text: string): void {
    this.#wanted.delete(id);
    this.#kept.set(id, { hash: hashOfDocument(text), text });
  }

  forget(id: GameServerId): void {
    this.#wanted.delete(id);
    this.#kept.delete(id);
  }

  /** Forgets the documents of all other entries. */
  keepOnly(isListed: (id: GameServerId) => boolean): void {
    for (const id of this.#kept.keys()) if (!isListed(id)) this.forget(id);
  }

  /** Follows a batch of changes. */
  followAll({ tombstones, changed }: Pick<ChangesBatch, 'tombstones' | 'changed'>): void {
    for (const { id } of tombstones) this.forget(id);
    for (const entry of changed) this.follow(entry);
  }

  /** The feed tells that the entry is so by now. What is told of entries without a document costs nothing. */
  follow(entry: ListedGameServer): void {
    if (!entry.details.areOfProtocol) return;
    const { document } = entry.details.fields;
    if (document === undefined) return;
    if (this.get(entry.id, document) !== undefined) this.#wanted.delete(entry.id);
    else this.#wanted.set(entry.id, { entry, attempts: 0 });
  }

  /** Fetches the queued documents in batches. The next call repeats what failed. Never rejects. */
  async fetch(): Promise<void> {
    if (this.#isFetching || this.#wanted.size === 0) return;
    this.#isFetching = true;
    try {
      const batches = Math.ceil(this.#wanted.size / BATCH_SIZE);
      for (let batch = 0; batch < batches; batch += 1) await this.#fetchBatch();
    } catch {
      // Redis is away: the next poll comes.
    } finally {
      this.#isFetching = false;
    }
  }

  async #fetchBatch(): Promise<void> {
    const batch = [...this.#wanted].slice(0, BATCH_SIZE);
    const texts = await this.#options.fetch(batch.map(([id]) => id));
    for (const [index, [id, wanted]] of batch.entries()) {
      if (this.#wanted.get(id) !== wanted) continue;
      // If it is queued again, it goes behind the others.
      this.#wanted.delete(id);
      const text = texts[index] ?? undefined;
      const isRight =
        text !== undefined &&
        text.length <= MOST_DOCUMENT_BYTES &&
        hashOfDocument(text) === wanted.entry.details.fields.document;
      if (isRight) this.keep(wanted.entry, text);
      else if ((wanted.attempts += 1) < MOST_ATTEMPTS) this.#wanted.set(id, wanted);
    }
  }
}
