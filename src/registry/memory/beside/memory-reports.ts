/** The reports of readers in one process. The twin of ../../redis/redis-reports.ts. */

import type { GameServerId } from '../../../model/game-server.ts';
import type { Reports } from '../../backend.ts';
import type { Clock } from '../../registry.ts';
import { beyondAll, inForce, withVoice, type Voice, type Voices } from '../../reports/voices.ts';
import type { Journal, ReportsChange } from '../journal.ts';

export class MemoryReports implements Reports {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #journal: Journal | undefined;
  readonly #all = new Map<GameServerId, readonly Voice[]>();

  constructor(clock: Pick<Clock, 'now'>, journal: Journal | undefined) {
    this.#clock = clock;
    this.#journal = journal;
  }

  async all(): Promise<Voices> {
    const now = this.#clock.now();
    for (const [id, voices] of this.#all) {
      const counted = inForce(voices, now);
      if (counted.length === 0) this.#all.delete(id);
      else if (counted.length < voices.length) this.#all.set(id, counted);
    }
    return this.#all;
  }

  async add(id: GameServerId, voice: Voice): Promise<readonly Voice[]> {
    const voices = withVoice(this.#all.get(id) ?? [], voice);
    this.#set(id, voices);
    for (const each of beyondAll(await this.all())) this.#set(each, []);
    await this.#journal?.written();
    return voices;
  }

  async dismiss(id: GameServerId): Promise<void> {
    if (!this.#all.has(id)) return;
    this.#set(id, []);
    await this.#journal?.written();
  }

  /** Takes over what the journal has. */
  load({ about, voices }: ReportsChange): void {
    if (voices.length > 0) this.#all.set(about, voices);
  }

  *changes(): Iterable<ReportsChange> {
    for (const [about, voices] of this.#all) yield changeOf(about, voices);
  }

  #set(id: GameServerId, voices: readonly Voice[]): void {
    if (voices.length === 0) this.#all.delete(id);
    else this.#all.set(id, voices);
    this.#journal?.append(changeOf(id, voices));
  }
}

function changeOf(about: GameServerId, voices: readonly Voice[]): ReportsChange {
  return { is: 'reports', id: `reports-${about}`, about, voices };
}
