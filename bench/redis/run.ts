/**
 * `npm run bench -- redis`: what a ping and a poll cost Redis, against the least script that could do the same in the
 * same run. `--instructions` counts in place of timing, on a Redis under valgrind.
 */

import { fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';
import { startCountedRedis, startTimedRedis } from './meters.ts';
import { measurePings } from './ping-cost.ts';

const { count, rounds, pings, instructions, json } = readOptions('redis', {
  count: [10_000, 'how many game servers are listed'],
  rounds: [9, 'of each in turn, of which the median counts'],
  pings: [12_800, 'of a round; 3,200 are enough to be counted'],
  instructions: [false, 'counts instructions, which no other process disturbs; a round or two are enough'],
  json: [false, 'for programs'],
});

const redis = await (instructions ? startCountedRedis() : startTimedRedis());
const { registry, close } = await openListedRegistry(redis.port);
const listed = await fill(registry, count);
const costs = await measurePings({ ...redis, registry, listed, rounds, pings });
await close();
await redis.stop();

const figure = (cost: number | undefined): string =>
  cost === undefined ? '' : instructions ? cost.toFixed(0) : cost.toFixed(2);
const ratio = (cost: number, floor: number | undefined): string =>
  floor === undefined ? '' : (cost / floor).toFixed(2);
printResult(json, costs, () =>
  [
    ...tableOf(costs, [
      [instructions ? 'instructions of Redis' : 'µs of CPU of Redis', ({ name }) => name],
      ['measured', ({ cost }) => figure(cost)],
      ['floor', ({ floor }) => figure(floor)],
      ['× floor', ({ cost, floor }) => ratio(cost, floor)],
      ['floor in one call', ({ groupedFloor }) => figure(groupedFloor)],
      ['× that', ({ cost, groupedFloor }) => ratio(cost, groupedFloor)],
    ]),
    '',
  ].join('\n'),
);
