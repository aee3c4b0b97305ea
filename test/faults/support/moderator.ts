/**
 * A moderator at work: bans one game server at a time, and lifts the ban again. What was acknowledged is noted with the
 * game server, for the checker. Asks the replicas themselves, as HAProxy does not pass these paths on.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Address, type TestAnswer } from '../../support/ask.ts';
import { now, type BanPeriod, type Recorder } from '../../support/load/recorder.ts';
import type { Setup } from './setup.ts';

export const ADMIN_KEY = 'key-of-the-moderator';

const LONGEST_BAN_MS = 4000;
const PAUSE_MS = 300;
const GIVE_UP_AFTER_MS = 3000;

/** Goes on until the returned function is called; that resolves once no ban is left. */
export function moderate(setup: Pick<Setup, 'serving'>, recorder: Recorder): () => Promise<void> {
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await banOne(setup, recorder, stopping.signal);
      await pause(PAUSE_MS, stopping.signal);
    }
  };
  const working = work();
  return async () => {
    stopping.abort();
    await working;
  };
}

async function banOne(
  setup: Pick<Setup, 'serving'>,
  { listed }: Recorder,
  signal: AbortSignal,
): Promise<void> {
  const victim = anyOf([...listed].filter(({ keepsPinging }) => keepsPinging));
  if (victim === undefined) return;
  const { name } = victim;
  const period: BanPeriod = { sentAt: now(), addedAt: Infinity, liftSentAt: Infinity, liftedAt: Infinity };
  victim.bans.push(period);
  const added = await send(setup, 'POST /admin/bans', { name, reason: 'a test', mode: 'silent' });
  if (added?.status === 201) period.addedAt = now();
  await pause(LONGEST_BAN_MS * (0.5 + 0.5 * Math.random()), signal);
  period.liftSentAt = now();
  while (!(await lift(setup, name))) await delay(PAUSE_MS);
  period.liftedAt = now();
}

/** Whether none is left: a ban may be in force though its request failed. A stale answer does not tell. */
async function lift(setup: Pick<Setup, 'serving'>, name: string): Promise<boolean> {
  const answer = await send(setup, 'GET /admin/bans');
  if (answer?.status !== 200 || answer.headers['warning'] !== undefined) return false;
  const { bans } = JSON.parse(answer.text) as { bans: readonly { ban: string; name?: string }[] };
  const left = bans.filter((each) => each.name === name);
  for (const { ban } of left) await send(setup, `DELETE /admin/bans/${ban}`);
  return left.length === 0;
}

async function send(
  { serving }: Pick<Setup, 'serving'>,
  what: string,
  body?: object,
): Promise<TestAnswer | undefined> {
  const replica: Address | undefined = anyOf(serving);
  if (replica === undefined) return undefined;
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const options = { headers, giveUpAfterMs: GIVE_UP_AFTER_MS, ...(body && { body }) };
  return ask(replica, what, options).catch(() => undefined);
}

function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
