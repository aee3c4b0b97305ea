/** The cases, with what is to be reached in each. */

import {
  broadcasts,
  changedPings,
  listRequest,
  unchangedPings,
  type Listed,
  type Request,
} from './requests.ts';
import type { RunningSubject } from './processes.ts';
import type { SubjectName } from './subjects.ts';

interface Ratio {
  readonly requestsPerSecond: number;
  readonly p99: number;
  readonly cpu: number;
}

export interface Goal {
  readonly text: string;
  readonly isReached: (ratio: Ratio) => boolean;
}

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
  readonly goals: Readonly<Partial<Record<'gsls-memory' | 'gsls-redis', Goal>>>;
}

const OURS: readonly SubjectName[] = ['floor', 'gsls-memory', 'gsls-redis'];

const atLeast = (ratio: number): Goal => ({
  text: `req/s ≥ ${ratio} ×`,
  isReached: ({ requestsPerSecond }) => requestsPerSecond >= ratio,
});
const cpuAtMost = (ratio: number): Goal => ({
  text: `CPU ≤ ${ratio} ×`,
  isReached: ({ cpu }) => cpu <= ratio,
});
const underChurn: Goal = {
  text: 'req/s ≥ 0.8 ×, p99 ≤ 3 ×',
  isReached: ({ requestsPerSecond, p99 }) => requestsPerSecond >= 0.8 && p99 <= 3,
};
const both = (goal: Goal): Case['goals'] => ({ 'gsls-memory': goal, 'gsls-redis': goal });

/** On three replicas behind HAProxy; the floor is three of the floor behind the same. */
export function createBalancedCases(count: number): Case[] {
  const wanted = ['list gzip', 'list gzip, 1000 changes/s', 'ping, unchanged', 'ping, changed'];
  return createCases(count)
    .filter(({ name }) => wanted.includes(name))
    .map((each) => ({
      ...each,
      name: `3 replicas: ${each.name}`,
      subjects: ['floor', 'gsls-redis'],
      goals: {},
    }));
}

export function createCases(count: number): Case[] {
  const base = {
    count,
    subjects: OURS,
    connections: 32,
    duration: 1,
    churnPerSecond: 0,
    churn: changedPings,
    goals: {},
  };
  const lists = ['plain', 'gzip'].flatMap((encoding) =>
    [0, 100, 1000].map((churnPerSecond): Case => {
      const headers: Record<string, string> = encoding === 'gzip' ? { 'Accept-Encoding': 'gzip' } : {};
      const goal = churnPerSecond === 0 ? atLeast(0.95) : churnPerSecond === 1000 ? underChurn : undefined;
      return {
        ...base,
        name: `list ${encoding}${churnPerSecond > 0 ? `, ${churnPerSecond} changes/s` : ''}`,
        churnPerSecond,
        requests: async () => [listRequest(headers)],
        goals: goal && count >= 10_000 ? both(goal) : {},
      };
    }),
  );
  const pings: Case[] = [
    {
      ...base,
      name: 'ping, unchanged',
      requests: async ({ listed }) => unchangedPings(listed),
      goals: { 'gsls-memory': cpuAtMost(2), 'gsls-redis': cpuAtMost(2.5) },
    },
    {
      ...base,
      name: 'ping, changed',
      requests: async ({ listed }) => changedPings(listed),
      goals: { 'gsls-memory': cpuAtMost(2), 'gsls-redis': cpuAtMost(2.5) },
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
    goals: both(atLeast(0.5)),
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
  // Last, since it makes the list longer.
  const broadcast: Case = { ...base, name: 'broadcast', requests: async () => broadcasts(1000) };
  return [...lists, obvious, notModified, ...pings, broadcast];
}
