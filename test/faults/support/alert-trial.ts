/**
 * One fault as the alerts see it: something breaks, the alerts that should fire do, it is mended, and all end.
 * Prometheus has the rules of the repository with shorter times. Prints a table of what fired when.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { now } from '../../support/load/recorder.ts';
import { startPrometheus, type Prometheus } from '../../support/prometheus.ts';
import { hasten, RULES_FILE } from '../../support/rules-file.ts';
import type { Replica } from './replica.ts';

export interface AlertFault {
  readonly break?: () => Promise<unknown>;
  /** Begins when all the alerts of `raises` fire. */
  readonly mend?: () => Promise<unknown>;
  readonly raises: readonly string[];
}

const POLL_MS = 100;
const FIRES_WITHIN_MS = 45_000;
const ENDS_WITHIN_MS = 60_000;

/** Scrapes the replicas every `intervalMs`, with rules whose times are so many times shorter. */
export async function watchReplicas(
  replicas: readonly Replica[],
  { intervalMs, factor }: { readonly intervalMs: number; readonly factor: number },
): Promise<Prometheus> {
  return startPrometheus({
    jobs: { gsls: replicas.map(({ host, port }) => `${host}:${port}`) },
    intervalMs,
    rules: hasten(readFileSync(RULES_FILE, 'utf8'), factor),
  });
}

export function itRaises(title: string, prometheus: () => Prometheus, fault: AlertFault): void {
  it(title, async () => {
    const { raises } = fault;
    /** When each alert was first seen firing. */
    const firedAt = new Map<string, number>();
    const texts: string[] = [];
    const look = async (): Promise<readonly string[]> => {
      const alerts = await prometheus().alerts();
      for (const { state, labels, annotations } of alerts) {
        const name = labels['alertname']!;
        if (state === 'firing' && !firedAt.has(name)) {
          firedAt.set(name, now());
          texts.push(...Object.values(annotations));
        }
      }
      return alerts.map(({ labels }) => labels['alertname']!);
    };
    const lookUntil = async (
      condition: (present: readonly string[]) => boolean,
      withinMs: number,
    ): Promise<void> => {
      const limit = now() + withinMs;
      while (!condition(await look()) && now() < limit) await delay(POLL_MS);
    };

    await lookUntil((present) => present.length === 0, ENDS_WITHIN_MS);
    expect(await look(), 'alerts that are left from before').to.deep.equal([]);
    firedAt.clear();
    const from = now();
    await fault.break?.();
    await lookUntil(() => raises.every((name) => firedAt.has(name)), FIRES_WITHIN_MS);
    await fault.mend?.();
    const mendedAt = now();
    await lookUntil((present) => present.length === 0, ENDS_WITHIN_MS);

    const fired = [...firedAt].map(([name, at]) => `${name} ${((at - from) / 1000).toFixed(1)}`);
    rows.push(`| ${title} | ${fired.join(', ') || 'none'} | ${((now() - mendedAt) / 1000).toFixed(1)} |`);
    expect(await look(), 'alerts that do not end').to.deep.equal([]);
    expect([...firedAt.keys()]).to.have.members(raises);
    expect(texts.filter((text) => /<error|<no value>|NaN/.test(text))).to.deep.equal([]);
  });
}

const rows: string[] = [];

after('the alerts', () => {
  if (rows.length === 0) return;
  console.log(
    [
      '',
      '| Fault | Alerts, s after it began | All ended, s after it was mended |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n'),
  );
});
