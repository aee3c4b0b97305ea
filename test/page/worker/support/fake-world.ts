/**
 * The world around the worker as a test makes it: a clock that stands until it is moved, and a service that says what
 * it is told to.
 */

import type { Environment } from '../../../../clients/typescript/src/environment.ts';

interface Timer {
  dueAt: number;
  readonly task: () => void;
}

/** A request, and its answer as the test gives it. */
export class FakeCall {
  readonly url: URL;
  readonly redirect: RequestInit['redirect'];
  readonly headers: Headers;
  /** What was sent. */
  readonly body: string;
  isAborted = false;
  /** Whether an answer has begun. */
  isAnswered = false;
  /** Rejects when the connection is lost. */
  readonly answer: Promise<Response>;
  #resolve!: (response: Response) => void;
  #reject!: (error: Error) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(url: string, request: RequestInit) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.url = new URL(url);
    this.redirect = request.redirect;
    this.headers = new Headers(request.headers);
    this.body = typeof request.body === 'string' ? request.body : '';
    request.signal?.addEventListener('abort', () => {
      this.isAborted = true;
      this.fail();
    });
  }

  get accept(): string {
    return this.headers.get('Accept') ?? '';
  }

  /** Begins an answer. */
  open(headers: Record<string, string> = { 'Content-Type': 'text/event-stream' }, status = 200): this {
    this.isAnswered = true;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => (this.#body = controller) });
    this.#resolve(new Response(status === 304 ? null : body, { status, headers }));
    return this;
  }

  push(part: string | Uint8Array): this {
    this.#body!.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
    return this;
  }

  end(): void {
    this.#body!.close();
  }

  /** A whole answer. */
  say(
    body: string,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
    status = 200,
  ): void {
    this.open(headers, status).push(body).end();
  }

  /** The connection breaks. */
  fail(): void {
    const error = new TypeError('the connection is lost');
    this.#reject(error);
    try {
      this.#body?.error(error);
    } catch {
      // It had ended.
    }
  }
}

export class FakeWorld implements Environment {
  readonly calls: FakeCall[] = [];
  /** What random() says. */
  luck = 1;
  readonly #timers = new Set<Timer>();
  #now = Date.UTC(2026, 0, 1);

  readonly now = (): number => this.#now;
  readonly random = (): number => this.luck;

  readonly after = (ms: number, task: () => void): (() => void) => {
    const timer = { dueAt: this.#now + ms, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  readonly fetch = (url: string, request: RequestInit): Promise<Response> => {
    const call = new FakeCall(url, request);
    this.calls.push(call);
    return call.answer;
  };

  /** How many timers run. */
  get timers(): number {
    return this.#timers.size;
  }

  get call(): FakeCall {
    return this.calls.at(-1)!;
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The clock is set back: what waits goes on as before. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const timer of this.#timers) timer.dueAt -= ms;
  }

  /** Lets time pass. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ dueAt }) => dueAt <= end)
        .toSorted((a, b) => a.dueAt - b.dueAt);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.task();
      await this.settle();
    }
    this.#now = end;
  }
}
