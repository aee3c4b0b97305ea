/** Server-Sent Events as a browser reads them (HTML Living Standard, section 9.2.6), for tests. */

export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
  /** The last id that the stream has told. */
  readonly id: string;
}

export class EventParser {
  /** The last id that was told, with an event or alone. */
  lastEventId = '';
  /** ms, as the stream has told it; undefined before. */
  retryMs: number | undefined;
  /** How many blocks told an id and nothing else. */
  bookmarks = 0;
  readonly #onEvent: (event: ServerSentEvent) => void;
  #rest = '';
  #type = '';
  #data = '';
  #id = '';

  constructor(onEvent: (event: ServerSentEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(text: string): void {
    const whole = this.#rest + text;
    // A carriage return at the end may be half a line break.
    const lines = whole.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data += `${value}\n`;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch(): void {
    const isNew = this.#id !== this.lastEventId || this.#data !== '';
    this.lastEventId = this.#id;
    const [type, data] = [this.#type || 'message', this.#data];
    [this.#type, this.#data] = ['', ''];
    if (data === '') this.bookmarks += isNew || this.#id !== '' ? 1 : 0;
    else this.#onEvent({ type, data: data.slice(0, -1), id: this.lastEventId });
  }
}
