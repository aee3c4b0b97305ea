/** What a person does with a watched list, key by key, and the screen that it makes. Knows no terminal, no service. */

import type { ContactState } from '../client/contact-state.ts';
import type { ListedServer, ToldChanges } from '../client/listed-server.ts';
import { detailLines, drawDetails, drawList, roomFor, type ListLook } from './draw-list.ts';
import type { Key } from './keys.ts';
import type { Screen } from './screen.ts';
import { shownText } from './shown-text.ts';
import { stateWords } from './state-words.ts';
import { WatchedList } from './watched-list.ts';

/** What a key asks of the one who shows the screen. */
export type Wish = 'quit' | 'suspend' | 'redraw' | { readonly open: string };

export interface Drawn {
  readonly screen: Screen;
  /** When it looks different by itself, ms; Infinity if it does not. */
  readonly staysUntil: number;
}

/** By how many rows a key moves. */
type Steps = Partial<Record<string, number>>;

/** The order changes no more often: else rows would run from under the eye. */
const SETTLE_EVERY_MS = 900;
const LONGEST_FILTER = 64;
const KEYS = 'arrows move  Enter opens  / filters  s sorts  r reverses  q quits';

export class WatchView {
  readonly #title: string;
  readonly #list: WatchedList;
  #state: ContactState = { is: 'connecting' };
  #cause: string | undefined;
  #isTyping = false;
  /** The server that is open, as it was told last. */
  #open: { server: ListedServer; isListed: boolean; above: number } | undefined;
  #pageRows = 1;
  #settledAt = -Infinity;
  #mustSettle = false;

  /** `title`: what is watched. */
  constructor(title: string, sort: string) {
    this.#title = shownText(title);
    this.#list = new WatchedList(sort);
  }

  take(changes: ToldChanges, now: number): void {
    this.#list.take(changes, now);
    this.#mustSettle = true;
    const open = this.#open;
    if (open === undefined) return;
    const after = changes.servers.find(({ id }) => id === open.server.id);
    const isGone = changes.removed.includes(open.server.id) || (changes.full && after === undefined);
    const { meta } = open.server;
    if (after !== undefined) open.server = { ...after, ...(meta !== undefined && { meta }) };
    open.isListed = after !== undefined || (open.isListed && !isGone);
  }

  /** `cause`: why the last request got no answer. */
  setState(state: ContactState, cause: string | undefined): void {
    this.#state = state;
    this.#cause = cause === undefined ? undefined : shownText(cause);
  }

  /** What the service tells of the open server beyond what the list has. */
  setDetails(server: ListedServer): void {
    if (this.#open?.server.id === server.id) this.#open.server = server;
  }

  press(key: Key): Wish | undefined {
    if (key.name === 'interrupt') return 'quit';
    if (key.name === 'suspend') return 'suspend';
    if (key.name === 'redraw') return 'redraw';
    if (this.#isTyping && this.#type(key)) return undefined;
    return this.#open === undefined ? this.#pressInList(key) : this.#pressInDetails(key);
  }

  draw(look: ListLook, now: number): Drawn {
    const { rows } = look.size;
    this.#pageRows = roomFor(rows);
    if (this.#open !== undefined) return { screen: this.#drawDetails(look), staysUntil: Infinity };
    if (this.#mustSettle && now >= this.#settledAt + SETTLE_EVERY_MS) {
      this.#list.settle();
      this.#settledAt = now;
      this.#mustSettle = false;
    }
    const view = this.#list.view(this.#pageRows, now);
    const { total, players, listed, staysUntil } = view;
    const shown = this.#list.filter === '' ? String(total) : `${total} of ${listed}`;
    const counts = this.#list.isKnown ? `${shown} servers, ${players} players` : '';
    const screen = drawList(
      view,
      {
        title: this.#title,
        state: stateWords(this.#state, now, this.#cause),
        isGood: this.#state.is === 'live',
        counts: [counts, `sort: ${this.#list.sort}`, ...this.#filterWords()]
          .filter((part) => part !== '')
          .join('  '),
        foot: this.#isTyping ? `/${shownText(this.#list.filter)}_  Enter keeps it, Esc drops it` : KEYS,
      },
      look,
    );
    return { screen, staysUntil: Math.min(staysUntil, this.#nextAt(now)) };
  }

  #filterWords(): readonly string[] {
    return this.#list.filter === '' ? [] : [`filter: ${shownText(this.#list.filter)}`];
  }

  /** The seconds until the next try go down, and what waits is put in order. */
  #nextAt(now: number): number {
    const settleAt = this.#mustSettle ? this.#settledAt + SETTLE_EVERY_MS : Infinity;
    return this.#state.is === 'away' ? Math.min(settleAt, now + 1000) : settleAt;
  }

  #type(key: Key): boolean {
    const { filter } = this.#list;
    if (key.name === 'text') this.#list.setFilter((filter + key.text).slice(0, LONGEST_FILTER));
    else if (key.name === 'backspace') this.#list.setFilter(Array.from(filter).slice(0, -1).join(''));
    else if (key.name === 'clear') this.#list.setFilter('');
    else if (key.name === 'enter') this.#isTyping = false;
    else if (key.name === 'escape') {
      this.#list.setFilter('');
      this.#isTyping = false;
    } else return false;
    return true;
  }

  #pressInList(key: Key): Wish | undefined {
    const text = key.name === 'text' ? key.text : key.name;
    if (text === 'q') return 'quit';
    if (text === 'enter') return this.#openChosen();
    const page = this.#pageRows;
    const steps: Steps = { up: -1, k: -1, down: 1, j: 1, pageUp: -page, pageDown: page, ' ': page };
    const ends: Steps = { home: -Infinity, g: -Infinity, end: Infinity, G: Infinity };
    const by = steps[text] ?? ends[text];
    if (by !== undefined) this.#list.move(by);
    else if (text === 's') this.#list.nextSort();
    else if (text === 'r') this.#list.turnSort();
    else if (text === '/') this.#isTyping = true;
    else if (text === 'escape') this.#list.setFilter('');
    return undefined;
  }

  #openChosen(): Wish | undefined {
    const { chosen } = this.#list;
    if (chosen === undefined) return undefined;
    this.#open = { server: chosen.server, isListed: !chosen.isGone, above: 0 };
    return { open: chosen.server.id };
  }

  #pressInDetails(key: Key): Wish | undefined {
    const open = this.#open!;
    const text = key.name === 'text' ? key.text : key.name;
    const steps: Steps = { up: -1, k: -1, down: 1, j: 1, pageUp: -10, pageDown: 10, home: -Infinity };
    const by = steps[text];
    if (by !== undefined) {
      const most = Math.max(0, detailLines(open.server).length - this.#pageRows);
      open.above = Math.min(Math.max(0, open.above + by), most);
    } else if (text === 'q') return 'quit';
    else if (text === 'escape' || text === 'enter' || text === 'backspace') this.#open = undefined;
    return undefined;
  }

  #drawDetails(look: ListLook): Screen {
    const { server, isListed, above } = this.#open!;
    return drawDetails(
      {
        title: shownText(isListed ? server.name : `(not listed any more) ${server.name}`),
        lines: detailLines(server),
        above,
        foot: 'Esc goes back  q quits',
      },
      look,
    );
  }
}
