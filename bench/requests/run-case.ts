/** One case, on all its subjects in turn, several rounds: the medians, with their ratios to the floor. */

import type { Redis } from 'ioredis';
import type { Case } from './cases.ts';
import { runLoad } from '../support/load.ts';
import { medianOfEach, spreadOf } from '../support/median.ts';
import { startChurn, type RunningSubject } from './subject-processes.ts';
import { redisCpuUs } from '../support/usage.ts';
import type { Measurement, Row } from './results.ts';
import type { SubjectName } from './subjects.ts';

export interface Rounds {
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  /** Of the Redis behind the subjects that have one. */
  readonly redis: Redis | undefined;
  readonly progress: (text: string) => void;
}

/** The floor is the first of the subjects in each round, and ours follows at once: machines are noisy. */
export async function runCase(
  each: Case,
  running: ReadonlyMap<SubjectName, RunningSubject>,
  { rounds, seconds, redis, progress }: Rounds,
): Promise<Row[]> {
  const subjects = each.subjects.flatMap((name) => running.get(name) ?? []);
  const measured = new Map(subjects.map((subject) => [subject.options.name, [] as Measurement[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      const { name } = subject.options;
      progress(`${each.name}, ${each.count} servers, ${name}, round ${round + 1} of ${rounds}`);
      const behind = name === 'gsls-redis' ? redis : undefined;
      measured.get(name)!.push(await measure(each, subject, seconds, behind));
    }
  }
  const floor = medianOfEach(measured.get('floor')!);
  return subjects.map(({ options: { name: subject } }) => {
    const all = measured.get(subject)!;
    const result = medianOfEach(all);
    const ratio = {
      requestsPerSecond: result.requestsPerSecond / floor.requestsPerSecond,
      p50: result.p50Ms / floor.p50Ms,
      p99: result.p99Ms / floor.p99Ms,
      cpu: result.cpuUs / floor.cpuUs,
    };
    return {
      name: each.name,
      count: each.count,
      subject,
      ...result,
      spread: {
        requestsPerSecond: spreadOf(all.map(({ requestsPerSecond }) => requestsPerSecond)),
        cpuUs: spreadOf(all.map(({ cpuUs }) => cpuUs)),
      },
      ratio,
    };
  });
}

async function measure(
  each: Case,
  subject: RunningSubject,
  seconds: number,
  redis: Redis | undefined,
): Promise<Measurement> {
  const cpuOfRedis = async (): Promise<number> => (redis === undefined ? 0 : redisCpuUs(redis));
  const stopChurn = await startChurn(subject.url, each.churn(subject.listed), each.churnPerSecond);
  const requests = await each.requests(subject);
  const before = { subject: await subject.cpuUs(), redis: await cpuOfRedis() };
  const result = await runLoad({
    url: subject.url,
    requests,
    seconds: seconds * each.duration,
    connections: each.connections,
  });
  const after = { subject: await subject.cpuUs(), redis: await cpuOfRedis() };
  await stopChurn();
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuUs: (after.subject - before.subject) / result.requests,
    redisCpuUs: (after.redis - before.redis) / result.requests,
    errors: result.errors,
  };
}
