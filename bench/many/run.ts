/**
 * `npm run bench -- many`: what a registry costs that nobody needs, how long a service with very many takes to its
 * first answer, and how long pings of one registry take beside what another is asked. What a ping costs among many
 * registries is told by `npm run bench -- compare --registries 100`.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { printFigures, progress, type Figure } from '../support/figures.ts';
import { configOf } from '../support/many-registries.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { startRedis, type RunningRedis } from '../support/processes.ts';
import { measureFairness } from './fairness.ts';
import { start } from './start.ts';

const options = readOptions('many', {
  idle: [200, 'registries that nobody needs'],
  start: [1000, 'registries of a service that starts'],
  servers: [100_000, 'game servers in the registry beside the one that is pinged'],
  rounds: [3, 'of each measurement, of which the median counts'],
  seconds: [10, 'each measurement lasts'],
  json: [false, 'for programs'],
});
const { rounds } = options;

async function callsOf(redis: RunningRedis): Promise<number> {
  const stats = await redis.client.info('stats');
  return Number(/^total_commands_processed:(\d+)/m.exec(stats)![1]);
}

/** Compares a replica with many registries to one with a single registry: what each further one costs. */
async function measureIdle(): Promise<Figure[]> {
  progress(`${options.idle} registries that nobody needs`);
  const measured = [];
  for (const registries of [1, 1 + options.idle]) {
    const redis = await startRedis();
    const service = await start(redis, configOf(registries));
    // Until all are open and rest.
    await delay(20_000);
    const before = await callsOf(redis);
    await delay(60_000);
    const calls = (await callsOf(redis)) - before;
    const { heapBytes, rssBytes } = await service.probe('collect');
    measured.push({ calls, heapBytes, rssBytes });
    await service.stop();
    await redis.stop();
  }
  const [one, many] = measured;
  const each = (key: 'calls' | 'heapBytes' | 'rssBytes'): number => (many![key] - one![key]) / options.idle;
  return [
    { name: 'an idle registry: calls of Redis a minute', value: each('calls').toFixed(1), goal: '≤ 12' },
    { name: '… heap, kB', value: (each('heapBytes') / 1000).toFixed(0), goal: '≤ 300' },
    { name: '… memory of the process, kB', value: (each('rssBytes') / 1000).toFixed(0), goal: '≤ 300' },
  ];
}

/** From the start of the program to the first answer of one of the registries. */
async function measureStart(): Promise<Figure[]> {
  const took = [];
  for (const registries of [1, options.start]) {
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
      progress(`start with ${registries}, round ${round + 1} of ${rounds}`);
      const redis = await startRedis();
      const [config, startedAt] = [configOf(registries), performance.now()];
      const service = await start(redis, config, '/game-0');
      times.push(performance.now() - startedAt);
      await service.stop();
      await redis.stop();
    }
    took.push(median(times) / 1000);
  }
  return [
    { name: 'the first answer after a start, s: 1 registry', value: took[0]!.toFixed(2), goal: '' },
    { name: `… ${options.start} registries`, value: took[1]!.toFixed(2), goal: '≤ 2' },
  ];
}

const figures = [...(await measureIdle()), ...(await measureStart()), ...(await measureFairness(options))];
printFigures(options.json, figures);
process.exit(0);
