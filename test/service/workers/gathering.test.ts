/** The metrics of all workers as one: what is added up, and what becomes of a worker that ends or does not answer. */

import { expect } from 'chai';
import { ofSeveral, together, type Family } from '../../../src/service/metrics/families.ts';
import type { WorkerProcess } from '../../../src/service/workers/fleet-options.ts';
import { Gathering } from '../../../src/service/workers/gathering.ts';
import type { ToReplica } from '../../../src/service/workers/messages.ts';
import { until } from '../../support/until.ts';

const counter = (value: number): Family => family('counter', 'sum', value);
const gauge = (value: number, aggregator = 'max'): Family => family('gauge', aggregator, value);

function family(type: string, aggregator: string, value: number): Family {
  return { name: `a_${type}`, help: '', type, aggregator, values: [{ labels: {}, value }] };
}

const valueOf = (families: readonly Family[], name: string): number | undefined =>
  families.find((each) => each.name === name)?.values[0]!.value;

const both = (a: Family, b: Family): number | undefined =>
  ofSeveral(together([[a], [b]]))[0]?.values[0]!.value;
const of = (values: Family['values']): Family => ({ ...counter(0), values });

describe('metrics of several processes', () => {
  it('are added up where they count, and are the highest or the lowest as they say', () => {
    expect(both(counter(2), counter(3))).to.equal(5);
    expect(both(gauge(2, 'sum'), gauge(3, 'sum'))).to.equal(5);
    expect(both(gauge(2), gauge(3))).to.equal(3);
    expect(both(gauge(2, 'min'), gauge(3, 'min'))).to.equal(2);
    expect(both(gauge(2, 'omit'), gauge(3, 'omit'))).to.equal(undefined);
  });

  it('are told apart by their labels, and in histograms by their names', () => {
    const [sum] = together([
      [of([{ labels: { code: 'a' }, value: 1 }])],
      [
        of([
          { labels: { code: 'a' }, value: 2 },
          { labels: { code: 'b' }, value: 4 },
        ]),
        of([{ metricName: 'a_sum', labels: { code: 'a' }, value: 8 }]),
      ],
    ]);
    expect(sum!.values).to.deep.equal([
      { labels: { code: 'a' }, value: 3 },
      { labels: { code: 'b' }, value: 4 },
      { metricName: 'a_sum', labels: { code: 'a' }, value: 8 },
    ]);
  });
});

describe('the metrics of a service with workers', () => {
  let heard: Map<WorkerProcess, ToReplica[]>;
  let workers: WorkerProcess[];
  let gathering: Gathering;
  let endPatience: () => void;
  beforeEach(() => {
    heard = new Map();
    workers = [1, 2].map(() => {
      const messages: ToReplica[] = [];
      const worker = { send: (message: ToReplica) => void messages.push(message), kill: () => undefined };
      heard.set(worker, messages);
      return worker;
    });
    gathering = new Gathering({
      serving: () => workers,
      own: () => [{ ...gauge(7), name: 'own' }],
      patience: () =>
        new Promise((resolve) => {
          endPatience = resolve;
        }),
    });
  });

  const last = (worker: WorkerProcess): ToReplica | undefined => heard.get(worker)!.at(-1);

  /** The first worker asks for them. Each worker answers with its families, or not at all. */
  async function scrape(...answers: readonly (readonly Family[] | undefined)[]): Promise<readonly Family[]> {
    const asker = workers[0]!;
    gathering.hear(asker, { is: 'gatherMetrics', request: 9 });
    for (const [index, worker] of workers.entries()) {
      const message = last(worker)!;
      if (message.is !== 'tellMetrics') throw new Error(`it was told ${message.is}`);
      const families = answers[index];
      if (families !== undefined) gathering.hear(worker, { is: 'metrics', scrape: message.scrape, families });
    }
    if (answers.includes(undefined)) endPatience();
    await until(() => last(asker)?.is === 'allMetrics');
    const { families, request } = last(asker) as Extract<ToReplica, { is: 'allMetrics' }>;
    expect(request).to.equal(9);
    return families;
  }

  it('are those of all workers and of the primary', async () => {
    const families = await scrape([counter(1), gauge(10)], [counter(2), gauge(30)]);
    expect(valueOf(families, 'a_counter')).to.equal(3);
    expect(valueOf(families, 'a_gauge')).to.equal(30);
    expect(valueOf(families, 'own')).to.equal(7);
  });

  it('keep the counts of a worker that does not answer in time, and not its gauges', async () => {
    await scrape([counter(1), gauge(10)], [counter(2), gauge(30)]);
    const families = await scrape([counter(5), gauge(10)], undefined);
    expect(valueOf(families, 'a_counter')).to.equal(7);
    expect(valueOf(families, 'a_gauge')).to.equal(10);
  });

  it('keep the counts of workers that have ended: a counter never falls', async () => {
    await scrape([counter(1)], [counter(20), gauge(30)]);
    const [, ended] = workers;
    gathering.hear(ended!, { is: 'metrics', families: [counter(21), gauge(30)] });
    workers.pop();
    gathering.forget(ended!);
    let families = await scrape([counter(1), gauge(10)]);
    expect([valueOf(families, 'a_counter'), valueOf(families, 'a_gauge')]).to.deep.equal([22, 10]);
    const [first, ...none] = workers.splice(0);
    expect(none).to.deep.equal([]);
    gathering.forget(first!);
    workers = [first!];
    families = await scrape([counter(0)]);
    expect(valueOf(families, 'a_counter')).to.equal(22);
  });

  it('do not wait for a worker that ends meanwhile', async () => {
    gathering.hear(workers[0]!, { is: 'gatherMetrics', request: 1 });
    gathering.hear(workers[0]!, { is: 'metrics', scrape: 1, families: [counter(1)] });
    gathering.forget(workers[1]!);
    await until(() => heard.get(workers[0]!)!.at(-1)?.is === 'allMetrics');
  });
});
