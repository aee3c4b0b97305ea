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

/** The text about an entry as Redis has it, and the voices in it. */
interface Known {
  readonly text: string;
  readonly voices: readonly Voice[];
}

/** How old the copy of this replica may be. */
const COPY_LIFE_MS = 2000;
/** For each attempt that fails one of another replica has succeeded. */
const MOST_ATTEMPTS = 100;

export class RedisReports implements Reports {
  readonly #options: RedisReportsOptions;
  /** What Redis had. A text is read once, however often it is asked for. */
  #known = new Map<GameServerId, Known>();
  #readAt = -Infinity;
  /** The change before: those of one replica must not fail each other. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #read = coalesce(async () => {
    const known = new Map<GameServerId, Known>();
    for (let cursor = '0', isDone = false; !isDone; isDone = cursor === '0') {
      const reply: KeptTextsReply = await this.#exchange([], cursor);
      for (const [id, text] of reply.found) {
        const before = this.#known.get(id);
        known.set(id, before?.text === text ? before : knownOf(text));
      }
      cursor = reply.cursor;
    }
    this.#known = known;
    this.#readAt = this.#options.now();
  });

  constructor(options: RedisReportsOptions) {
    this.#options = options;
  }

  async all(): Promise<Voices> {
    const now = this.#options.now();
    if (now - this.#readAt >= COPY_LIFE_MS || now < this.#readAt) await this.#read();
    const all = new Map<GameServerId, readonly Voice[]>();
    for (const [id, known] of this.#known) {
      const voices = inForce(known.voices, now);
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
      const known = this.#known.get(id);
      const voices = change(known?.voices ?? []);
      const next = bytesOf(formatVoices(voices));
      const { others } = await this.#exchange([{ id, known: known?.text, next }]);
      const other = others.get(id);
      if (other === undefined) {
        this.#set(id, { text: next, voices });
        return voices;
      }
      this.#set(id, knownOf(other));
    }
    throw new ServiceError('registry_unavailable');
  }

  #set(id: GameServerId, known: Known): void {
    if (known.text === '') this.#known.delete(id);
    else this.#known.set(id, known);
  }

  #exchange(writes: readonly KeptTextWrite[], cursor = ''): Promise<KeptTextsReply> {
    const { scripts, breaker } = this.#options;
    return breaker.run(() => scripts.exchangeTexts('reports', writes, cursor));
  }
}

/** The voices about an entry. Replies are bytes, one in each character. */
function knownOf(text: string): Known {
  return { text, voices: text === '' ? [] : parseVoices(Buffer.from(text, 'latin1').toString()) };
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
