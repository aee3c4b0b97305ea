/**
 * The feed for the clients of streams. At each tick the registry is asked once, however many clients there are. Clients
 * that want the same and have the list of the last tick form a group, and share the text that leads to the next list. A
 * client that has just come, or still receives its first text, catches up alone before it joins its group.
 */

import { CatchUpTexts } from './catch-up-texts.ts';
import { changesAmong, isAhead } from './list-changes.ts';
import { rendererOf, renderChanges, type RenderRow } from './changes-text.ts';
import { diffLists, type RowChange } from './list-diff.ts';
import type { SharedText } from '../work/shared-text.ts';
import type { Turns } from '../work/turns.ts';
import { finish, OWN, type Asker, type Work } from '../work/work.ts';
import type { Listing, Registry } from '../../registry/registry.ts';
import type { Row } from '../../registry/snapshot/row.ts';
import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import { bookmark, changesEvent, stateEvent } from './event-text.ts';
import type { WantedList } from './wanted-list.ts';
import { plainSendable, type Outbox, type Sendable } from './stream-outbox.ts';

export interface StreamClient {
  /** The asker for whom texts for this client alone are made. It was admitted when the stream was opened. */
  readonly asker: Asker;
  readonly wanted: WantedList;
  readonly outbox: Outbox;
  /** The list that a client outside of groups has once nothing waits for it; undefined for none. */
  position: ListPosition | undefined;
  /** Whether a text for this client alone is being made. */
  isAwaitingText: boolean;
  /**
   * Whether the last state sent to the client was that the list is not current. Without any, a client assumes that it
   * is.
   */
  isToldStale: boolean;
  /** When something was last written to the client, or its stream began. ms. */
  toldAt: number;
}

export interface LiveFeedOptions {
  readonly registry: Pick<Registry, 'list'>;
  readonly turns: Turns;
  /** ms of a clock that cannot be set. */
  readonly now: () => number;
  readonly onEvents: (sent: number) => void;
  /** Called if the client is too far behind. */
  readonly onLagging: (client: StreamClient) => void;
  /** Called if the text for a client cannot be made, which is a defect. */
  readonly onError: (error: unknown, client: StreamClient) => void;
}

/** How many bytes may wait for a client in a group. What waits for a client before it joins one is not limited. */
export const LONGEST_LAG_BYTES = 1024 * 1024;
/** How many clients are written to between two pauses, which takes 0.25 ms. */
const WRITES_AT_A_TIME = 8;

export class LiveChanges {
  readonly #options: LiveFeedOptions;
  /** The list of the last tick; undefined while there are no clients. */
  #snapshot: Snapshot | undefined;
  /** Clients by the text of what they want. */
  readonly #groups = new Map<string, Set<StreamClient>>();
  /** Clients in no group. */
  readonly #singles = new Set<StreamClient>();
  readonly #texts: CatchUpTexts;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#texts = new CatchUpTexts(options.turns, changesEvent);
  }

  /** `listing`: the list to begin with if there is no client yet. */
  add(client: StreamClient, { snapshot, staleSince }: Listing): void {
    this.#snapshot ??= snapshot;
    finish(this.#tellState([client], staleSince));
    this.#singles.add(client);
    // A client that knows a later list than this one waits for the next tick.
    if (!isAhead(client.position, this.#snapshot)) this.#catchUp(client, this.#snapshot);
  }

  remove(client: StreamClient): void {
    this.#singles.delete(client);
    this.#groups.get(client.wanted.text)?.delete(client);
    if (this.#groups.get(client.wanted.text)?.size === 0) this.#groups.delete(client.wanted.text);
    if (this.#groups.size > 0 || this.#singles.size > 0) return;
    this.#snapshot = undefined;
    this.#texts.drop();
  }

  /** Does nothing while there is no list at all. */
  async tick(): Promise<void> {
    const before = this.#snapshot;
    const { registry, turns } = this.#options;
    const listing = await registry.list().catch(() => undefined);
    if (before === undefined || listing === undefined) return;
    const { snapshot } = listing;
    const changes = snapshot === before ? [] : await turns.run(OWN, () => diffLists(before, snapshot));
    // If not, all clients have left meanwhile, and perhaps others have come.
    if (this.#snapshot !== before) return;
    this.#snapshot = snapshot;
    // There is no pause from here to the new groups, so that clients that come later begin at the new list.
    this.#regroup(before, listing);
    const groups = [...this.#groups.values()].map((clients) => [...clients]);
    if (changes.length > 0) await turns.run(OWN, () => this.#tell(groups, changes, snapshot));
    const settled = [...this.#singles].filter(isSettled);
    await turns.run(OWN, () => this.#tellState([...groups.flat(), ...settled], listing.staleSince));
  }

  /** Sends a bookmark to the clients to which nothing was written for `quietMs`. */
  sendBookmarks(quietMs: number): Promise<void> {
    return this.#options.turns.run(OWN, () => this.#sendBookmarks(quietMs));
  }

  *#sendBookmarks(quietMs: number): Work<void> {
    const { now } = this.#options;
    const isQuiet = ({ toldAt }: StreamClient): boolean => now() - toldAt >= quietMs;
    const members = [...this.#groups.values()].flatMap((clients) => [...clients].filter(isQuiet));
    if (this.#snapshot !== undefined) yield* this.#send(members, bookmark(this.#snapshot));
    for (const client of [...this.#singles].filter(isQuiet))
      if (client.position !== undefined && isSettled(client))
        yield* this.#send([client], bookmark(client.position));
  }

  /** Sends whether the list is current to those clients that assume otherwise. */
  *#tellState(clients: readonly StreamClient[], staleSince: number | undefined): Work<void> {
    const isStale = staleSince !== undefined;
    const mistaken = clients.filter(({ isToldStale }) => isToldStale !== isStale);
    if (mistaken.length === 0) return;
    for (const client of mistaken) client.isToldStale = isStale;
    yield* this.#send(mistaken, stateEvent(staleSince));
  }

  /** Clients that have the list before this tick join their groups; the others catch up once nothing waits for them. */
  #regroup(before: Snapshot, { snapshot, staleSince }: Listing): void {
    for (const client of this.#singles) {
      const { position, wanted } = client;
      if (!isSettled(client)) continue;
      if (position?.history === before.history && position.version === before.version) {
        this.#singles.delete(client);
        if (!this.#groups.has(wanted.text)) this.#groups.set(wanted.text, new Set());
        this.#groups.get(wanted.text)!.add(client);
      } else if (staleSince === undefined || !isAhead(position, snapshot)) this.#catchUp(client, snapshot);
    }
  }

  *#tell(
    groups: readonly (readonly StreamClient[])[],
    changes: readonly RowChange[],
    position: ListPosition,
  ): Work<void> {
    const renderers = new Map<string, RenderRow>();
    for (const clients of groups) {
      const { wanted } = clients[0]!;
      const keys = JSON.stringify(wanted.meta);
      const render = renderers.get(keys) ?? remembering(rendererOf(wanted));
      renderers.set(keys, render);
      const ofGroup = yield* changesAmong(changes, wanted.filters);
      const { text, isEmpty } = yield* renderChanges(ofGroup, position, render);
      if (isEmpty) continue;
      yield* this.#send(clients, changesEvent(text, position));
      this.#options.onEvents(clients.length);
    }
  }

  /** Sends one client the text that leads from its position to the list of the last tick. */
  #catchUp(client: StreamClient, snapshot: Snapshot): void {
    const { position, wanted } = client;
    const { history, version } = snapshot;
    client.position = { history, version };
    client.isAwaitingText = true;
    const tell = async (): Promise<void> => {
      const { turns, onEvents } = this.#options;
      const { asker, outbox } = client;
      const { text: changes, isEmpty } = await this.#texts.to(snapshot, position, wanted, asker);
      const text = isEmpty ? bookmark(snapshot) : changes;
      this.#write(client, outbox.isGzip ? await text.compressed(turns, asker) : plainSendable(text));
      if (!isEmpty) onEvents(1);
      client.isAwaitingText = false;
    };
    tell().catch((error: unknown) => {
      // A text is not made once the client for it is gone: that is no error.
      if (client.asker.isGone?.() !== true) this.#options.onError(error, client);
    });
  }

  *#send(clients: readonly StreamClient[], text: SharedText): Work<void> {
    const plain = plainSendable(text);
    for (const [index, client] of clients.entries()) {
      this.#write(client, client.outbox.isGzip ? (text.ready ?? (yield* text.compress())) : plain);
      if (index % WRITES_AT_A_TIME === WRITES_AT_A_TIME - 1) yield;
    }
  }

  #write(client: StreamClient, sent: Sendable): void {
    const { now, onLagging } = this.#options;
    const { outbox } = client;
    if (outbox.waitingBytes > LONGEST_LAG_BYTES) onLagging(client);
    else outbox.add(sent);
    client.toldAt = now();
  }
}

/** Renders each row once. */
function remembering(render: RenderRow): RenderRow {
  const rendered = new Map<Row, string>();
  return (row) => {
    let text = rendered.get(row);
    if (text === undefined) rendered.set(row, (text = render(row)));
    return text;
  };
}

/** Whether a client in no group has received all that was sent to it. */
function isSettled({ isAwaitingText, outbox }: StreamClient): boolean {
  return !isAwaitingText && outbox.waitingBytes === 0;
}
