/** Clients that list, ping and broadcast without a pause, each over a connection of its own, and count what fails. */

import { Agent } from 'node:http';
import { aBroadcast } from './builders.ts';
import { until } from './processes.ts';

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a request; rejects when no answer comes. */
export type Send = (method: string, path: string, fields?: object, agent?: Agent) => Promise<Reply>;

const CLIENTS_OF_EACH_KIND = 4;

export class Load {
  /** What anybody met other than success, in words. */
  readonly failures: string[] = [];
  /** The names of the game servers whose broadcasts succeeded. */
  readonly acknowledged: string[] = [];
  readonly #send: Send;
  readonly #clients: readonly Promise<void>[];
  #answers = 0;
  #running = true;

  constructor(send: Send) {
    this.#send = send;
    this.#clients = Array.from({ length: CLIENTS_OF_EACH_KIND }, () => [
      this.#repeat(async (agent) => this.#list(agent)),
      this.#ping(),
      this.#repeat(async (agent) => this.#broadcast(agent)),
    ]).flat();
  }

  /** Waits for so many more answers, or failures. */
  async answered(count: number): Promise<void> {
    const enough = this.#answers + count;
    await until(() => this.#answers >= enough);
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }

  async #repeat(work: (agent: Agent) => Promise<void>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (this.#running) {
      await work(agent);
      this.#answers += 1;
    }
    agent.destroy();
  }

  async #list(agent: Agent): Promise<void> {
    await this.#attempt('GET', '/', undefined, agent);
  }

  async #ping(): Promise<void> {
    const { body } = await this.#send('POST', '/broadcast', aBroadcast());
    await this.#repeat(async (agent) => {
      const fields = aBroadcast({ server_id: body['server_id'], players: this.#answers });
      await this.#attempt('POST', '/ping', fields, agent);
    });
  }

  async #broadcast(agent: Agent): Promise<void> {
    const name = `broadcast ${Math.random()}`;
    if (await this.#attempt('POST', '/broadcast', aBroadcast({ server_name: name }), agent))
      this.acknowledged.push(name);
  }

  async #attempt(method: string, path: string, fields: object | undefined, agent: Agent): Promise<boolean> {
    try {
      const { status, body } = await this.#send(method, path, fields, agent);
      if (status === 200) return true;
      this.failures.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
    }
    return false;
  }
}
