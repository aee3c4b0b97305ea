/**
 * The connections that game servers share: one is opened when all others wait for an answer, up to a limit.
 */

import { HttpConnection, type Answer } from '../support/http-connection.ts';
import { RequestText } from './request-text.ts';

export interface Sender {
  /** The game server whose request is under way. */
  n: number;
  readonly text: RequestText;
  readonly connection: HttpConnection;
}

export interface SenderPoolOptions {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
}

/** A request without an answer is given up after this time. */
const LONGEST_ANSWER_MS = 5000;
const CHECK_INTERVAL_MS = 1000;

export class SenderPool {
  readonly #options: SenderPoolOptions;
  readonly #onAnswer: (n: number, answer: Answer) => void;
  readonly #run = Date.now().toString(36).padStart(8, '0').slice(-8);
  readonly #all: Sender[] = [];
  /** The one used last is used next, so that a few carry what a few can. */
  readonly #free: Sender[] = [];

  constructor(options: SenderPoolOptions, onAnswer: (n: number, answer: Answer) => void) {
    this.#options = options;
    this.#onAnswer = onAnswer;
    setInterval(() => {
      for (const { connection } of this.#all) connection.checkDeadline(LONGEST_ANSWER_MS);
    }, CHECK_INTERVAL_MS);
  }

  get sending(): number {
    return this.#all.length - this.#free.length;
  }

  /** Of all connections. */
  sum(key: 'bytesSent' | 'bytesReceived'): number {
    return this.#all.reduce((total, { connection }) => total + connection[key], 0);
  }

  get canTake(): boolean {
    return this.sending < this.#options.connections;
  }

  /** Only while it can. Taken until its answer comes. */
  take(n: number): Sender {
    const sender = this.#free.pop() ?? this.#create();
    sender.n = n;
    return sender;
  }

  #create(): Sender {
    const { host, port } = this.#options;
    const sender: Sender = {
      n: 0,
      text: new RequestText(this.#run),
      connection: new HttpConnection(host, port, (answer) => {
        this.#free.push(sender);
        this.#onAnswer(sender.n, answer);
      }),
    };
    this.#all.push(sender);
    return sender;
  }
}
