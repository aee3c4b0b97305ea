/** A Prometheus beside a fault: it scrapes all replicas, and each scrape that fails needs a replica that was absent. */

import { now, type Recorder } from '../../support/load/recorder.ts';
import { startPrometheus } from '../../support/prometheus.ts';
import type { Replica } from './replica.ts';

/** Whatever Redis does, a scrape is answered within this time, on a crowded machine too. */
const INTERVAL_MS = 2000;

export interface Scrapes {
  /** The scrapes that failed, and the times without one, in sentences. */
  failures(recorder: Pick<Recorder, 'wasAbsent'>): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startScrapes(replicas: readonly Replica[]): Promise<Scrapes> {
  const from = now();
  const prometheus = await startPrometheus({
    jobs: { gsls: replicas.map(({ host, port }) => `${host}:${port}`) },
    intervalMs: INTERVAL_MS,
  });
  return {
    async failures(recorder) {
      const seconds = Math.ceil((now() - from) / 1000);
      const series = await prometheus.query(`up[${seconds}s]`);
      return series.flatMap(({ metric, values }) => {
        const host = metric['instance']!.split(':')[0]!;
        const scrapes = values.map(([at, up]) => ({
          at: at * 1000 - performance.timeOrigin,
          up: up === '1',
        }));
        const failed = scrapes.filter(({ at, up }) => !up && !recorder.wasAbsent(host, at, at + INTERVAL_MS));
        const late = scrapes.filter(
          ({ at }, index) => index > 0 && at - scrapes[index - 1]!.at > 2 * INTERVAL_MS,
        );
        return [
          ...failed.map(
            ({ at }) => `a scrape of ${host} failed ${((at - from) / 1000).toFixed(1)} s after the beginning`,
          ),
          ...late.map(({ at }) => `${host} was not scraped before ${((at - from) / 1000).toFixed(1)} s`),
        ];
      });
    },
    stop: () => prometheus.stop(),
  };
}
