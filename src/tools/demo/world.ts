/**
 * Invented game servers that live before a service at a URL: they are listed, ping, change, start anew now and then,
 * and leave at the end. Speaks HTTP as any game server does, and knows nothing else of the service.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Announcer } from '../../../clients/typescript/src/announcer.ts';
import type { InventedServer } from './invented-server.ts';
import { between, fork, type Random } from './random.ts';
import { createAsk, type ServiceAnswer } from '../../../clients/typescript/src/ask.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';

/** The time and the timers of a world: those of the system, or of a test. */
export interface WorldClock {
  /** The time in ms since the epoch. */
  now(): number;
  /** Runs the task each `intervalMs` until the returned function is called. */
  every(intervalMs: number, task: () => Promise<void>): () => void;
}

export interface WorldOptions {
  /** The address of the service. */
  readonly url: string;
  /** The key, if the service asks for one. */
  readonly key?: string | undefined;
  readonly servers: readonly InventedServer[];
  readonly random: Random;
  readonly clock?: WorldClock;
  readonly fetch?: Environment['fetch'];
  /**
   * Called once the first game server is listed, and the interval of pings is known: an error ends the world, which
   * rejects with it.
   */
  readonly admit?: (pingIntervalMs: number) => Error | undefined;
  /** Called after each turn of a game server, the first one included. To count takes a look at all of them. */
  readonly onTurn?: (count: () => WorldCounts) => void;
  /** Once aborted, no more game servers are listed: those that are there are the world. */
  readonly signal?: AbortSignal;
}

/** The game servers of a world, by the last answer of the service to each. */
export interface WorldCounts {
  readonly listed: number;
  /** The game servers whose last answer was no success. */
  readonly refused: number;
  /** The game servers that are listed, but not shown: the service waits for an answer of the game server itself. */
  readonly hidden: number;
  /** The last answer that was no success. */
  readonly refusal: ServiceAnswer | undefined;
}

export interface World {
  /** How many game servers are listed, as far as they know. */
  readonly listed: number;
  readonly pingIntervalMs: number;
  /**
   * Each game server sends a remove. What is not sent within `limitMs` is left to the TTL of the service. Resolves with
   * how many that are. `onLeft`: called with how many are still listed.
   */
  close(limitMs: number, onLeft?: (left: number) => void): Promise<number>;
}

interface Inhabitant {
  readonly server: InventedServer;
  readonly random: Random;
  readonly announcer: Announcer;
  /** When it acts next, ms since the epoch; Infinity while it does. */
  dueAt: number;
  /** The action under way, or the last one. Never rejects. */
  acting: Promise<void>;
  /** The answer to its last request. */
  answer: ServiceAnswer | undefined;
}

/** The pings a second that one process takes with ease, which also plays the game servers and is there for readers. */
export const MOST_PINGS_A_SECOND = 500;
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
  admit = () => undefined,
  onTurn,
  signal,
}: WorldOptions): Promise<World> {
  let isLeaving = false;
  let isOver = false;
  const ask = createAsk({
    url,
    key,
    fetch,
    mostAtOnce: MOST_CONNECTIONS,
    isOver: ({ path }) => isOver || (path !== '/remove' && (isLeaving || signal?.aborted === true)),
  });
  const inhabitants = servers.map((server): Inhabitant => {
    // Each game server does the same in whatever order the answers come.
    const own = fork(random);
    return {
      server,
      random: own,
      announcer: new Announcer({ ask, random: own, now: () => clock.now() }),
      dueAt: -Infinity,
      acting: Promise.resolve(),
      answer: undefined,
    };
  });
  let refusal: ServiceAnswer | undefined;

  async function act(inhabitant: Inhabitant): Promise<void> {
    const waitMs = await takeTurn(inhabitant);
    inhabitant.dueAt = clock.now() + waitMs;
    onTurn?.(count);
  }

  /** Resolves with how long it waits before its next turn. */
  async function takeTurn(inhabitant: Inhabitant): Promise<number> {
    const { server, random: own, announcer } = inhabitant;
    const now = clock.now();
    if (announcer.id !== undefined && server.mustRestart(now)) {
      const downMs = between(...DOWN_MS, own);
      await announcer.remove(server.fields);
      server.restart(now + downMs);
      return downMs;
    }
    server.live(now);
    const { answer, waitMs } = await announcer.announce(server.fields);
    inhabitant.answer = answer;
    if (answer.status !== 200 && answer.cause !== 'over') refusal = answer;
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

  const countListed = (): number => inhabitants.filter(isListed).length;
  function count(): WorldCounts {
    const answers = inhabitants.flatMap(({ answer }) => answer ?? []);
    return {
      listed: countListed(),
      refused: answers.filter(({ status, cause }) => status !== 200 && cause !== 'over').length,
      hidden: answers.filter(isHidden).length,
      refusal,
    };
  }

  const first = inhabitants[0]!;
  first.dueAt = Infinity;
  await act(first);
  const refused = isListed(first) ? admit(first.announcer.pingIntervalMs) : undefined;
  if (refused !== undefined) {
    await first.announcer.remove(first.server.fields);
    throw refused;
  }
  await tick();
  if (countListed() === 0 && signal?.aborted !== true)
    throw new Error(`none of the game servers could be listed at ${url}: ${refusal?.reason}`);
  const stop = clock.every(TICK_MS, tick);

  return {
    get listed() {
      return countListed();
    },
    get pingIntervalMs() {
      return first.announcer.pingIntervalMs;
    },
    async close(limitMs, onLeft) {
      stop();
      isLeaving = true;
      let here = inhabitants.length;
      const left = inhabitants.map(async (inhabitant) => {
        await inhabitant.acting;
        const answer = await inhabitant.announcer.remove(inhabitant.server.fields);
        if (answer !== undefined && answer.status !== 200 && answer.status !== 404) return;
        here -= 1;
        onLeft?.(here);
      });
      await Promise.race([Promise.all(left), delay(limitMs, undefined, { ref: false })]);
      isOver = true;
      return here;
    },
  };
}

function isListed({ announcer }: Inhabitant): boolean {
  return announcer.id !== undefined;
}

/** Whether the game server is hidden: the service reports those that it has not seen answer yet as not verified. */
function isHidden({ headers }: ServiceAnswer): boolean {
  return (headers.get('Server-Verification') ?? 'verified') !== 'verified';
}
