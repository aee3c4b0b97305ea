/**
 * Clients that keep the list by GET /changes, by polls and by streams, at the replicas and through HAProxy: at any time
 * each has exactly the list of its tag, whichever replica told it what has changed.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Address } from '../../support/ask.ts';
import { ChangesFollower, type ShownServer, type ToldChanges } from '../../support/follow-changes.ts';
import { now } from '../../support/load/recorder.ts';
import type { Setup } from './setup.ts';

const FILTERS = ['', 'players=2..'];
const RECONNECT_MS = 200;
const POLL_MS = 50;
/** A replica that was frozen has to be left first. */
const LONGEST_CATCH_UP_MS = 10_000;

export interface ListFollowers {
  /** What is wrong with what they have, in sentences. `byName`: compares no more than names. */
  check(byName: boolean): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface Followed {
  readonly follower: ChangesFollower;
  readonly filters: string;
  readonly title: string;
}

export function followLists({ replicas, front }: Pick<Setup, 'replicas' | 'front'>): ListFollowers {
  const ways = [
    { by: 'polls', where: 'at one replica', urls: replicas.map(urlOf) },
    { by: 'polls', where: 'at all replicas in turn', urls: replicas.map(urlOf), goesRound: true },
    { by: 'polls', where: 'through HAProxy', urls: [urlOf(front)] },
    { by: 'stream', where: 'at the replicas', urls: replicas.map(urlOf) },
    { by: 'stream', where: 'through HAProxy', urls: [urlOf(front)] },
  ] as const;
  const followed = ways.flatMap(({ where, ...way }) =>
    FILTERS.map((filters): Followed => {
      const options = { ...way, filters, isGzip: filters === '', pauseMs: RECONNECT_MS };
      return {
        follower: new ChangesFollower(options).start(),
        filters,
        title: `a client that follows ?${filters} by ${way.by} ${where}`,
      };
    }),
  );
  return {
    async check(byName) {
      const found = await Promise.all(
        replicas.flatMap((replica) => followed.map((each) => problemOf(each, replica, byName))),
      );
      return found.flat();
    },
    stop: async () => void (await Promise.all(followed.map(({ follower }) => follower.stop()))),
  };
}

/** Compares with a whole list of the replica, once it tells what leads there together with it. */
async function problemOf(
  { follower, filters, title }: Followed,
  replica: Address,
  byName: boolean,
): Promise<readonly string[]> {
  const until = now() + LONGEST_CATCH_UP_MS;
  let difference = 'has no list';
  while (now() < until) {
    const { tag, servers: known, complaints } = follower;
    if (complaints.length > 0) return complaints.splice(0).map((complaint) => `${title}: ${complaint}`);
    if (tag !== undefined) {
      const kept = new Map(known);
      const [since, whole] = await Promise.all([
        changesOf(replica, `since=${tag}&${filters}`),
        changesOf(replica, filters),
      ]);
      if (since !== undefined && whole !== undefined && since.tag === whole.tag) {
        apply(kept, since);
        difference = differenceOf(kept, whole.servers, byName);
        // A list that is being followed at this very moment may lack a moment.
        if (difference === '') return [];
      }
    }
    await delay(POLL_MS);
  }
  return [`${title} ${difference}, by ${replica.host}`];
}

async function changesOf(replica: Address, query: string): Promise<ToldChanges | undefined> {
  const answer = await ask(replica, `GET /changes?${query}`).catch(() => undefined);
  return answer?.status === 200 ? (JSON.parse(answer.text) as ToldChanges) : undefined;
}

function apply(servers: Map<string, ShownServer>, { servers: changed, removed, full }: ToldChanges): void {
  if (full) servers.clear();
  for (const id of removed) servers.delete(id);
  for (const server of changed) servers.set(server.id, server);
}

function differenceOf(
  known: ReadonlyMap<string, ShownServer>,
  listed: readonly ShownServer[],
  byName: boolean,
): string {
  const textOf = (server: ShownServer): string => (byName ? server.name : JSON.stringify(server));
  const missing = listed.filter(({ id }) => !known.has(id));
  const ids = new Set(listed.map(({ id }) => id));
  const left = [...known.keys()].filter((id) => !ids.has(id));
  const others = listed.filter((server) => {
    const kept = known.get(server.id);
    return kept !== undefined && textOf(kept) !== textOf(server);
  });
  if (missing.length + left.length + others.length === 0) return '';
  return `lacks ${missing.length}, keeps ${left.length} that are gone, and has others of ${others.length} (${(missing[0] ?? others[0])?.id ?? left[0]})`;
}

function urlOf({ host, port }: Address): string {
  return `http://${host}:${port}`;
}
