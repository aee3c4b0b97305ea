/** How metrics are declared: each in one line, and each value of a label beforehand, so that zeros show. */

import { Counter, Gauge, type Registry } from 'prom-client';
import { Histogram, type HistogramSeries } from './histogram.ts';

/**
 * What the workers of a service show together: what each holds of its own is added up; else they show the highest of
 * their values, or the lowest where 1 means that all is well. Counters and histograms are always added up.
 */
export type Together = 'sum' | 'max' | 'min';

export interface Instruments {
  /** `together`: by default the highest. */
  readonly gauge: (name: string, help: string, together?: Together) => Gauge;
  readonly counter: (name: string, help: string) => Counter;
  /** With one label that has these values. */
  readonly gaugeBy: (name: string, help: string, label: string, values: readonly string[]) => Gauge;
  /** With one label that has these values. */
  readonly counterBy: (name: string, help: string, label: string, values: readonly string[]) => Counter;
  /** A gauge that is 1, for what its labels tell. */
  readonly constant: (name: string, help: string, labels: Readonly<Record<string, string>>) => void;
  /** A gauge whose value is read at a scrape. */
  readonly readGauge: (name: string, help: string, read: () => number) => void;
  /** A counter whose value is read at a scrape, where counting has to cost nothing. */
  readonly readCounter: (name: string, help: string, read: () => number) => void;
  /** The same for each set of values of the labels; `read` gives them all at each scrape. */
  readonly readCounterBy: (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>,
  ) => void;
  /** `buckets`: the upper limits, in order. It has no series yet. */
  readonly histogram: (name: string, help: string, buckets: readonly number[]) => Histogram;
  /** With one label that has these values. `buckets`: the upper limits, in order. */
  readonly histogramBy: <Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
    buckets: readonly number[],
  ) => Readonly<Record<Value, HistogramSeries>>;
}

export function createInstruments(registry: Registry): Instruments {
  const registers = [registry];
  const readCounterBy: Instruments['readCounterBy'] = (name, help, labels, read) => {
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect() {
        counter.reset();
        for (const [each, value] of read()) counter.inc(each, value);
      },
    });
  };
  return {
    gauge: (name, help, aggregator = 'max') => new Gauge({ name, help, registers, aggregator }),
    counter: (name, help) => new Counter({ name, help, registers }),
    gaugeBy(name, help, label, values) {
      const gauge = new Gauge({ name, help, labelNames: [label], registers, aggregator: 'max' });
      for (const value of values) gauge.set({ [label]: value }, 0);
      return gauge;
    },
    counterBy(name, help, label, values) {
      const counter = new Counter({ name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return counter;
    },
    constant(name, help, labels) {
      const labelNames = Object.keys(labels);
      new Gauge({ name, help, labelNames, registers, aggregator: 'max' }).set(labels, 1);
    },
    readGauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
    },
    readCounter: (name, help, read) => readCounterBy(name, help, [], () => [[{}, read()]]),
    readCounterBy,
    histogram: (name, help, buckets) => new Histogram(registry, { name, help, buckets }),
    histogramBy<Value extends string>(
      name: string,
      help: string,
      label: string,
      values: readonly Value[],
      buckets: readonly number[],
    ) {
      const histogram = new Histogram(registry, { name, help, buckets });
      const series = values.map((value) => [value, histogram.series({ [label]: value })] as const);
      return Object.fromEntries(series) as Record<Value, HistogramSeries>;
    },
  };
}
