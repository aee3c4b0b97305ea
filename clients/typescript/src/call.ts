/** One request and its answer, which may last: read as text while it comes, and ended by silence. */

import { FeedFailure, failureOf } from './feed/changes-answer.ts';
import type { Environment } from './environment.ts';

/** The longest text that is read whole, in UTF-16 units. */
export const MOST_CHARACTERS = 67_108_864;

export class Call {
  readonly #environment: Environment;
  readonly #abort = new AbortController();
  #cancelSilence: (() => void) | undefined;
  #isSilent = false;
  #isEnded = false;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether it failed because nothing came for too long. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether end() was called. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** From now on the answer may be silent for this long at most. */
  allowSilence(ms: number): void {
    const { after, afterSilence = after } = this.#environment;
    this.#cancelSilence?.();
    this.#cancelSilence = afterSilence(ms, () => {
      this.#isSilent = true;
      this.#abort.abort();
    });
  }

  /** Rejects with a FeedFailure for any status but 200 and 304, and with another error if there is no answer. */
  async open(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const { fetch, now } = this.#environment;
    // A redirect would lead to a place that nobody named.
    const response = await fetch(url, { headers, redirect: 'manual', signal: this.#abort.signal });
    if (response.status === 304) return response;
    if (response.status !== 200) throw failureOf(response, await this.readAll(response), now());
    const type = response.headers.get('Content-Type') ?? '';
    if (!/^(?:application\/json|text\/event-stream)\b/i.test(type)) throw new FeedFailure('refused');
    return response;
  }

  /** Reads the body to its end. Rejects if it is cut off. */
  async read(response: Response, onText: (text: string) => void): Promise<void> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      onText(decoder.decode(part.value, { stream: true }));
    onText(decoder.decode());
  }

  /** Reads the body as one text. Rejects as read() does, and with a FeedFailure for one without end. */
  async readAll(response: Response, onPart?: () => void): Promise<string> {
    const parts: string[] = [];
    let characters = 0;
    await this.read(response, (text) => {
      characters += text.length;
      if (characters > MOST_CHARACTERS) throw new FeedFailure('refused');
      parts.push(text);
      onPart?.();
    });
    return parts.join('');
  }

  /** Lets go of the connection. */
  end(): void {
    this.#isEnded = true;
    this.#cancelSilence?.();
    this.#abort.abort();
  }
}
