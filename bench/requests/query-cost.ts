/** What a query costs that was never asked before, by its kind, without HTTP; and the memory of the columns. */

import { Pages } from '../../src/find/pages.ts';
import {
  createGameServerId,
  UNKNOWN_STANDING,
  type ListedGameServer,
} from '../../src/registry/game-server.ts';
import { Details } from '../../src/registry/fields/details.ts';
import { SnapshotBuilder } from '../../src/registry/snapshot/snapshot-builder.ts';
import type { Snapshot } from '../../src/registry/snapshot/snapshot.ts';
import { Turns } from '../../src/work/turns.ts';
import { OWN } from '../../src/work/work.ts';
import { median } from '../support/median.ts';
import { detailsNumber, gameServerNumber } from '../support/requests.ts';
import type { Extra } from './results.ts';

/** Each has something that no other query has. */
const KINDS: Readonly<Record<string, (unique: string, n: number) => string>> = {
  'players and name': (unique) => `name!=${unique}&players=1..&sort=-players,name`,
  launcher: (unique) => `host!=${unique}&region=eu&map=de_*&players=1..&sort=-players,name`,
  'tags and free': (unique, n) =>
    `map!=${unique}&map=de_dust2,cs_office&free=${1 + (n % 20)}..&tags=t1&sort=-players`,
  meta: (unique) => `mode!=${unique}&meta.build=10003,10004&sort=-players`,
  search: (unique, n) => `q=${n % 1000} ranked&map!=${unique}&sort=-players,name`,
  'beginning of a name': (unique) => `name=Server*&map!=${unique}&sort=name`,
  'sort by map': (unique) => `version=1.38*&password=false&full=false&map!=${unique}&sort=map,-players`,
  'order of the list': (unique) => `name!=${unique}&players=1..`,
};

const ROUNDS = 5;
const QUERIES_A_ROUND = 100;
/** Between two queries, where the list changes: as many as 1,000 a second, at 200 queries. */
const CHANGES = 5;
const PLAYERS = 64;

/** A list with details that changes, and whose entries were read from texts, as those of a replica. */
class ChangingList {
  readonly #builder = new SnapshotBuilder<ListedGameServer>();
  readonly #rows: ListedGameServer[] = [];
  #version = Date.now() * 1000;

  constructor(count: number) {
    for (let n = 0; n < count; n += 1) {
      this.#version += 1000;
      const version = this.#version;
      this.#set(n, {
        ...gameServerNumber(n),
        ...UNKNOWN_STANDING,
        id: createGameServerId(),
        details: Details.parse(detailsNumber(n).text),
        registeredVersion: version,
        version,
      });
    }
  }

  change(times: number): void {
    for (let i = 0; i < times; i += 1) {
      this.#version += 1;
      const n = Math.floor(Math.random() * this.#rows.length);
      const players = Math.floor(Math.random() * PLAYERS);
      this.#set(n, { ...this.#rows[n]!, players, version: this.#version });
    }
  }

  snapshot(): Snapshot {
    return this.#builder.build({ epoch: 'e', history: 'h', version: this.#version });
  }

  #set(n: number, row: ListedGameServer): void {
    this.#rows[n] = row;
    this.#builder.set(row);
  }
}

/** CPU of each query, all threads included, in ms. */
async function measureQuery(list: ChangingList, kind: string, changes: number): Promise<number> {
  const pages = new Pages(new Turns());
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    let usedUs = 0;
    for (let n = 0; n < QUERIES_A_ROUND; n += 1) {
      list.change(changes);
      const snapshot = list.snapshot();
      const query = KINDS[kind]!(`x${Math.random().toString(36).slice(2)}`, n);
      const before = process.cpuUsage();
      await pages.answer(pages.parse(query), snapshot, OWN);
      const { user, system } = process.cpuUsage(before);
      usedUs += user + system;
    }
    // The first round makes the columns.
    if (round > 0) rounds.push(usedUs / QUERIES_A_ROUND / 1000);
  }
  return median(rounds);
}

export async function measureQueries(count: number): Promise<Extra[]> {
  const extra = (name: string, value: number, unit: string): Extra => ({ name, count, value, unit });
  const list = new ChangingList(count);
  const columnBytes = await measureColumns(list.snapshot());
  const extras: Extra[] = [];
  for (const changes of [0, CHANGES])
    for (const kind of Object.keys(KINDS)) {
      const cpuMs = await measureQuery(list, kind, changes);
      const among = changes === 0 ? '' : `, ${changes} changes before each`;
      extras.push(extra(`CPU of a page never asked before: ${kind}${among}`, cpuMs, 'ms'));
    }
  return [...extras, extra('memory of all columns per game server', columnBytes / count, 'bytes')];
}

/** What stays of the queries of all kinds, in bytes. */
async function measureColumns(snapshot: Snapshot): Promise<number> {
  const before = heapUsed();
  const pages = new Pages(new Turns());
  for (const kind of Object.values(KINDS))
    await pages.answer(pages.parse(`${kind('x', 1)}&limit=1`), snapshot, OWN);
  return heapUsed() - before;
}

function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed: heap, external } = process.memoryUsage();
  return heap + external;
}
