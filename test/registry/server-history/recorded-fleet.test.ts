/** The histories of a fleet of which every minute of 32 days is known, to the integer. */

import { expect } from 'chai';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import type { ServerHistoryPoint } from '../../../src/registry/backend.ts';
import { MemoryServerHistories } from '../../../src/registry/memory/beside/memory-server-histories.ts';
import { aList, anEntry } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;
const MINUTES = { block: 10, hour: 60, day: 1440 };
const DAYS = 32;
const START = Date.UTC(2026, 0, 1) / MINUTE_MS;
const END = START + DAYS * MINUTES.day;

/** A game server of the fleet: the players of each minute, -1 where the list did not show it. */
type Recorded = Int32Array;

/** A number below `limit` that follows from the others alone. */
function random(a: number, b: number, limit: number): number {
  let mixed = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) % limit;
}

/** Comes on some day, is away for hours now and then, and may leave for good. */
function record(server: number): Recorded {
  const [comes, leaves] = [random(server, 1, 9 * MINUTES.day), END - START - random(server, 2, 3) * 4321];
  return Int32Array.from({ length: END - START }, (_, minute) => {
    const isAway = random(server, Math.floor(minute / 97) + 1000, 12) === 0;
    if (minute < comes || minute >= leaves || (isAway && minute > comes + 97)) return -1;
    return random(server, minute + 5000, server % 3 === 0 ? 1_000_001 : 60);
  });
}

/** The service is away for three hours on one day, and restarts within a block on another. */
function isLookedAt(minute: number): boolean {
  const [outage, restart] = [20 * MINUTES.day + 604, 31 * MINUTES.day + 1202];
  return !(minute >= outage && minute < outage + 183) && !(minute >= restart && minute < restart + 3);
}

/** Whether the minute is in a block of which enough was seen. */
function isKept(minute: number): boolean {
  const begin = minute - (minute % MINUTES.block);
  let looks = 0;
  for (let each = begin; each < begin + MINUTES.block; each += 1) looks += isLookedAt(each) ? 1 : 0;
  return isLookedAt(minute) && looks >= 6;
}

const KEPT = Array.from({ length: END - START }, (_, minute) => isKept(minute));

interface Sum {
  seen: number;
  looked: number;
  total: number;
  peak: number;
}

function share(part: number, whole: number): number {
  return Math.round((part * 10_000) / whole) / 10_000;
}

/** The history as it has to be, counted from the minutes. */
function expectedOf(server: Recorded): { points: ServerHistoryPoint[]; uptime: number } {
  // The first minute after the 32 days has stored their last block: its day is the 30th.
  const first = server.findIndex((players, minute) => players >= 0 && KEPT[minute]!);
  const hours = new Map<number, Sum>();
  for (let minute = first; minute < server.length; minute += 1) {
    if (!KEPT[minute] || minute < END - START - 29 * MINUTES.day) continue;
    const hour = Math.floor(minute / MINUTES.hour);
    const sum = hours.get(hour) ?? { seen: 0, looked: 0, total: 0, peak: 0 };
    hours.set(hour, sum);
    sum.looked += 1;
    if (server[minute]! < 0) continue;
    sum.seen += 1;
    sum.total += server[minute]!;
    sum.peak = Math.max(sum.peak, server[minute]!);
  }
  const days = new Map<number, Sum>();
  for (const [hour, { seen, looked, total, peak }] of hours) {
    const day = Math.floor(hour / 24);
    if (day >= DAYS - 6) continue;
    hours.delete(hour);
    const sum = days.get(day) ?? { seen: 0, looked: 0, total: 0, peak: 0 };
    // The mean of a day is that of the rounded means of its hours, weighted.
    const kept = seen === 0 ? 0 : Math.round(total / seen) * seen;
    days.set(day, {
      seen: sum.seen + seen,
      looked: sum.looked + looked,
      total: sum.total + kept,
      peak: Math.max(sum.peak, peak),
    });
  }
  const pointsOf = (step: 'hour' | 'day', sums: Map<number, Sum>): ServerHistoryPoint[] =>
    [...sums].map(([number, { seen, looked, total, peak }]) => ({
      step,
      time: (START + number * MINUTES[step]) * MINUTE_MS,
      players: seen === 0 ? 0 : Math.round(total / seen),
      peak,
      uptime: share(seen, looked),
    }));
  const all = [...days.values(), ...hours.values()];
  const sumOf = (of: 'seen' | 'looked'): number => all.reduce((sum, each) => sum + each[of], 0);
  return {
    points: [...pointsOf('day', days), ...pointsOf('hour', hours)],
    uptime: share(sumOf('seen'), sumOf('looked')),
  };
}

describe('the histories of a recorded fleet', () => {
  it('are what its minutes add up to, after 32 days', async () => {
    const fleet = Array.from({ length: 3 }, (_, server) => record(server));
    const clock = new ManualClock(START * MINUTE_MS);
    let shown: ListedGameServer[] = [];
    const histories = new MemoryServerHistories({
      clock,
      journal: undefined,
      most: 100,
      onFull: undefined,
      registry: aList(() => shown),
    });
    for (let minute = 0; minute <= END - START; minute += 1) {
      if (minute === END - START || isLookedAt(minute)) {
        shown = fleet.flatMap((server, n) =>
          (server[minute] ?? -1) < 0 ? [] : [anEntry({ id: `server-${n}`, players: server[minute]! })],
        );
        await histories.look();
      }
      if (minute < END - START) clock.jump(MINUTE_MS);
    }
    for (const [n, server] of fleet.entries()) {
      const { points, uptime } = (await histories.of(`server-${n}`))!;
      const expected = expectedOf(server);
      expect(points).to.deep.equal(expected.points);
      expect(uptime).to.equal(expected.uptime);
      expect(points.length).to.be.within(150, 200);
    }
  });
});
