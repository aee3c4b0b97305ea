/** The first row of the dashboard: whether it is us or the network, for one who looks in a hurry. */

import type { Row } from './grafana.ts';
import { OF, quantile, rate, REQUESTS } from './queries.ts';

const FIRING = 'ALERTS{alertname=~"Gsls.+", alertstate="firing", job="$job"}';
const FAILED = 'status=~"500|503", route!="/health"';

export const US_OR_THE_NETWORK: Row = {
  title: 'Is it us or the network?',
  width: 3,
  height: 5,
  panels: [
    {
      kind: 'stat',
      title: 'Replicas that answer',
      description:
        'Replicas that Prometheus reaches, of those it knows. Fewer: look at the replica, or at the network of Prometheus.',
      redBelow: 1,
      queries: [
        [`sum(up{${OF}})`, 'answer'],
        [`count(up{${OF}})`, 'known'],
      ],
    },
    {
      kind: 'stat',
      title: 'Registry',
      description:
        'Whether each replica reaches its registry and may write there. With a registry in memory always. Away: it is Redis, or the network to it. Refuses writes: Redis answers, the log says why. Lists are served meanwhile, and writes get 503.',
      redBelow: 2,
      words: { 0: 'away', 1: 'refuses writes', 2: 'available' },
      queries: [[`min(gsls_registry_available{${OF}} + gsls_registry_writable{${OF}})`, 'registry']],
    },
    {
      kind: 'stat',
      title: 'Age of the list',
      description: 'Of the oldest list that a replica serves; 0 while it is current.',
      unit: 's',
      orange: 1,
      red: 5,
      queries: [[`max(gsls_list_stale_seconds{${OF}})`, 'age']],
    },
    {
      kind: 'stat',
      title: 'Circuit breaker',
      description: 'Open: a replica asks Redis nothing but whether it is back.',
      red: 1,
      words: { 0: 'closed', 1: 'open' },
      without: 'no Redis',
      queries: [[`max(gsls_redis_breaker_open{${OF}})`, 'breaker']],
    },
    {
      kind: 'stat',
      title: 'Mass expiry held',
      description:
        'Game servers that stopped pinging together, and stay listed for now. Not 0: most likely it is the network between the game servers and GSLS, or their own.',
      red: 1,
      words: { 0: 'none' },
      queries: [[`max(gsls_mass_silence_game_servers{${OF}})`, 'game servers']],
    },
    {
      kind: 'stat',
      title: 'Failed requests',
      description:
        'The share of requests that were answered with 500 or 503: these are our faults. Health checks are left out.',
      unit: 'percentunit',
      orange: 0.001,
      red: 0.05,
      without: '0 %',
      queries: [
        [
          `${rate(`${REQUESTS}_count`, '', FAILED)} / ${rate(`${REQUESTS}_count`, '', 'route!="/health"')}`,
          'failed',
        ],
      ],
    },
    {
      kind: 'stat',
      title: 'Pings: 99 %',
      description:
        'All but one of a hundred pings were answered within this time, from their arrival to the answer.',
      unit: 's',
      orange: 0.1,
      red: 0.5,
      without: 'no pings',
      queries: [[quantile(0.99, REQUESTS, 'route', 'route="/ping"'), 'pings']],
    },
    {
      kind: 'stat',
      title: 'Firing alerts',
      description:
        'Those of deploy/prometheus/alerts.yml. docs/reference/alerts.md says what to do about each.',
      red: 1,
      words: { 0: 'none' },
      queries: [[`count(${FIRING}) or vector(0)`, 'alerts']],
    },
    {
      kind: 'states',
      width: 15,
      title: 'Alerts that fired',
      description: 'Which alert fired when. No data is good news.',
      red: 1,
      queries: [[`count by (alertname) (${FIRING})`, '{{alertname}}']],
    },
    {
      kind: 'text',
      width: 9,
      title: 'How to read this row',
      text: 'All is green, and players miss game servers: look at **the network** between players and GSLS. **Mass expiry held**: the network between game servers and GSLS. **Registry** or **circuit breaker** is red: Redis, or the network to it. **Failed requests** or **pings** alone: the load, below.',
    },
  ],
};
