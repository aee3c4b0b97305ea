/** deploy/prometheus/alerts.yml as the tests read it: line by line, as it is written there. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const RULES_FILE = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url));

export interface AlertText {
  readonly name: string;
  /** `5m`. */
  readonly for: string;
  readonly severity: string;
  /** A path from the root of the repository, with an anchor. */
  readonly runbook: string;
  /** The labels that its annotations name. */
  readonly labels: readonly string[];
}

/** The alerts in their order. */
export function readAlerts(): AlertText[] {
  const [, ...alerts] = readFileSync(RULES_FILE, 'utf8').split(/^ +- alert: /m);
  return alerts.map((text) => ({
    name: /^\w+/.exec(text)![0],
    for: fieldOf(text, 'for'),
    severity: fieldOf(text, 'severity'),
    runbook: fieldOf(text, 'runbook'),
    labels: [...new Set([...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!))],
  }));
}

function fieldOf(text: string, name: string): string {
  const [, value] = new RegExp(`^ +${name}: (.*)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`an alert has no ${name}: ${text}`);
  return value;
}

const UNITS_SECONDS = { s: 1, m: 60, h: 3600 };

/**
 * Rules in which all times, the `for` of alerts and the ranges of queries, are so many times shorter: what takes 5
 * minutes takes 10 s with a factor of 30. Thresholds stay, those in seconds too.
 */
export function hasten(rules: string, factor: number): string {
  return rules.replaceAll(/(?<=^ +for: )\d+[smh]$|(?<=\[)\d+[smh](?=\])/gm, (duration) => {
    const seconds = Number.parseInt(duration, 10) * UNITS_SECONDS[duration.at(-1) as 's' | 'm' | 'h'];
    return `${Math.round((seconds * 1000) / factor)}ms`;
  });
}
