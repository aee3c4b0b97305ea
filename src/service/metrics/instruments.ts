/**
 * How metrics are declared: each in one line, and each value of a label beforehand, so that zeros show. Knows no metric.
 */

import { Counter, Gauge, type Registry } from 'prom-client';

export interface Instruments {
  readonly gauge: (name: string, help: string) => Gauge;
  readonly counter: (name: string, help: string) => Counter;
  /** With one label that has these values. */
  readonly gaugeBy: (name: string, help: string, label: string, values: readonly string[]) => Gauge;
  /** With one label that has these values. */
  readonly counterBy: (name: string, help: string, label: string, values: readonly string[]) => Counter;
  /** With several labels, whose values are declared where it is fed. */
  readonly counterOf: (name: string, help: string, labels: readonly string[]) => Counter;
}

export function createInstruments(registry: Registry): Instruments {
  const registers = [registry];
  return {
    gauge: (name, help) => new Gauge({ name, help, registers }),
    counter: (name, help) => new Counter({ name, help, registers }),
    gaugeBy(name, help, label, values) {
      const gauge = new Gauge({ name, help, labelNames: [label], registers });
      for (const value of values) gauge.set({ [label]: value }, 0);
      return gauge;
    },
    counterBy(name, help, label, values) {
      const counter = new Counter({ name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return counter;
    },
    counterOf: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers }),
  };
}
