/**
 * Invented game servers that live before a service at a URL: they are listed, ping, change, start anew now and then,
 * and leave at the end. Speaks HTTP as any game server does, and knows nothing else of the service.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Announcer } from '../client/announcer.ts';
import type { InventedServer } from './invented-server.ts';
import { between, fork, type Random } from './random.ts';
import { createAsk } from '../client/ask.ts';
import type { Environment } from '../client/environment.ts';

/** The time and the timers of a world: those of the system, or of a test. */
export interface WorldClock {
  /** ms since the epoch. */
  now(): number;
  /** Runs the task each `intervalMs` until the returned function is called. */
  every(intervalMs: number, task: () => Promise<void>): () => void;
}

export interface WorldOptions {
  /** Of the service. */
  readonly url: string;
  /** That the service asks for, if it does. */
  readonly key?: string | undefined;
  readonly servers: readonly InventedServer[];
  readonly random: Random;
  readonly clock?: WorldClock;
  readonly fetch?: Environment['fetch'];
}

export interface World {
  /** How many game servers are listed, as far as they know. */
  readonly listed: number;
  /** Each game server sends a remove. What is not sent within `limitMs` is left to the TTL of the service. */
  close(limitMs: number): Promise<void>;
}

interface Inhabitant {
  readonly server: InventedServer;
  readonly random: Random;
  readonly announcer: Announcer;
  /** When it acts next, ms since the epoch; Infinity while it does. */
  dueAt: number;
  /** What it does, or did last. Never rejects. */
  acting: Promise<void>;
}

/** A world needs no more connections than this. */
export const MOST_CONNECTIONS = 8;

const TICK_MS = 250;
/** How long a game server takes to start anew. */
const DOWN_MS = [15_000, 45_000] as const;

/** Its timers do not keep the process alive. */
const systemClock: WorldClock = {
  now: () => Date.now(),
  every(intervalMs, task) {
    const timer = setInterval(() => void task(), intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Resolves once every game server has got its first answer. Rejects if none of them is listed then. */
export async function startWorld({
  url,
  key,
  servers,
  random,
  clock = systemClock,
  fetch = globalThis.fetch,
}: WorldOptions): Promise<World> {
  let isOver = false;
  const ask = createAsk({ url, key, fetch, mostAtOnce: MOST_CONNECTIONS, isOver: () => isOver });
  const inhabitants = servers.map((server): Inhabitant => {
    // In whatever order the answers come, each of them does the same.
    const own = fork(random);
    return {
      server,
      random: own,
      announcer: new Announcer({ ask, random: own, now: () => clock.now() }),
      dueAt: -Infinity,
      acting: Promise.resolve(),
    };
  });
  let refusal: string | undefined;

  async function act(inhabitant: Inhabitant): Promise<void> {
    const waitMs = await takeTurn(inhabitant);
    inhabitant.dueAt = clock.now() + waitMs;
  }

  /** Resolves with how long it waits before its next turn. */
  async function takeTurn({ server, random: own, announcer }: Inhabitant): Promise<number> {
    const now = clock.now();
    if (announcer.id !== undefined && server.mustRestart(now)) {
      const downMs = between(...DOWN_MS, own);
      await announcer.remove(server.fields);
      server.restart(now + downMs);
      return downMs;
    }
    server.live(now);
    const { answer, waitMs } = await announcer.announce(server.fields);
    if (answer.status !== 200) refusal = answer.reason;
    return waitMs;
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    const due = inhabitants.filter(({ dueAt }) => dueAt <= now);
    for (const each of due) {
      each.dueAt = Infinity;
      each.acting = act(each);
    }
    await Promise.all(due.map(({ acting }) => acting));
  }

  const countListed = (): number => inhabitants.filter(({ announcer }) => announcer.id !== undefined).length;
  await tick();
  if (countListed() === 0) throw new Error(`none of the game servers could be listed at ${url}: ${refusal}`);
  const stop = clock.every(TICK_MS, tick);

  return {
    get listed() {
      return countListed();
    },
    async close(limitMs) {
      stop();
      const left = inhabitants.map(async ({ server, announcer, acting }) => {
        await acting;
        await announcer.remove(server.fields);
      });
      await Promise.race([Promise.all(left), delay(limitMs, undefined, { ref: false })]);
      isOver = true;
    },
  };
}
