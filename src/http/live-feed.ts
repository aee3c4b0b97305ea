/**
 * What the clients of streams are told. At each tick the registry is asked once, however many they are. Clients with equal
 * filters that stand at the list of the last tick are a group, and get one text that leads to the next; a client that comes,
 * or still takes its first text, catches up on its own before it joins them. Knows neither requests nor the clock.
 */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { CatchUpTexts } from '../find/catch-up-texts.ts';
import { changesAmong, isAhead } from '../find/changes.ts';
import { renderChanges } from '../find/changes-text.ts';
import type { Filters } from '../find/filters.ts';
import { diffLists, type RowChange } from '../find/list-diff.ts';
import { renderServer } from '../find/render-server.ts';
import type { SharedText } from '../find/shared-text.ts';
import { inTurns } from '../registry/in-turns.ts';
import type { Listing, Registry } from '../registry/registry.ts';
import type { Row } from '../registry/snapshot/row.ts';
import type { ListPosition, Snapshot } from '../registry/snapshot/snapshot.ts';
import { bookmark, changesEvent, stateEvent } from './event-text.ts';
import { sendable, type Outbox } from './stream-outbox.ts';

export interface FeedClient {
  readonly filters: Filters;
  readonly outbox: Outbox;
  /** Of a client that is in no group: the list that it has once it has taken what waits for it; undefined for none. */
  position: ListPosition | undefined;
  /** Whether a text for this client alone is being made. */
  isAwaitingText: boolean;
  /** Whether it was told last that the list is not current; a client takes a list to be current if it is told nothing. */
  isToldStale: boolean;
  /** When something was last written, or the stream began. ms. */
  toldAt: number;
}

export interface LiveFeedOptions {
  readonly registry: Pick<Registry, 'list'>;
  /** ms of a clock that cannot be set. */
  readonly now: () => number;
  readonly onEvents: (sent: number) => void;
  /** The client has taken too little. */
  readonly onLagging: (client: FeedClient) => void;
  /** The client cannot be told what it needs: a defect. */
  readonly onError: (error: unknown, client: FeedClient) => void;
}

/** A client in a group may be so far behind. What it has to take before it joins one is not limited. */
export const LONGEST_LAG_BYTES = 1024 * 1024;
/** So many clients are written to before the event loop goes round: 2 ms. */
const WRITES_AT_A_TIME = 64;

export class LiveFeed {
  readonly #options: LiveFeedOptions;
  /** The list of the last tick; undefined without clients. */
  #snapshot: Snapshot | undefined;
  /** By the text of their filters. */
  readonly #groups = new Map<string, Set<FeedClient>>();
  /** Clients in no group. */
  readonly #singles = new Set<FeedClient>();
  readonly #texts = new CatchUpTexts(changesEvent);
  #writes = 0;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  /** `listing`: where to begin if there is no client yet. */
  add(client: FeedClient, { snapshot, staleSince }: Listing): void {
    this.#snapshot ??= snapshot;
    this.#tellState([client], staleSince).catch((error: unknown) => this.#options.onError(error, client));
    this.#singles.add(client);
    // One that knows more than this list waits for the next tick.
    if (!isAhead(client.position, this.#snapshot)) this.#catchUp(client, this.#snapshot);
  }

  remove(client: FeedClient): void {
    this.#singles.delete(client);
    this.#groups.get(client.filters.text)?.delete(client);
    if (this.#groups.get(client.filters.text)?.size === 0) this.#groups.delete(client.filters.text);
    if (this.#groups.size > 0 || this.#singles.size > 0) return;
    this.#snapshot = undefined;
    this.#texts.drop();
  }

  /** Does nothing while there is no list at all. */
  async tick(): Promise<void> {
    const before = this.#snapshot;
    const listing = await this.#options.registry.list().catch(() => undefined);
    if (before === undefined || listing === undefined) return;
    const { snapshot } = listing;
    const changes = snapshot === before ? [] : await diffLists(before, snapshot);
    // Else all clients have left meanwhile, and perhaps others have come.
    if (this.#snapshot !== before) return;
    this.#snapshot = snapshot;
    // Without a pause in between: clients that come from here on begin at the new list.
    this.#regroup(before, listing);
    const groups = [...this.#groups.values()].map((clients) => [...clients]);
    if (changes.length > 0) await this.#tell(groups, changes, snapshot);
    const settled = [...this.#singles].filter(isSettled);
    await this.#tellState([...groups.flat(), ...settled], listing.staleSince);
  }

  /** Tells where they stand to those that were told nothing for so long, ms. */
  async sendBookmarks(quietMs: number): Promise<void> {
    const { now } = this.#options;
    const isQuiet = ({ toldAt }: FeedClient): boolean => now() - toldAt >= quietMs;
    const members = [...this.#groups.values()].flatMap((clients) => [...clients].filter(isQuiet));
    if (this.#snapshot !== undefined) await this.#send(members, bookmark(this.#snapshot));
    for (const client of [...this.#singles].filter(isQuiet))
      if (client.position !== undefined && isSettled(client))
        await this.#send([client], bookmark(client.position));
  }

  /** Tells those that take it to be otherwise whether the list is current. */
  async #tellState(clients: readonly FeedClient[], staleSince: number | undefined): Promise<void> {
    const isStale = staleSince !== undefined;
    const mistaken = clients.filter(({ isToldStale }) => isToldStale !== isStale);
    if (mistaken.length === 0) return;
    for (const client of mistaken) client.isToldStale = isStale;
    await this.#send(mistaken, stateEvent(staleSince));
  }

  /** Those that stand at the list before this tick join the others; the rest catch up, if they have taken all so far. */
  #regroup(before: Snapshot, { snapshot, staleSince }: Listing): void {
    for (const client of this.#singles) {
      const { position, filters } = client;
      if (!isSettled(client)) continue;
      if (position?.history === before.history && position.version === before.version) {
        this.#singles.delete(client);
        if (!this.#groups.has(filters.text)) this.#groups.set(filters.text, new Set());
        this.#groups.get(filters.text)!.add(client);
      } else if (staleSince === undefined || !isAhead(position, snapshot)) this.#catchUp(client, snapshot);
    }
  }

  async #tell(
    groups: readonly (readonly FeedClient[])[],
    changes: readonly RowChange[],
    position: ListPosition,
  ): Promise<void> {
    const rendered = new Map<Row, string>();
    const render = (row: Row): string => {
      let text = rendered.get(row);
      if (text === undefined) rendered.set(row, (text = renderServer(row)));
      return text;
    };
    for await (const clients of inTurns(groups)) {
      const ofGroup = changesAmong(changes, clients[0]!.filters);
      const { text, isEmpty } = await renderChanges(ofGroup, position, render);
      if (isEmpty) continue;
      await this.#send(clients, changesEvent(text, position));
      this.#options.onEvents(clients.length);
    }
  }

  /** Tells one client what leads from its position to the list of the last tick. */
  #catchUp(client: FeedClient, snapshot: Snapshot): void {
    const { position, filters } = client;
    const { history, version } = snapshot;
    client.position = { history, version };
    client.isAwaitingText = true;
    const tell = async (): Promise<void> => {
      const { text, isEmpty } = await this.#texts.to(snapshot, position, filters);
      await this.#send([client], isEmpty ? bookmark(snapshot) : text);
      if (!isEmpty) this.#options.onEvents(1);
      client.isAwaitingText = false;
    };
    tell().catch((error: unknown) => this.#options.onError(error, client));
  }

  async #send(clients: readonly FeedClient[], text: SharedText): Promise<void> {
    const { now, onLagging } = this.#options;
    for (const client of clients) {
      this.#writes += 1;
      if (this.#writes % WRITES_AT_A_TIME === 0) await nextTurnOfTheLoop();
      const { outbox } = client;
      if (outbox.waitingBytes > LONGEST_LAG_BYTES) onLagging(client);
      else outbox.add(await sendable(text, outbox.isGzip));
      client.toldAt = now();
    }
  }
}

/** Whether a client in no group has taken all that it was told so far. */
function isSettled({ isAwaitingText, outbox }: FeedClient): boolean {
  return !isAwaitingText && outbox.waitingBytes === 0;
}
