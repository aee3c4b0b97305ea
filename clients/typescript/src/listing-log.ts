/**
 * Reports on one game server at one service, to the person who runs it: only what is new. No line has a token or a key.
 * Whoever writes a line down makes the words of the service harmless.
 */

import type { Turn } from './announcer.ts';
import type { ServiceAnswer } from './ask.ts';

/** The facts of a line, beside its text. */
export interface LineFields {
  readonly id?: string | undefined;
  readonly status?: number;
  readonly code?: string;
  readonly againInMs?: number;
}

export interface ListingLogOptions {
  readonly tell: (level: 'info' | 'warn', text: string, fields: LineFields) => void;
  /** Returns advice for a person after a refusal, which follows its text; '' for none. */
  readonly hintFor?: (answer: ServiceAnswer) => string;
}

/** The longest text of a service that is kept, in UTF-16 units. */
const LONGEST_TEXT = 300;
const HEADERS = ['Server-Verification', 'Server-Join-Code'] as const;

export class ListingLog {
  readonly #options: ListingLogOptions;
  readonly #told = new Map<string, string>();
  #problem: string | undefined;

  constructor(options: ListingLogOptions) {
    this.#options = options;
  }

  /** Why the last request was no success; undefined if it was one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  noteTurn({ sent, answer, isAccepted, waitMs }: Turn, id: string | undefined): void {
    if (isAccepted) this.#tellState('info', `listed as ${cut(id ?? '')}`, { id });
    else {
      const { status, code } = answer;
      const hint = this.#options.hintFor?.(answer) ?? '';
      this.#tellState('warn', `the ${sent} ${outcomeOf(answer)}${hint}`, {
        status,
        ...(code && { code: cut(code) }),
        againInMs: Math.round(waitMs),
      });
    }
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) this.#tell(name, 'info', `${name}: ${cut(value)}`);
    }
  }

  /** Reports the state of the token's file. Undefined: all is well with it. */
  noteToken(problem: string | undefined): void {
    if (problem !== undefined) this.#tell('token', 'warn', problem);
    else this.#told.delete('token');
  }

  noteRemoval(answer: ServiceAnswer | undefined): void {
    if (answer === undefined) return;
    if (answer.status === 200) this.#tellState('info', 'removed from the list');
    else if (answer.code === 'unknown_server') this.#tellState('info', 'it was not listed any more');
    else this.#tellState('warn', `the remove ${outcomeOf(answer)}; the entry is left to its TTL`);
  }

  #tellState(level: 'info' | 'warn', text: string, fields?: LineFields): void {
    this.#problem = level === 'warn' ? text : undefined;
    this.#tell('state', level, text, fields);
  }

  /** Sends the line if it is new for its topic. */
  #tell(topic: string, level: 'info' | 'warn', text: string, fields: LineFields = {}): void {
    if (this.#told.get(topic) === text) return;
    this.#told.set(topic, text);
    this.#options.tell(level, text, fields);
  }
}

/** The outcome of a request in words, as in: the ping was refused. */
function outcomeOf({ status, reason }: ServiceAnswer): string {
  return status === 0 ? `got no answer: ${cut(reason)}` : `was refused (${status}): ${cut(reason)}`;
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
