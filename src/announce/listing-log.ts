/**
 * What is told of one game server at one service, for the person who runs it: only what is new. No token and no key is
 * in it. The log makes harmless what a service says.
 */

import type { Turn } from '../client/announcer.ts';
import type { Answer } from '../client/ask.ts';
import type { Logger } from '../log/logger.ts';

/** Of a text of a service. */
const LONGEST_TEXT = 300;
const HEADERS = ['Server-Verification', 'Server-Join-Code'] as const;

export class ListingLog {
  readonly #logger: Logger;
  readonly #fields: object;
  readonly #told = new Map<string, string>();

  /** `fields`: which game server and service it is. */
  constructor(logger: Logger, fields: object) {
    this.#logger = logger;
    this.#fields = fields;
  }

  noteTurn({ sent, answer, waitMs }: Turn, id: string | undefined): void {
    const isGood = answer.status === 200 && id !== undefined;
    if (isGood) this.#tell('state', `listed as ${id}`, 'info', { id });
    else {
      const { status, code } = answer;
      const reason = `the ${sent} ${outcomeOf(answer)}${hintFor(answer)}`;
      this.#tell('state', reason, 'warn', {
        status,
        ...(code && { code: cut(code) }),
        againInMs: Math.round(waitMs),
      });
    }
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) this.#tell(name, `${name}: ${cut(value)}`, 'info');
    }
  }

  /** Undefined: all is well with the file of the token. */
  noteToken(problem: string | undefined): void {
    if (problem !== undefined) this.#tell('token', problem, 'warn');
    else this.#told.delete('token');
  }

  noteRemoval(answer: Answer | undefined): void {
    if (answer === undefined) return;
    if (answer.status === 200) this.#tell('state', 'removed from the list', 'info');
    else if (answer.code === 'unknown_server') this.#tell('state', 'it was not listed any more', 'info');
    else this.#tell('state', `the remove ${outcomeOf(answer)}; the entry is left to its TTL`, 'warn');
  }

  #tell(topic: string, text: string, level: 'info' | 'warn', more: object = {}): void {
    if (this.#told.get(topic) === text) return;
    this.#told.set(topic, text);
    this.#logger[level]({ ...this.#fields, ...more }, text);
  }
}

function outcomeOf({ status, reason }: Answer): string {
  return status === 0 ? `got no answer: ${cut(reason)}` : `was refused (${status}): ${cut(reason)}`;
}

/** The operator of the service is the one who can help. */
function hintFor({ code, status }: Answer): string {
  if (code === 'quota_exceeded')
    return '; the operator of the service can list more from here with --quota-exempt';
  if (status === 429) return '; the operator of the service can allow more with --rate-limit';
  if (code === 'unauthorized') return '; give its key with GSLS_KEY or --key-file';
  return '';
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
