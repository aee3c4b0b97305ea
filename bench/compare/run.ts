/**
 * `npm run bench:compare`: the CPU that a request costs the service, and Redis, with this build and with that of
 * another checkout. Both stand beside each other and take each case in turn, always with as many requests: their CPU
 * does not depend on who else wants the cores as their pace does, and a ratio of two that follow each other less than
 * one of medians.
 */

import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';
import { CASES, openSide, type Case, type Cost, type Side } from './side.ts';

const options = readOptions('bench:compare', {
  against: ['', 'the folder of another checkout, which is built'],
  rounds: [15, 'of each case'],
  servers: [10_000, 'that are listed'],
  only: ['', 'the cases whose name contains this'],
  on: ['memory,redis', 'where'],
  json: [false, 'for programs'],
});

/** Of one process with one case. CPU in µs a request. */
interface Comparison {
  readonly name: string;
  readonly here: number;
  readonly there: number;
  /** Here to there: the median of the rounds, and what half of them lie between. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
  readonly errors: number;
}

async function compare(name: string, each: Case, here: Side, there: Side): Promise<Comparison[]> {
  const costs: { readonly here: Cost; readonly there: Cost }[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    const first = await (round % 2 === 0 ? here : there).measure(each);
    const second = await (round % 2 === 0 ? there : here).measure(each);
    // The first round warms up.
    if (round > 0)
      costs.push(round % 2 === 0 ? { here: first, there: second } : { here: second, there: first });
  }
  const errors = costs.reduce((sum, cost) => sum + cost.here.errors + cost.there.errors, 0);
  const compareBy = (key: 'serviceUs' | 'redisUs', what: string): Comparison => {
    const ratios = costs.map((cost) => cost.here[key] / cost.there[key]).toSorted((a, b) => a - b);
    const quarter = Math.floor(ratios.length / 4);
    return {
      name: `${name}: ${what}`,
      here: median(costs.map((cost) => cost.here[key])),
      there: median(costs.map((cost) => cost.there[key])),
      ratio: median(ratios),
      quartiles: [ratios[quarter]!, ratios.at(-1 - quarter)!],
      errors,
    };
  };
  const service = compareBy('serviceUs', 'service');
  return costs[0]!.here.redisUs === 0 ? [service] : [service, compareBy('redisUs', 'Redis')];
}

if (options.against === '') throw new Error('--against must be the folder of another checkout');
const results: Comparison[] = [];
for (const on of options.on.split(',')) {
  const [here, there] = await Promise.all(
    [undefined, options.against].map((folder) => openSide(folder, on === 'redis', options.servers)),
  );
  for (const each of CASES.filter(({ name }) => name.includes(options.only))) {
    process.stderr.write(`${on}, ${each.name}\n`);
    results.push(...(await compare(`${on}, ${each.name}`, each, here!, there!)));
  }
  await Promise.all([here!.close(), there!.close()]);
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
printResult(options.json, results, () => `${table().join('\n')}\n`);
process.exit(0);
