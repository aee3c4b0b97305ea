/**
 * Declares metrics: the help of each, by a name such as `listBytes`, which stands for gsls_list_bytes. The name of a
 * counter is without its `_total`. Each value of a label is declared beforehand, so that zeros show.
 */

import { Counter, Gauge, type Registry } from 'prom-client';
import { Histogram, type HistogramSeries } from './histogram.ts';

/**
 * How the workers of a service show a metric together: `sum` adds up what each holds of its own; else the highest value
 * is shown, or the lowest where 1 means that all is well. Counters and histograms are always added up.
 */
export type Together = 'sum' | 'max' | 'min';

/** A value for each metric, by its name: its help, or the function that feeds it. */
type ByName<Name extends string, Each> = Readonly<Record<Name, Each>>;
type Labels = Readonly<Record<string, string>>;

export class Instruments {
  readonly #registry: Registry;

  /** `registry`: the one that renders the metrics. */
  constructor(registry: Registry) {
    this.#registry = registry;
  }

  gauges<Name extends string>(together: Together, helps: ByName<Name, string>): ByName<Name, Gauge> {
    return mapOf(helps, (name, help) => this.#gauge(name, help, together));
  }

  counters<Name extends string>(helps: ByName<Name, string>): ByName<Name, Counter> {
    return mapOf(helps, (name, help) => this.#counter(name, help));
  }

  /** Declares gauges with one label that has these values. The workers show the highest. */
  gaugesBy<Name extends string>(
    label: string,
    values: readonly string[],
    helps: ByName<Name, string>,
  ): ByName<Name, Gauge> {
    return mapOf(helps, (name, help) => {
      const gauge = this.#gauge(name, help, 'max', [label]);
      for (const value of values) gauge.set({ [label]: value }, 0);
      return gauge;
    });
  }

  /** Declares counters with one label that has these values. */
  countersBy<Name extends string>(
    label: string,
    values: readonly string[],
    helps: ByName<Name, string>,
  ): ByName<Name, Counter> {
    return mapOf(helps, (name, help) => {
      const counter = this.#counter(name, help, [label]);
      for (const value of values) counter.inc({ [label]: value }, 0);
      return counter;
    });
  }

  /** Declares a gauge that is 1, and whose labels hold the facts. */
  constant(labels: Labels, helps: ByName<string, string>): void {
    mapOf(helps, (name, help) => this.#gauge(name, help, 'max', Object.keys(labels)).set(labels, 1));
  }

  /** Counters whose values are read at a scrape, where counting has to cost nothing. */
  readCounters<Name extends string>(read: () => ByName<Name, number>, helps: ByName<Name, string>): void {
    mapOf(helps, (name, help) => this.#counter(name, help, [], () => [[{}, read()[name]]]));
  }

  /** A counter with such a value for each set of values of the labels; `read` gives them all at each scrape. */
  readCounterBy(
    labels: readonly string[],
    helps: ByName<string, string>,
    read: () => Iterable<readonly [labels: Labels, value: number]>,
  ): void {
    mapOf(helps, (name, help) => this.#counter(name, help, labels, read));
  }

  /** Declares histograms, without a series yet. `buckets`: the upper limits, in order. */
  histograms<Name extends string>(
    buckets: readonly number[],
    helps: ByName<Name, string>,
  ): ByName<Name, Histogram> {
    return mapOf(helps, (name, help) => new Histogram(this.#registry, { name: nameOf(name), help, buckets }));
  }

  /** Declares histograms with one label that has these values. `buckets`: the upper limits, in order. */
  histogramsBy<Name extends string, Value extends string>(
    label: string,
    values: readonly Value[],
    buckets: readonly number[],
    helps: ByName<Name, string>,
  ): ByName<Name, Readonly<Record<Value, HistogramSeries>>> {
    return mapOf(this.histograms(buckets, helps), (_, histogram) => {
      const series = values.map((value) => [value, histogram.series({ [label]: value })] as const);
      return Object.fromEntries(series) as Record<Value, HistogramSeries>;
    });
  }

  #gauge(name: string, help: string, aggregator: Together, labelNames: string[] = []): Gauge {
    return new Gauge({ name: nameOf(name), help, labelNames, registers: [this.#registry], aggregator });
  }

  /** `read`: gives all values at a scrape. */
  #counter(
    name: string,
    help: string,
    labels: readonly string[] = [],
    read?: () => Iterable<readonly [labels: Labels, value: number]>,
  ): Counter {
    const counter: Counter = new Counter({
      name: `${nameOf(name)}_total`,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      ...(read && {
        collect() {
          counter.reset();
          for (const [each, value] of read()) counter.inc(each, value);
        },
      }),
    });
    return counter;
  }
}

/** The name of the metric. */
function nameOf(name: string): string {
  return `gsls_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function mapOf<Name extends string, From, To>(
  from: ByName<Name, From>,
  make: (name: Name, each: From) => To,
): ByName<Name, To> {
  const entries = Object.entries(from) as [Name, From][];
  return Object.fromEntries(entries.map(([name, each]) => [name, make(name, each)])) as Record<Name, To>;
}
