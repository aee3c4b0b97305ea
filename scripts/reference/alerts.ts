/** The page of the alerts, from the rules for Prometheus. */

import { readAlerts } from '../../test/support/rules-file.ts';
import { page, readWords } from './page.ts';

const INTRODUCTION = `The rules are in \`deploy/prometheus/alerts.yml\`; [observe](../observe.md#alerts) says how to load them. \`critical\` is worth waking a person; \`warning\` can wait for the day.`;

export function renderAlerts(): string {
  const alerts = readAlerts();
  const words = readWords(
    'alerts',
    alerts.map(({ name }) => name),
  );
  return page('Alerts', [
    INTRODUCTION,
    ...alerts.flatMap(({ name, severity, for: after }) => [
      `## ${name}`,
      `\`${severity}\`${after === '0m' ? '' : `, after ${after}`}`,
      words.get(name)!,
    ]),
  ]);
}
