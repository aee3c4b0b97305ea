/** The cases: what is asked of which subjects, and how. */

import {
  broadcasts,
  changedPings,
  listRequest,
  pingsWithToken,
  unchangedPings,
  type Listed,
  type Request,
} from '../support/requests.ts';
import type { RunningSubject } from './subject-processes.ts';
import type { SubjectName } from './subjects.ts';

export interface Case {
  readonly name: string;
  /** How many game servers are listed. */
  readonly count: number;
  readonly subjects: readonly SubjectName[];
  readonly connections: number;
  /** Times the usual. */
  readonly duration: number;
  /** Pings a second that change the list meanwhile. */
  readonly churnPerSecond: number;
  readonly churn: (listed: readonly Listed[]) => readonly Request[];
  readonly requests: (subject: RunningSubject) => Promise<readonly Request[]>;
}

const OURS: readonly SubjectName[] = ['floor', 'gsls-memory', 'gsls-redis'];

export function createCases(count: number): Case[] {
  const base = {
    count,
    subjects: OURS,
    connections: 32,
    duration: 1,
    churnPerSecond: 0,
    churn: changedPings,
  };
  const lists = ['plain', 'gzip'].flatMap((encoding) =>
    [0, 100, 1000].map((churnPerSecond): Case => {
      const headers: Record<string, string> = encoding === 'gzip' ? { 'Accept-Encoding': 'gzip' } : {};
      return {
        ...base,
        name: `list ${encoding}${churnPerSecond > 0 ? `, ${churnPerSecond} changes/s` : ''}`,
        churnPerSecond,
        requests: async () => [listRequest(headers)],
      };
    }),
  );
  const pings: Case[] = [
    {
      ...base,
      name: 'ping, unchanged',
      requests: async ({ listed }) => unchangedPings(listed),
    },
    {
      ...base,
      name: 'ping, changed',
      requests: async ({ listed }) => changedPings(listed),
    },
    // For its latency: what waits for others must not wait when it is alone.
    {
      ...base,
      name: 'ping, unchanged, 1 connection',
      connections: 1,
      requests: async ({ listed }) => unchangedPings(listed),
    },
  ];
  const notModified: Case = {
    ...base,
    name: 'list, 304',
    requests: async ({ url }) => {
      const response = await fetch(url);
      await response.arrayBuffer();
      return [listRequest({ 'If-None-Match': response.headers.get('etag') ?? '"floor"' })];
    },
  };
  // Few readers and more time: the rivals need it.
  const obvious: Case = {
    ...base,
    name: 'list plain, 2 readers',
    subjects: [...OURS, 'rival-stringify', 'rival-hgetall'],
    connections: 2,
    duration: 2,
    requests: async () => [listRequest()],
  };
  // The last two make the list longer.
  const pingWithToken: Case = {
    ...base,
    name: 'ping, with its token',
    requests: ({ url }) => pingsWithToken(url),
  };
  const broadcast: Case = { ...base, name: 'broadcast', requests: async () => broadcasts(1000) };
  return [...lists, obvious, notModified, ...pings, pingWithToken, broadcast];
}
