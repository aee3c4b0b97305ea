/** Tells on standard error how far a fleet is: one line that changes on a terminal, else a line every ten seconds. */

import type { Load } from './load.ts';

const INTERVAL_MS = 1000;
const TICKS_A_LINE = 10;

export class Progress {
  readonly #timer: NodeJS.Timeout;
  #phase = '';
  #ticks = 0;
  #pings = 0;

  constructor(load: Load) {
    this.#timer = setInterval(() => void this.#tick(load), INTERVAL_MS);
  }

  begin(phase: string): void {
    this.#phase = phase;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${phase}` : `${phase}\n`);
  }

  /** A line that stays, for long runs. */
  note(text: string): void {
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }

  async #tick(load: Load): Promise<void> {
    const { gameServers } = await load.report();
    const { living, failing, lost, late } = gameServers;
    const pings = gameServers.pings.reduce((sum, count) => sum + count, 0);
    this.#ticks += 1;
    if (!process.stderr.isTTY && this.#ticks % TICKS_A_LINE !== 0) return;
    const seconds = process.stderr.isTTY ? 1 : TICKS_A_LINE;
    const perSecond = Math.round((pings - this.#pings) / seconds);
    this.#pings = pings;
    const text = `${this.#phase}: ${living} listed, ${perSecond} pings/s, ${failing} try again, ${late} late, ${lost} lost`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `  ${text}\n`);
  }
}
