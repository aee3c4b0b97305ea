/** Notes in Redis, each a key that expires by itself. Twin of ../memory/memory-notes.ts. */

import type { Notes } from '../notes.ts';
import type { RedisClient } from './connection/create-client.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { unavailable } from './scripts/script-runner.ts';

export class RedisNotes implements Notes {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #breaker: Pick<CircuitBreaker, 'run'>;

  /** `prefix`: of the keys. */
  constructor(client: RedisClient, prefix: string, breaker: Pick<CircuitBreaker, 'run'>) {
    this.#client = client;
    this.#prefix = prefix;
    this.#breaker = breaker;
  }

  async note(key: string, text: string, forMs: number): Promise<void> {
    await this.#breaker.run(() =>
      this.#client.set(this.#prefix + key, text, 'PX', Math.ceil(forMs)).catch(unavailable),
    );
  }

  async noted(key: string): Promise<string | undefined> {
    const text = await this.#breaker.run(() => this.#client.get(this.#prefix + key).catch(unavailable));
    return text ?? undefined;
  }
}
