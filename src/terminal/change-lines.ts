/** What changes in a list, in a line each, for those who watch it without a terminal. */

import type { ListedServer, ToldChanges } from '../client/listed-server.ts';
import { shownText } from './shown-text.ts';

/** A change of another field has no line. */
const FIELDS = [
  'name',
  'players',
  'max_players',
  'map',
  'mode',
  'version',
  'region',
  'password',
  'host',
  'ip',
  'port',
] as const;

export class ChangeLines {
  readonly #known = new Map<string, ListedServer>();
  #isKnown = false;

  /** Lines without their ends. The first list has one line for all. `now`: ms. */
  take({ servers, removed, full }: ToldChanges, now: number): readonly string[] {
    const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
    const lines: string[] = [];
    const isFirst = !this.#isKnown;
    const listed = new Set(servers.map(({ id }) => id));
    const gone = full ? [...this.#known.keys()].filter((id) => !listed.has(id)) : removed;
    for (const id of gone) {
      const server = this.#known.get(id);
      if (server !== undefined) lines.push(`- ${describe(server)}`);
      this.#known.delete(id);
    }
    for (const server of servers) {
      const before = this.#known.get(server.id);
      this.#known.set(server.id, server);
      if (before === undefined) {
        if (!isFirst) lines.push(`+ ${describe(server)}`);
      } else {
        const changed = differences(before, server);
        if (changed !== '') lines.push(`~ ${changed} ${shownText(before.name)}`);
      }
    }
    this.#isKnown ||= full;
    if (isFirst) {
      const players = servers.reduce((sum, each) => sum + each.players, 0);
      lines.push(`= ${servers.length} servers, ${players} players`);
    }
    return lines.map((line) => `${time} ${line}`);
  }
}

function describe({ name, players, max_players: most, map, ip, port }: ListedServer): string {
  const address = ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  return [name, `${players}/${most}`, ...(map === undefined ? [] : [map]), address].map(shownText).join('  ');
}

function differences(before: ListedServer, after: ListedServer): string {
  return FIELDS.filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${valueOf(before[field])} → ${valueOf(after[field])}`)
    .join(', ');
}

function valueOf(value: string | number | boolean | undefined): string {
  return value === undefined ? 'none' : shownText(String(value));
}
