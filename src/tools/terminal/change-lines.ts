/** Renders the changes of a list, one line a change: a text for people, or JSON for programs. */

import { isDeepStrictEqual } from 'node:util';
import type { AwayReason, ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import { addressOf } from '../../model/address-of.ts';
import { counted } from '../../model/counted.ts';
import type { ListedServer, ToldChanges } from '../../model/view/listed-server.ts';
import { printable, printableJson } from '../../model/printable.ts';
import { SHOWN_DETAILS } from './columns.ts';
import { shownText } from './shown-text.ts';

/** One line. The first list is one change. */
export type ShownChange =
  | { readonly change: 'list'; readonly servers: readonly ListedServer[] }
  | { readonly change: 'came' | 'left'; readonly server: ListedServer }
  | { readonly change: 'changed'; readonly server: ListedServer; readonly before: ListedServer }
  | { readonly change: 'contact'; readonly state: ContactState['is']; readonly text: string };

/** The fields that a line for people shows as changed. A change of other fields has no such line. */
const FIELDS = ['name', 'players', 'max_players', ...SHOWN_DETAILS, 'host', 'ip', 'port'] as const;

const REASONS: Readonly<Record<AwayReason, string>> = {
  unreachable: 'it does not answer',
  unavailable: 'it has no list right now',
  unauthorized: 'the key is missing or wrong',
  limited: 'it has too many requests',
  refused: 'it refuses, or is another program',
};

/** Remembers the list, so that each change can be compared with what was there before. */
export class ShownChanges {
  readonly #known = new Map<string, ListedServer>();
  #isKnown = false;

  take({ servers, removed, full }: ToldChanges): readonly ShownChange[] {
    const changes: ShownChange[] = [];
    const isFirst = !this.#isKnown;
    const listed = new Set(servers.map(({ id }) => id));
    const gone = full ? [...this.#known.keys()].filter((id) => !listed.has(id)) : removed;
    for (const id of gone) {
      const server = this.#known.get(id);
      if (server !== undefined) changes.push({ change: 'left', server });
      this.#known.delete(id);
    }
    for (const server of servers) {
      const before = this.#known.get(server.id);
      this.#known.set(server.id, server);
      if (before === undefined) {
        if (!isFirst) changes.push({ change: 'came', server });
      } else if (!isDeepStrictEqual(before, server)) changes.push({ change: 'changed', server, before });
    }
    this.#isKnown ||= full;
    if (isFirst) changes.push({ change: 'list', servers });
    return changes;
  }
}

/** How the reader stands to the service now. `cause`: why the last request got no answer, if it is known. */
export function contactChange(state: ContactState, now: number, cause: string | undefined): ShownChange {
  return { change: 'contact', state: state.is, text: stateWords(state, now, cause) };
}

/** The line for people, with its end; empty where no shown field has changed. `now`: ms. */
export function lineOf(change: ShownChange, now: number): string {
  const text = textOf(change);
  return text === '' ? '' : `${timeOf(now)} ${text}\n`;
}

/** The line for programs, with its end. `now`: ms. */
export function jsonLineOf(change: ShownChange, now: number): string {
  return printableJson(JSON.stringify({ time: timeOf(now), ...change }));
}

function timeOf(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}

function textOf(change: ShownChange): string {
  if (change.change === 'list') {
    const { servers } = change;
    const players = servers.reduce((sum, each) => sum + each.players, 0);
    return `= ${counted(servers.length, 'server')}, ${counted(players, 'player')}`;
  }
  if (change.change === 'contact') return `! ${printable(change.text)}`;
  if (change.change === 'changed') {
    const changed = differences(change.before, change.server);
    return changed === '' ? '' : `~ ${changed} ${shownText(change.before.name)}`;
  }
  return `${change.change === 'came' ? '+' : '-'} ${describe(change.server)}`;
}

function describe({ name, players, max_players: most, map, ip, port }: ListedServer): string {
  return [name, `${players}/${most}`, ...(map === undefined ? [] : [map]), addressOf(ip, port)]
    .map(shownText)
    .join('  ');
}

function differences(before: ListedServer, after: ListedServer): string {
  return FIELDS.filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${valueOf(before[field])} → ${valueOf(after[field])}`)
    .join(', ');
}

function valueOf(value: string | number | boolean | undefined): string {
  return value === undefined ? 'none' : shownText(String(value));
}

function stateWords(state: ContactState, now: number, cause: string | undefined): string {
  if (state.is === 'connecting') return 'connecting';
  if (state.is === 'live') return 'live';
  if (state.is === 'asleep' || state.is === 'stale') return `not current: as of ${clockOf(state.asOf)}`;
  const why = (state.reason === 'unreachable' && cause) || REASONS[state.reason];
  const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  const asOf = state.asOf === undefined ? '' : `, as of ${clockOf(state.asOf)}`;
  return `away: ${why}${asOf}, next try in ${seconds} s`;
}

/** The local time of day. */
function clockOf(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((each) => String(each).padStart(2, '0'))
    .join(':');
}
