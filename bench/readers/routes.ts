/** What readers ask for, each time with a query that nobody has asked before, for each reading route. Sends nothing. */

import type { Listed } from '../support/requests.ts';

export interface ReadingRoute {
  readonly name: string;
  /** The target of the nth request. `tag`: of a list that was current when the readers began. */
  readonly target: (n: number, listed: readonly Listed[], tag: string) => string;
  /** A stream of events, which is left once it has told its first one. */
  readonly isStream?: boolean;
  /** Moderators ask for it, with their key. */
  readonly isAdmin?: boolean;
}

/** No run before and no other process has asked for it. */
const unique = (n: number): string => `${process.pid}x${n}`;
const idOf = (n: number, listed: readonly Listed[]): string => listed[n % listed.length]!.id;
/** The most that a query may have: filters with alternatives that nearly no entry has. */
const costly = (n: number): string =>
  ['name', 'host', 'map', 'mode', 'region', 'version', 'tags', 'meta.build', 'meta.queue']
    .map((name) => `${name}!=${Array.from({ length: 32 }, (_, i) => `${unique(n)}y${i}*`).join(',')}`)
    .join('&');
const time = (n: number): string => new Date(Date.now() - 1000 * n).toISOString();

export const READING_ROUTES: readonly ReadingRoute[] = [
  { name: '/', target: () => '/' },
  { name: '/servers', target: (n) => `/servers?name!=${unique(n)}&players=1..&sort=-players,name&limit=100` },
  { name: '/servers, costly filters', target: (n) => `/servers?${costly(n)}&sort=-players,name&limit=1000` },
  { name: '/servers, meta', target: (n) => `/servers?name!=${unique(n)}&include=meta&limit=1000` },
  { name: '/servers/{id}', target: (n, listed) => `/servers/${idOf(n, listed)}` },
  { name: '/join/{code}', target: (n) => `/join/${String(n).padStart(8, '0')}` },
  { name: '/stats', target: (n) => `/stats?name!=${unique(n)}` },
  { name: '/stats, costly filters', target: (n) => `/stats?${costly(n)}` },
  { name: '/history', target: (n) => `/history?from=${time(n)}` },
  { name: '/changes', target: (n) => `/changes?name!=${unique(n)}` },
  { name: '/changes, costly filters', target: (n) => `/changes?${costly(n)}` },
  { name: '/changes since', target: (n, _, tag) => `/changes?since=${tag}&name!=${unique(n)}` },
  { name: '/changes, streams', target: (n) => `/changes?name!=${unique(n)}`, isStream: true },
  { name: '/browse', target: (n) => `/browse?name!=${unique(n)}` },
  { name: '/browse, one server', target: (n, listed) => `/browse?server=${idOf(n, listed)}` },
  { name: '/health', target: () => '/health' },
  { name: '/openapi.json', target: () => '/openapi.json' },
  { name: '/docs', target: () => '/docs' },
  { name: '/metrics', target: () => '/metrics' },
  { name: '/admin/servers', target: () => '/admin/servers?limit=1000', isAdmin: true },
  { name: '/admin/bans', target: () => '/admin/bans', isAdmin: true },
];
