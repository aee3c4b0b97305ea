/**
 * A client that keeps a tag of any age, and goes with it to any replica, has exactly the list after each answer:
 * whatever has come, left, come back under its id, been hidden and shown meanwhile, and whichever replica was started
 * anew or saw nothing of it.
 */

import { copyFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { changesSince } from '../../../src/api/changes/list-changes.ts';
import { parseChangesQuery } from '../../../src/api/changes/wanted-list.ts';
import { finish } from '../../../src/api/work/work.ts';
import { createGameServerId, type ListedGameServer } from '../../../src/model/game-server.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import type { ListPosition, Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { runs } from '../../support/runs.ts';
import { shrinkBriefly } from '../../support/shrink-briefly.ts';
import { useDataFiles } from '../../support/use-data-files.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const REPLICAS = 2;
const NAMES = ['game', 'casino', 'cards'];
const ALL = parseChangesQuery('').wanted.filters;
const WISHES = [ALL, ...['name=game', 'name=c*'].map((query) => parseChangesQuery(query).wanted.filters)];

const replica = fc.nat({ max: REPLICAS - 1 });
const which = fc.nat({ max: 2 });
const name = fc.constantFrom(...NAMES);

const act = fc.oneof(
  fc.record({ kind: fc.constant('broadcast' as const), replica, name }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ping' as const), replica, which, name }) },
  fc.record({ kind: fc.constant('remove' as const), replica, which }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('announce' as const), replica, which, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), replica, which }) },
  fc.record({ kind: fc.constant('ban' as const), replica, name: fc.constantFrom('c*', ...NAMES) }),
  fc.record({ kind: fc.constant('lift' as const), replica }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const), replica }) },
  fc.record({ kind: fc.constant('restart' as const), replica }),
  fc.record({ kind: fc.constant('expiry' as const) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
const acts = fc.array(act, { minLength: 4, maxLength: 40 });

const on = (place: number, kind: Act['kind'], as = ''): Act => ({
  kind,
  replica: place,
  which: 0,
  name: as,
});
const look = (place: number): Act => on(place, 'look');

/** Each was once a ghost: what comes and goes while the second replica does not look, or before it was started anew. */
const GHOSTS: Act[][] = [
  // Hidden by its name, shown and hidden again, or removed, between two looks.
  ...[on(0, 'ping', 'casino'), on(0, 'remove')].map((last) => [
    on(0, 'broadcast', 'casino'),
    on(0, 'ban', 'c*'),
    look(1),
    on(0, 'ping', 'game'),
    look(0),
    last,
    look(1),
  ]),
  // Banned, shown and banned again, or removed, between two looks; or a ban came and went.
  [on(0, 'broadcast', 'casino'), look(1), on(0, 'ban', 'casino'), look(0), on(0, 'lift'), look(1)],
  ...[on(0, 'ban', 'casino'), on(0, 'remove')].map((last) => [
    on(0, 'broadcast', 'casino'),
    on(0, 'ban', 'casino'),
    look(1),
    on(0, 'lift'),
    look(0),
    last,
    look(1),
  ]),
  // Back under its id, it leaves again, or no longer matches the filters.
  ...[on(0, 'withdraw'), on(0, 'announce', 'cards')].map((last) => [
    on(0, 'announce', 'game'),
    look(0),
    on(0, 'withdraw'),
    on(0, 'announce', 'cards'),
    on(1, 'restart'),
    last,
    look(1),
  ]),
];

/** A list with its tag, as clients got it. */
interface Seen {
  readonly position: ListPosition;
  readonly rows: ReadonlyMap<string, ListedGameServer>;
}

/** The replicas of one registry. */
interface Replicas {
  readonly clock: ManualClock;
  at(place: number): Backend;
  restart(place: number): Promise<void>;
}

async function play(replicas: Replicas, steps: readonly Act[]): Promise<void> {
  const { clock } = replicas;
  const ids: string[] = [];
  const seen: Seen[] = [];

  async function lookAt(place: number): Promise<void> {
    const { snapshot } = await replicas.at(place).list();
    for (const before of seen) for (const filters of WISHES) expectToLead(before, snapshot, filters);
    seen.push({ position: snapshot, rows: rowsOf(snapshot) });
  }

  async function carryOut(each: Act): Promise<void> {
    if (each.kind === 'expiry') return clock.advance(lifetime.ttlMs + lifetime.sweepIntervalMs);
    if (each.kind === 'look') return lookAt(each.replica);
    if (each.kind === 'restart') return replicas.restart(each.replica);
    const registry = replicas.at(each.replica);
    const { moderation, nativeEntries } = registry;
    const id = 'which' in each ? ids[each.which] : undefined;
    switch (each.kind) {
      case 'broadcast':
        ids.unshift(createGameServerId());
        return void (await registry.broadcast(ids[0]!, aGameServer({ name: each.name })));
      case 'ping':
        return void (id !== undefined && (await registry.ping(id, aGameServer({ name: each.name }))));
      case 'remove':
        return void (id !== undefined && (await registry.remove(id, aGameServer().ip)));
      case 'announce':
        return void (await nativeEntries.publish(`native-${each.which}`, announcementOf(each.name), CALLER));
      case 'withdraw':
        return void (await nativeEntries.withdraw(`native-${each.which}`, LINK));
      case 'ban':
        return void (await moderation.decide((decided) => withBan(decided, aBan({ name: each.name }))));
      case 'lift':
        return void (await moderation.decide(() => NO_DECISIONS));
    }
  }

  for (const each of steps) {
    clock.jump(1);
    await carryOut(each);
  }
  for (let place = 0; place < REPLICAS; place += 1) await lookAt(place);
}

const LINK = 'a://1';
const CALLER = { address: '192.0.2.1' } as const;

function announcementOf(as: string): Parameters<Backend['nativeEntries']['publish']>[1] {
  return {
    protocol: 'played',
    lifetime: { ttlMs: lifetime.ttlMs, silentBelowMs: lifetime.ttlMs / 3 },
    link: LINK,
    describe: () => aGameServer({ name: as }),
    document: `a document of ${as}`,
  };
}

/** A client that has the one list, as far as its filters want it, and applies what has changed since, has the other. */
function expectToLead({ position, rows }: Seen, now: Snapshot, filters: typeof ALL): void {
  const changes = finish(changesSince(now, position, filters));
  if (changes === undefined) return;
  const known = new Map([...rows].filter(([, row]) => filters.matches(row)));
  for (const id of changes.removed) known.delete(id);
  for (const row of changes.servers) known.set(row.id, row);
  const wanted = [...rowsOf(now).values()].filter((row) => filters.matches(row));
  expect(said([...known.values()])).to.deep.equal(said(wanted));
}

function rowsOf({ chunks }: Snapshot): Map<string, ListedGameServer> {
  return new Map(chunks.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
}

function said(rows: readonly ListedGameServer[]): readonly string[] {
  return rows.map((row) => `${row.id} ${row.name} ${row.players}`).toSorted();
}

describe('a client with a tag of any age', () => {
  const { newPath, openAt } = useDataFiles();

  it('has the list after each answer of a registry in memory, through restarts', async function () {
    this.timeout(5 * 60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(acts, fc.boolean()),
        shrinkBriefly(async ([steps, crashes]) => {
          const clock = new ManualClock();
          let path = newPath();
          let registry = await openAt(path, { clock });
          await play(
            {
              clock,
              at: () => registry,
              async restart() {
                const before = path;
                if (crashes) await copyFile(before, (path = newPath()));
                await registry.close();
                registry = await openAt(path, { clock });
              },
            },
            steps,
          );
          await registry.close();
        }),
      ),
      {
        numRuns: runs(30) + GHOSTS.length,
        examples: GHOSTS.map((ghost) => [[ghost, false]]),
      },
    );
  });
});

needs('redis-server').describe('a client with a tag of any age', () => {
  const fixture = useReplicas();

  it('gets the changes after a decision that the replica followed, and the list anew after one that it may have missed', async () => {
    const [first, second] = [await fixture.open(), await fixture.open()];
    const lookAt = async (registry: Backend): Promise<Snapshot> => {
      fixture.clock.jump(1);
      return (await registry.list()).snapshot;
    };
    const ban = (as: string): Promise<unknown> =>
      first.moderation.decide((decided) => withBan(decided, aBan({ name: as })));
    await broadcastTo(first, aGameServer({ name: 'game' }));
    await lookAt(second);
    const before = await lookAt(first);
    await ban('casino');
    expect(finish((await lookAt(second)).changesSince(before))).to.not.equal(undefined);
    const since = await lookAt(second);
    const pair = await fixture.client.hget('{gsls}:settings', 'moderationAfter');
    await ban('poker');
    await fixture.client.hset('{gsls}:settings', 'moderationAfter', pair!);
    expect(finish((await lookAt(second)).changesSince(since))).to.equal(undefined);
  });

  it('has the list after each answer of any replica, also of one that has seen nothing of what came between', async function () {
    this.timeout(5 * 60_000);
    await fc.assert(
      fc.asyncProperty(
        acts,
        shrinkBriefly(async (steps) => {
          await fixture.client.flushall();
          const open = await Promise.all(Array.from({ length: REPLICAS }, () => fixture.open()));
          try {
            await play(
              {
                clock: fixture.clock,
                at: (place) => open[place]!,
                async restart(place) {
                  await open[place]!.close();
                  open[place] = await fixture.open();
                },
              },
              steps,
            );
          } finally {
            await Promise.all(open.map((each) => each.close()));
          }
        }),
      ),
      { numRuns: runs(30) + GHOSTS.length, examples: GHOSTS.map((ghost) => [ghost]) },
    );
  });
});
