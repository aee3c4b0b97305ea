/** The requests of the desk: each carries the key of the moderator, or is signed by the proxy in front. */

import type { components } from '../../model/view/api.d.ts';
import { AnswerError, answerOf } from '../connection/get-json.ts';
import type { DeskTexts } from '../texts/desk-texts.ts';

export type Schemas = components['schemas'];

/** What a moderator has entered, for this tab alone. */
export interface Signed {
  /** '' where a proxy signs people in. */
  readonly key: string;
  /** The name for the audit; '' where a proxy names the moderator. */
  readonly author: string;
}

type Method = 'GET' | 'POST' | 'DELETE';

export class DeskApi {
  readonly #root: string;
  readonly #signed: Signed;

  /** `root`: the address of the service, which ends in a slash. */
  constructor(root: string, signed: Signed) {
    this.#root = root;
    this.#signed = signed;
  }

  /** `path`: below /admin, with its query. Rejects with an AnswerError, or another error without an answer. */
  async get<T extends { readonly status: 'success' }>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#ask<T>('GET', path, undefined, signal);
  }

  /** The author is added to the body. */
  async post<T extends { readonly status: 'success' }>(
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#ask<T>('POST', path, body, signal);
  }

  /** The author is added to the query. */
  async delete(path: string): Promise<void> {
    const { author } = this.#signed;
    await this.#ask('DELETE', author === '' ? path : `${path}?author=${encodeURIComponent(author)}`);
  }

  /** The name of the author as a field of a decision. */
  get author(): { readonly author?: string } {
    const { author } = this.#signed;
    return author === '' ? {} : { author };
  }

  async #ask<T extends { readonly status: 'success' }>(
    method: Method,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<T> {
    const { key } = this.#signed;
    const response = await fetch(`${this.#root}admin/${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        // Any text in UTF-8 may be a key, and a header has bytes.
        ...(key !== '' && { Authorization: `Bearer ${latin1Of(key)}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      // The proxy knows people by its cookie. With a key the browser must not ask for another one.
      credentials: key === '' ? 'same-origin' : 'omit',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    return answerOf<T>(response);
  }
}

/** The bytes of the text in UTF-8, one in each character. */
function latin1Of(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** What to tell of an error. */
export function problemOf(error: unknown, texts: DeskTexts): string {
  if (!(error instanceof AnswerError)) return texts.away;
  if (error.code === 'unknown_server') return texts.entry.gone;
  return `${texts.refused} ${error.reason ?? error.message}`;
}

/** Whether the service does not know the key, or the key may not moderate. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof AnswerError && (error.code === 'unauthorized' || error.code === 'not_allowed');
}
