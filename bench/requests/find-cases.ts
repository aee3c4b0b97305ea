/** The cases of finding servers: pages of 100 by query, and what queries and details cost the pings beside them. */

import { createCases, type Case } from './cases.ts';
import { detailedPings, get, type Request } from '../support/requests.ts';

const MAPS = ['de_dust2', 'de_inferno', 'cs_office'];
const CHANGES_PER_SECOND = 1000;
const QUERIES_PER_SECOND = 50;
/** More than can be asked in one measurement, on any machine. */
const MANY = 100_000;

/** As a launcher asks it when it starts. */
const SHARED = '/servers?region=eu&players=1..&sort=-players,name&limit=100';

function hundredQueries(): Request[] {
  return Array.from({ length: 100 }, (_, n) =>
    get(
      `/servers?map=${MAPS[n % 3]}&free=${1 + (n % 20)}..&tags=t${n % 5}&q=${n % 10}&sort=-players,name&limit=100`,
    ),
  );
}

/** The same, once each has been asked twice: what the first answers cost is another case. */
async function asked(url: string, requests: Request[]): Promise<Request[]> {
  for (let time = 0; time < 2; time += 1)
    for (const { path } of requests) await (await fetch(url + path)).arrayBuffer();
  return requests;
}

/** Each names what no other does. */
function neverRepeated(count: number): Request[] {
  return Array.from({ length: count }, () =>
    get(`/servers?name!=x${Math.random().toString(36).slice(2)}&players=1..&sort=-players,name&limit=100`),
  );
}

/** The floor sends one page that is ready. */
export function createFindCases(count: number): Case[] {
  const pings = createCases(count).find(({ name }) => name === 'ping, unchanged')!;
  const page: Case = { ...pings, name: 'page', churnPerSecond: CHANGES_PER_SECOND };
  return [
    {
      ...page,
      name: 'page, one query, 1000 changes/s',
      requests: async () => [get(SHARED)],
    },
    {
      ...page,
      name: 'page, 100 queries, 1000 changes/s',
      requests: ({ url }) => asked(url, hundredQueries()),
    },
    { ...page, name: 'page, no query twice, 1000 changes/s', requests: async () => neverRepeated(MANY) },
    {
      ...pings,
      name: 'ping with details, unchanged',
      requests: async ({ listed }) => detailedPings(listed),
    },
    // To be compared with unchanged pings by themselves.
    {
      ...pings,
      name: 'ping beside 50 new queries/s',
      churnPerSecond: QUERIES_PER_SECOND,
      churn: () => neverRepeated(MANY),
    },
  ];
}
