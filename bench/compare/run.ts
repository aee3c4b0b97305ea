/**
 * `npm run bench -- compare`: the CPU that a request costs the service, and Redis, with this build and with that of
 * another checkout, or with many registries and with one. Both stand beside each other and take each case in turn,
 * always with as many requests: their CPU does not depend on who else wants the cores as their pace does, and a ratio
 * of two that follow each other less than one of medians.
 */

import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';
import { compareRounds, type Comparison, type Round } from './comparison.ts';
import { CASES, openSide, type Case, type Side } from './side.ts';

const options = readOptions('compare', {
  against: ['', 'the folder of another checkout, which is built; without it, this one'],
  registries: [1, 'among which the game servers are spread here'],
  rounds: [15, 'of each case'],
  servers: [10_000, 'that are listed'],
  only: ['', 'the cases whose name contains this'],
  on: ['memory,redis', 'where'],
  json: [false, 'for programs'],
});

async function compare(name: string, each: Case, here: Side, there: Side): Promise<Comparison[]> {
  const rounds: Round[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    const isHereFirst = round % 2 === 0;
    const first = await (isHereFirst ? here : there).measure(each);
    const second = await (isHereFirst ? there : here).measure(each);
    rounds.push(isHereFirst ? { here: first, there: second } : { here: second, there: first });
  }
  // The first round warms up.
  return compareRounds(name, rounds.slice(1));
}

/** After all game servers were listed, before any other request. */
async function compareMemory(here: Side, there: Side): Promise<string> {
  const [one, other] = await Promise.all([here.memory(), there.memory()]);
  const ratio = (key: 'heapBytes' | 'rssBytes'): string =>
    `${(one[key] / 2 ** 20).toFixed(0)} to ${(other[key] / 2 ** 20).toFixed(0)} MiB (${(one[key] / other[key]).toFixed(2)})`;
  return `memory, here to there: ${ratio('rssBytes')}, heap ${ratio('heapBytes')}`;
}

const { against, registries, servers } = options;
if (against === '' && registries === 1)
  throw new Error('--against must be the folder of another checkout, or --registries above 1');
const memories: string[] = [];
const results: Comparison[] = [];
for (const on of options.on.split(',')) {
  const isOnRedis = on === 'redis';
  const [here, there] = await Promise.all([
    openSide({ isOnRedis, servers, registries }),
    openSide({ folder: against || undefined, isOnRedis, servers, registries: 1 }),
  ]);
  memories.push(`${on}, ${await compareMemory(here, there)}`);
  for (const each of CASES.filter(({ name }) => name.includes(options.only))) {
    const compared = await compare(`${on}, ${each.name}`, each, here, there);
    for (const { name, ratio } of compared) process.stderr.write(`${name}: ${ratio.toFixed(3)}\n`);
    results.push(...compared);
  }
  await Promise.all([here.close(), there.close()]);
}
const table = (): string[] =>
  tableOf(results, [
    ['CPU of a request, µs', ({ name }) => name],
    ['here', ({ here }) => here.toFixed(1)],
    ['there', ({ there }) => there.toFixed(1)],
    ['ratio', ({ ratio }) => ratio.toFixed(3)],
    ['half of the rounds', ({ quartiles }) => quartiles.map((each) => each.toFixed(3)).join('..')],
    ['', ({ errors }) => (errors === 0 ? '' : `${errors} errors`)],
  ]);
printResult(options.json, results, () => `${[...table(), '', ...memories].join('\n')}\n`);
process.exit(0);
