/** The histogram that observes quickly, against that of prom-client. */

import { expect } from 'chai';
import { Histogram as PromHistogram, Registry } from 'prom-client';
import { Histogram } from '../../../src/service/metrics/histogram.ts';

describe('a histogram', () => {
  const options = { name: 'x_seconds', help: 'what x takes', buckets: [0.001, 0.01, 0.1, 1] };

  it('is rendered as that of prom-client is', async () => {
    const ours = new Registry();
    const theirs = new Registry();
    const histogram = new Histogram(ours, options);
    const reference = new PromHistogram({ ...options, labelNames: ['script'], registers: [theirs] });
    for (const script of ['ping', 'broadcast']) {
      const series = histogram.series({ script });
      reference.zero({ script });
      for (const value of [
        0,
        0.001,
        0.0011,
        0.05,
        0.1,
        1,
        1.5,
        ...Array.from({ length: 100 }, Math.random),
      ]) {
        series.observe(value);
        reference.observe({ script }, value);
      }
    }
    expect(await ours.metrics()).to.equal(await theirs.metrics());
  });

  it('shows a series without observations as zeros', async () => {
    const registry = new Registry();
    new Histogram(registry, options).series();
    expect(await registry.metrics())
      .to.include('\nx_seconds_bucket{le="+Inf"} 0\n')
      .and.include('\nx_seconds_sum 0\n')
      .and.include('\nx_seconds_count 0\n');
  });
});
