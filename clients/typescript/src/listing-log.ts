/**
 * Reports on one game server at one service, to the person who runs it: only what is new, in the sentences that all
 * clients have (docs/write-a-client.md). No line has a token or a key. Whoever writes a line down makes the words of
 * the service harmless.
 */

import type { Turn } from './announcer.ts';
import { endOf, isOfGsls, type ServiceAnswer } from './ask.ts';

/** The facts of a line, beside its text. */
export interface LineFields {
  readonly id?: string | undefined;
  readonly status?: number;
  readonly code?: string;
  readonly againInMs?: number;
}

export interface ListingLogOptions {
  readonly tell: (level: 'info' | 'warn', text: string, fields: LineFields) => void;
  /** Returns advice for a person after a refusal, as a sentence; '' for none. */
  readonly hintFor?: (answer: ServiceAnswer) => string;
}

/** The longest text of a service that is kept, in UTF-16 units. */
const LONGEST_TEXT = 300;
const HEADERS = [
  [
    'Server-Verification',
    (value: string) => `The service says of its look at the game server: ${endOf(value)}`,
  ],
  ['Server-Join-Code', (value: string) => `Players find the game server by the join code ${endOf(value)}`],
] as const;

export class ListingLog {
  readonly #options: ListingLogOptions;
  readonly #told = new Map<string, string>();
  /** The id that the service has accepted last. */
  #id: string | undefined;
  #problem: string | undefined;

  constructor(options: ListingLogOptions) {
    this.#options = options;
  }

  /** Why the last request was no success, as a sentence; undefined if it was one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  noteTurn({ sent, answer, isAccepted, beginsAnew, waitMs }: Turn, id: string | undefined): void {
    if (isAccepted) this.#noteListed(id!);
    else {
      const { status, code } = answer;
      const inS = `${Math.ceil(waitMs / 1000)} s`;
      const next = beginsAnew ? `A new broadcast follows in ${inS}.` : `The next ${sent} is in ${inS}.`;
      this.#noteProblem(this.#problemOf(sent, answer), next, {
        status,
        ...(code && { code: cut(code) }),
        againInMs: Math.round(waitMs),
      });
    }
    for (const [name, sentenceOf] of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) this.#tell(name, 'info', sentenceOf(cut(value)));
    }
  }

  /** The game server is away: that it is listed again is news then. */
  noteAbsence(): void {
    this.#told.delete('state');
  }

  /** Reports the state of the token's file, in sentences. Undefined: all is well with it. */
  noteToken(problem: string | undefined): void {
    if (problem !== undefined) this.#tell('token', 'warn', problem);
    else this.#told.delete('token');
  }

  /** Reports what is odd about the host, in sentences. */
  noteHost(problem: string): void {
    this.#tell('host', 'warn', problem);
  }

  /** `file`: the path of the token's file, if there is one. */
  noteRefusedToken(file: string | undefined): void {
    const token = file === undefined ? `token of ${cut(this.#id ?? 'the game server')}` : `token in ${file}`;
    this.noteToken(`The service refused the ${token}. The next broadcast claims a new id.`);
  }

  /** `answer`: that to the remove; undefined: there was nothing to remove. */
  noteRemoval(answer: ServiceAnswer | undefined, keepsId: boolean): void {
    if (answer === undefined) return;
    const id = cut(this.#id ?? '');
    if (answer.status === 200) {
      const end = keepsId ? `its token keeps the id ${id}` : `the id ${id} is given up`;
      this.#noteGood(`The game server left the list, and ${end}.`, {});
    } else if (answer.code === 'unknown_server')
      this.#noteGood('The game server had left the list before.', {});
    else this.#noteProblem(this.#problemOf('remove', answer), `The entry ${id} stays until it expires.`, {});
  }

  #noteListed(id: string): void {
    const before = this.#id;
    this.#id = id;
    const name = cut(id);
    if (before === undefined) this.#noteGood(`The game server is listed as ${name}.`, { id }, id);
    else if (before === id) this.#noteGood(`The game server is listed again as ${name}.`, { id }, id);
    else this.#noteGood(`The game server is listed again, with the new id ${name}.`, { id }, id);
  }

  /** `news`: what makes the line a new one. */
  #noteGood(text: string, fields: LineFields, news = text): void {
    this.#problem = undefined;
    this.#tell('state', 'info', text, fields, news);
  }

  /** `next`: what follows, which makes no new line. */
  #noteProblem(problem: string, next: string, fields: LineFields): void {
    this.#problem = problem;
    this.#tell('state', 'warn', `${problem} ${next}`, fields, problem);
  }

  #problemOf(sent: Turn['sent'] | 'remove', answer: ServiceAnswer): string {
    const { status, code } = answer;
    const reason = endOf(cut(answer.reason));
    if (status === 0) return `The service did not answer: ${reason}`;
    if (status < 400 || !isOfGsls(answer)) return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
    if (code === 'unknown_server' && this.#id !== undefined)
      return `The service does not know the id ${cut(this.#id)} any more.`;
    const hint = this.#options.hintFor?.(answer) ?? '';
    return `The service refused the ${sent} (${status}): ${reason}${hint && ` ${hint}`}`;
  }

  /** Sends the line if its news is new for its topic. */
  #tell(topic: string, level: 'info' | 'warn', text: string, fields: LineFields = {}, news = text): void {
    if (this.#told.get(topic) === news) return;
    this.#told.set(topic, news);
    this.#options.tell(level, text, fields);
  }
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
