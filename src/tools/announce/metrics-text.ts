/** The metrics of `gsls announce`, in the text format of Prometheus. Sums over all game servers: few lines for many. */

import type { Sidecar } from './announcing.ts';

export function metricsText({ servers, counts }: Pick<Sidecar, 'servers' | 'counts'>): string {
  const standings = { up: 0, away: 0, unknown: 0 };
  const listed = new Map<string, number>();
  for (const { standing, listings } of servers) {
    standings[standing] += 1;
    for (const { url, listing } of listings)
      listed.set(url, (listed.get(url) ?? 0) + (standing === 'up' && listing.isListed ? 1 : 0));
  }
  return [
    ...family(
      'gsls_announce_game_servers',
      'gauge',
      'Game servers, by how they stand to their game: up, away after three lost answers, or unknown before.',
      Object.entries(standings).map(([standing, count]) => [{ standing }, count]),
    ),
    ...family(
      'gsls_announce_listed',
      'gauge',
      'Game servers that are up and listed at the service.',
      [...listed].map(([service, count]) => [{ service }, count]),
    ),
    ...family(
      'gsls_announce_readings_total',
      'counter',
      'Looks at game servers, by what came of them.',
      Object.entries(counts.readings).map(([outcome, count]) => [{ outcome }, count]),
    ),
    ...family(
      'gsls_announce_requests_total',
      'counter',
      'Requests to services, by kind and outcome: success, a code of the API, a status, or why there was no answer.',
      counts.requests.map(({ service, kind, outcome, count }) => [{ service, kind, outcome }, count]),
    ),
    '',
  ].join('\n');
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}{${labelsText(labels)}} ${value}`),
  ];
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `${name}="${value.replaceAll(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`,
    )
    .join(',');
}
