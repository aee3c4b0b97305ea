/**
 * The reports of readers, in one hash that all replicas share: each text is stored if Redis has the one that this
 * replica knows. What Redis loses of them is lost. The twin of ../memory/beside/memory-reports.ts.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { ServiceError } from '../../model/service-error.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import type { Reports } from '../backend.ts';
import {
  beyondAll,
  formatVoices,
  inForce,
  parseVoices,
  withVoice,
  type Voice,
  type Voices,
} from '../reports/voices.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { KeptTextsReply } from './scripts/kept-replies.ts';
import type { KeptTextWrite, Scripts } from './scripts/scripts.ts';

export interface RedisReportsOptions {
  readonly scripts: Pick<Scripts, 'exchangeTexts'>;
  readonly breaker: Pick<CircuitBreaker, 'run'>;
  /** Returns ms since the epoch. */
  readonly now: () => number;
}

/** How old the copy of this replica may be. */
const COPY_LIFE_MS = 2000;
/** For each attempt that fails one of another replica has succeeded. */
const MOST_ATTEMPTS = 100;

export class RedisReports implements Reports {
  readonly #options: RedisReportsOptions;
  /** The texts as Redis had them. */
  #texts = new Map<GameServerId, string>();
  #readAt = -Infinity;
  /** The change before: those of one replica must not fail each other. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #read = coalesce(async () => {
    const texts = new Map<GameServerId, string>();
    for (let cursor = '0', isDone = false; !isDone; isDone = cursor === '0') {
      const reply: KeptTextsReply = await this.#exchange([], cursor);
      for (const [id, text] of reply.found) texts.set(id, text);
      cursor = reply.cursor;
    }
    this.#texts = texts;
    this.#readAt = this.#options.now();
  });

  constructor(options: RedisReportsOptions) {
    this.#options = options;
  }

  async all(): Promise<Voices> {
    const now = this.#options.now();
    if (now - this.#readAt >= COPY_LIFE_MS || now < this.#readAt) await this.#read();
    const all = new Map<GameServerId, readonly Voice[]>();
    for (const [id, text] of this.#texts) {
      const voices = inForce(voicesIn(text), now);
      if (voices.length > 0) all.set(id, voices);
    }
    return all;
  }

  async add(id: GameServerId, voice: Voice): Promise<readonly Voice[]> {
    const voices = await this.#change(id, (known) => withVoice(known, voice));
    for (const each of beyondAll(await this.all())) await this.dismiss(each);
    return voices;
  }

  async dismiss(id: GameServerId): Promise<void> {
    await this.#change(id, () => []);
  }

  /** Changes the voices about an entry, whatever other replicas do at the same time. */
  #change(
    id: GameServerId,
    change: (known: readonly Voice[]) => readonly Voice[],
  ): Promise<readonly Voice[]> {
    const changed = this.#last.then(() => this.#attempt(id, change));
    this.#last = changed.catch(() => undefined);
    return changed;
  }

  async #attempt(
    id: GameServerId,
    change: (known: readonly Voice[]) => readonly Voice[],
  ): Promise<readonly Voice[]> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const known = this.#texts.get(id);
      const voices = change(voicesIn(known ?? ''));
      const next = bytesOf(formatVoices(voices));
      const { others } = await this.#exchange([{ id, known, next }]);
      const other = others.get(id);
      if (other === undefined) {
        this.#set(id, next);
        return voices;
      }
      this.#set(id, other);
    }
    throw new ServiceError('registry_unavailable');
  }

  #set(id: GameServerId, text: string): void {
    if (text === '') this.#texts.delete(id);
    else this.#texts.set(id, text);
  }

  #exchange(writes: readonly KeptTextWrite[], cursor = ''): Promise<KeptTextsReply> {
    const { scripts, breaker } = this.#options;
    return breaker.run(() => scripts.exchangeTexts('reports', writes, cursor));
  }
}

/** Replies are bytes, one in each character. */
function voicesIn(bytes: string): readonly Voice[] {
  return bytes === '' ? [] : parseVoices(Buffer.from(bytes, 'latin1').toString());
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
