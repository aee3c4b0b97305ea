/** The longest that a registry in memory holds the event loop at once: for a list after changes, and for a ban. */

import { withBan, withoutBan, type Ban } from '../../src/registry/bans/decisions.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { median } from '../support/median.ts';
import { fill, lifetime } from '../support/open-registry.ts';
import { detailsNumber, gameServerNumber } from '../support/requests.ts';
import type { Extra } from './results.ts';

const ROUNDS = 7;
const CHANGES = 1000;
/** It hides all. */
const BAN: Ban = {
  ban: 'all',
  name: 'Server*',
  reason: 'bench',
  mode: 'silent',
  author: 'bench',
  createdAt: 0,
};

const detailed = (n: number, players?: number) => ({
  ...gameServerNumber(n, players),
  details: detailsNumber(n),
});

export async function measureTurns(count: number): Promise<Extra[]> {
  const registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
  const listed = await fill(registry, count, detailed);
  const { moderation } = registry;
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    [`the list after ${CHANGES} changes`]: () => registry.list(),
    'a ban that hides all': () => moderation.decide((decided) => withBan(decided, BAN)),
    'the list after it': () => registry.list(),
    'the end of the ban': () => moderation.decide((decided) => withoutBan(decided, BAN.ban, 'bench', 0)!),
    'the list after that': () => registry.list(),
  };
  const longest = new Map(Object.keys(steps).map((name) => [name, [] as number[]]));
  await registry.list();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let i = 0; i < CHANGES; i += 1) {
      const { id, n } = listed[Math.floor(Math.random() * count)]!;
      await registry.ping(id, detailed(n, 100 + round));
    }
    for (const [name, step] of Object.entries(steps)) longest.get(name)!.push(await longestTurnMs(step));
  }
  await registry.close();
  return [...longest].map(([name, all]) => ({
    name: `longest turn of ${name}`,
    count,
    value: median(all),
    unit: 'ms',
  }));
}

/** Of the event loop, until the step is over. */
async function longestTurnMs(step: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await step();
  isOver = true;
  look();
  return longestMs;
}
