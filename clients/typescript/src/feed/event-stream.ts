/**
 * Server-Sent Events, read from text that comes in pieces of any size (HTML Living Standard, section 9.2.6). A piece is
 * looked at once, however long the event is that it belongs to.
 */

/** The content of one block of the stream. */
export interface StreamBlock {
  /** 'message' if the block names none. */
  readonly event: string;
  /** Undefined for a block without data, which has an id or nothing. */
  readonly data: string | undefined;
  /** The last id of the stream so far; '' if there was none. */
  readonly id: string;
}

const LINE_END = /\r\n?|\n/g;

export class EventStreamParser {
  /** The pause before the next connection, once the stream has ended, as the stream has set it last. ms. */
  retryMs: number | undefined;
  readonly #onBlock: (block: StreamBlock) => void;
  /** The pieces of the line that has no end yet. */
  #pieces: string[] = [];
  /** The last character was a carriage return: a line feed would belong to it. */
  #isAfterReturn = false;
  #event = '';
  #data: string[] = [];
  #id = '';
  #isEmpty = true;
  #pending = 0;

  constructor(onBlock: (block: StreamBlock) => void) {
    this.#onBlock = onBlock;
  }

  /** How many characters were pushed since a block has ended. */
  get pending(): number {
    return this.#pending;
  }

  push(text: string): void {
    if (text === '') return;
    this.#pending += text.length;
    let start = this.#isAfterReturn && text.startsWith('\n') ? 1 : 0;
    this.#isAfterReturn = text.endsWith('\r');
    const lineEnd = new RegExp(LINE_END);
    lineEnd.lastIndex = start;
    for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
      this.#pieces.push(text.slice(start, end.index));
      const line = this.#pieces.join('');
      this.#pieces = [];
      start = lineEnd.lastIndex;
      this.#take(line);
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
  }

  #take(line: string): void {
    if (line === '') return this.#endBlock();
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    this.#isEmpty &&= field !== 'event' && field !== 'data' && field !== 'id';
  }

  #endBlock(): void {
    const block = {
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.length === 0 ? undefined : this.#data.join('\n'),
      id: this.#id,
    };
    const isEmpty = this.#isEmpty;
    this.#event = '';
    this.#data = [];
    this.#isEmpty = true;
    this.#pending = 0;
    if (!isEmpty) this.#onBlock(block);
  }
}
