/**
 * Game servers of DDNet and Luanti that go on to announce themselves through all faults, at one replica after the
 * other, and some that sign off, one at a time. Judges that the first are listed with the id and the registration that
 * they had, and the others no more: in the list of each replica and in the native ones.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { ListedBody } from '../../support/builders.ts';
import { now, type Recorder } from '../../support/load/recorder.ts';
import { until } from '../../support/until.ts';
import { listedAt, nativePortsAt, openDdnet, openLuanti, type Announcer } from './announcers.ts';
import type { Setup } from './setup.ts';

/** The variables of the replicas. */
export const ANNOUNCED: Readonly<Record<string, string>> = { GSLS_PROTOCOLS: 'ddnet,luanti' };

/** Of each protocol. */
const STAY = 4;
const LEAVE = 4;
const ANNOUNCE_INTERVAL_MS = 1000;
const LEAVE_INTERVAL_MS = 6000;
/** The native lists are made anew at most so often, and a replica that has started fetches its documents first. */
const LONGEST_CATCH_UP_MS = 10_000;
const POLL_MS = 100;

export interface KeptAnnouncing {
  /** What is wrong with what the replicas list, in sentences. All of them have to serve. */
  check(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface Known extends Announcer {
  /** As it was listed before the first fault. */
  readonly before: Pick<ListedRow, 'id' | 'registered_at'>;
}

interface ListedRow extends ListedBody {
  readonly registered_at: string;
}

/** Resolves once all are listed everywhere. */
export async function keepAnnouncing(
  { replicas }: Pick<Setup, 'replicas'>,
  recorder: Recorder,
): Promise<KeptAnnouncing> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const [staying, leaving] = [await openAll('staying', STAY), await openAll('leaving', LEAVE)];
  const all = [...staying, ...leaving];
  for (const { name } of all) {
    // The checker knows the name, and leaves it to this judge.
    const history = recorder.begin(name);
    history.keepsPinging = false;
    history.renewedUntil = Infinity;
  }
  for (const replica of replicas)
    await until(async () => {
      const rows = await rowsAt(replica, all);
      const missing = all.filter(({ port }) => !rows.has(port));
      // A replica of a busy machine may have refused an announcement: game servers announce themselves again.
      await Promise.all(missing.map((each, n) => each.announce(replicas[n % replicas.length]!)));
      return missing.length === 0;
    });
  const first = await rowsAt(replicas[0]!, all);
  const known = (each: Announcer): Known => ({ ...each, before: first.get(each.port)! });
  const stayers = staying.map(known);
  const left = new Map<Announcer, number>();
  let turn = 0;

  async function announce(each: Announcer): Promise<void> {
    while (!stopping.signal.aborted) {
      turn += 1;
      await each.announce(replicas[turn % replicas.length]!);
      await pause(ANNOUNCE_INTERVAL_MS);
    }
  }

  /** What only signs off lives by its first announcement, so that none is under way then. */
  async function leaveOneByOne(): Promise<void> {
    for (const each of leaving) {
      await pause(LEAVE_INTERVAL_MS);
      left.set(each, Infinity);
      while (!stopping.signal.aborted) {
        turn += 1;
        if (await each.signOff(replicas[turn % replicas.length]!).catch(() => false)) break;
        await pause(POLL_MS);
      }
      left.set(each, now());
    }
  }

  async function problemsOf(replica: Setup['replicas'][number]): Promise<readonly string[]> {
    const rows = await rowsAt(replica, all);
    const lost = stayers.filter(({ port }) => !rows.has(port));
    const others = stayers.filter(({ port, before }) => {
      const row = rows.get(port);
      return row !== undefined && (row.id !== before.id || row.registered_at !== before.registered_at);
    });
    const gone = [...left].filter(([, leftAt]) => leftAt < Infinity && !recorder.mayBeLost(leftAt));
    const back = gone.filter(([{ port }]) => rows.has(port));
    const native: readonly number[] = await nativePortsAt(replica).catch(() => []);
    const say = (what: string, { length }: { readonly length: number }): string[] =>
      length === 0 ? [] : [`${length} game servers of other protocols ${what}, at ${replica.host}`];
    return [
      ...say('are lost', lost),
      ...say('have another id or registration', others),
      ...say('are listed though they have signed off', back),
      ...say(
        'are not in their native list',
        stayers.filter(({ port }) => !native.includes(port)),
      ),
      ...say(
        'are in their native list though they have signed off',
        gone.filter(([{ port }]) => native.includes(port)),
      ),
    ];
  }

  const working = [...staying.map(announce), leaveOneByOne()];
  return {
    async check() {
      const latest = now() + LONGEST_CATCH_UP_MS;
      for (;;) {
        const problems = (await Promise.all(replicas.map(problemsOf))).flat();
        if (problems.length === 0 || now() > latest) return problems;
        await delay(POLL_MS);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(working);
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** The rows of these game servers, by port; none if the list is not current. */
async function rowsAt(
  replica: Setup['replicas'][number],
  announcers: readonly Announcer[],
): Promise<ReadonlyMap<number, ListedRow>> {
  const names = new Set(announcers.map(({ name }) => name));
  const rows = (await listedAt(replica)) ?? [];
  return new Map(rows.filter(({ name }) => names.has(name)).map((row) => [row.port, row as ListedRow]));
}

async function openAll(what: string, count: number): Promise<readonly Announcer[]> {
  const opened: Announcer[] = [];
  for (let n = 0; n < count; n += 1)
    opened.push(await openDdnet(`${what} Teeworlds ${n}`), await openLuanti(`${what} Luanti ${n}`));
  return opened;
}
