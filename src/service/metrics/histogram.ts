/**
 * A histogram that costs next to nothing where it is fed: an observation is a search among some numbers, 10 ns, and 260
 * with prom-client's own. Its registry renders both alike.
 */

import type { Metric, Registry } from 'prom-client';

export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** The upper limits, in order. */
  readonly buckets: readonly number[];
}

type Labels = Readonly<Record<string, string | number>>;

/** The observations with one set of values of the labels. */
export class HistogramSeries {
  readonly labels: Labels;
  readonly #limits: readonly number[];
  /** How many were observed up to each limit and above the one before; behind them, how many above all. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Labels, limits: readonly number[]) {
    this.labels = labels;
    this.#limits = limits;
    this.#counts = new Float64Array(limits.length + 1);
  }

  observe(value: number): void {
    const limits = this.#limits;
    let index = 0;
    while (index < limits.length && value > limits[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#sum += value;
  }

  /** The values in the form of prom-client. */
  *values(name: string): Iterable<object> {
    const sharedLabels = this.labels;
    let count = 0;
    for (const [index, each] of this.#counts.entries()) {
      count += each;
      const le = this.#limits[index] ?? '+Inf';
      yield { metricName: `${name}_bucket`, labels: { le }, sharedLabels, value: count };
    }
    yield { metricName: `${name}_sum`, labels: {}, sharedLabels, value: this.#sum };
    yield { metricName: `${name}_count`, labels: {}, sharedLabels, value: count };
  }
}

export class Histogram {
  readonly name: string;
  readonly help: string;
  readonly #buckets: readonly number[];
  readonly #series: HistogramSeries[] = [];

  /** `registry`: the one that renders it. */
  constructor(registry: Registry, { name, help, buckets }: HistogramOptions) {
    this.name = name;
    this.help = help;
    this.#buckets = buckets;
    // All that the registry asks of a metric is a name and get().
    registry.registerMetric(this as unknown as Metric);
  }

  /** Declares a series: it shows from now on. Call it once for each set of values. */
  series(labels: Labels = {}): HistogramSeries {
    const series = new HistogramSeries(labels, this.#buckets);
    this.#series.push(series);
    return series;
  }

  /** Called by the registry, at each scrape. */
  get(): object {
    const { name, help } = this;
    const values = this.#series.flatMap((series) => [...series.values(name)]);
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }
}
