/**
 * Learns from the sentinels that a failover begins. The sentinels name the new master only a second after its
 * promotion, and all that the old master acknowledges in that second is lost.
 *
 * GSLS therefore leaves a master when its sentinels begin to replace it (measured without: 38 lost writes, at 40 a
 * second).
 */

import { Redis, type RedisOptions } from 'ioredis';
import type { HostAndPort, SentinelAddress } from './redis-address.ts';

export interface FailoverEvents {
  /** The sentinels are choosing a replica: nothing may be written to the old master any more. */
  readonly onBegin: () => void;
  /**
   * Called for each sentinel that announces the end; without a takeover if the failover was given up, or no sentinel
   * announced its end.
   */
  readonly onEnd: (takeover?: Takeover) => void;
}

export interface Takeover {
  readonly old: HostAndPort;
  readonly master: HostAndPort;
}

const BEGIN = '+failover-state-select-slave';
const SWITCH = '+switch-master';
const ABORTS = ['-failover-abort-no-good-slave', '-failover-abort-slave-timeout'];

const RETRY_DELAY_MS = 1000;
/** After this a failover counts as over: none that succeeds takes longer. */
const LONGEST_FAILOVER_MS = 5000;
/** How long until every sentinel knows of a takeover: they inform each other at least every two seconds. */
const ALL_HAVE_HEARD_MS = 5000;

/**
 * Listens to the sentinels of the address and to those that they know, each with these options: only the sentinel in
 * charge announces the beginning. Returns a function that stops it.
 */
export function watchFailovers(
  { sentinels, masterName }: SentinelAddress,
  options: RedisOptions,
  events: FailoverEvents,
): () => void {
  const connections = new Map<string, Redis>();
  let limit: NodeJS.Timeout | undefined;

  const end = (takeover?: Takeover): void => {
    clearTimeout(limit);
    events.onEnd(takeover);
  };

  const hear = (channel: string, message: string): void => {
    const words = message.split(' ');
    if (channel === SWITCH) {
      const [name, oldHost, oldPort, host, port] = words;
      if (name !== masterName) return;
      return end({
        old: { host: oldHost!, port: Number(oldPort) },
        master: { host: host!, port: Number(port) },
      });
    }
    if (words[1] !== masterName) return;
    if (channel !== BEGIN) return end();
    clearTimeout(limit);
    limit = setTimeout(end, LONGEST_FAILOVER_MS);
    events.onBegin();
  };

  const listenTo = ({ host, port }: HostAndPort): void => {
    const name = `${host} ${port}`;
    if (connections.has(name)) return;
    const sentinel = new Redis({
      ...options,
      host,
      port,
      enableReadyCheck: false,
      retryStrategy: () => RETRY_DELAY_MS,
      maxRetriesPerRequest: null,
    });
    connections.set(name, sentinel);
    sentinel.on('error', () => undefined);
    sentinel.on('message', hear);
    sentinel.call('SENTINEL', 'SENTINELS', masterName).then(
      (others) => parseSentinels(others).forEach(listenTo),
      () => undefined,
    );
    sentinel.subscribe(BEGIN, SWITCH, ...ABORTS).catch(() => undefined);
  };

  sentinels.forEach(listenTo);
  return () => {
    clearTimeout(limit);
    for (const connection of connections.values()) connection.disconnect();
  };
}

/** The last takeover. Sentinels that do not know of it yet name the old master, which may hang. */
export class LastTakeover {
  #takeover: Takeover | undefined;
  #until = -Infinity;

  note(takeover: Takeover): void {
    this.#takeover = takeover;
    this.#until = performance.now() + ALL_HAVE_HEARD_MS;
  }

  /** Returns the successor of the master that a sentinel names as `host:port`, or null if it has none. */
  readonly successorOf = (named: string): HostAndPort | null => {
    if (this.#takeover === undefined || performance.now() > this.#until) return null;
    const { old, master } = this.#takeover;
    return named === `${old.host}:${old.port}` ? master : null;
  };
}

/** Parses a reply in which each sentinel is a list of alternating fields and values. */
function parseSentinels(reply: unknown): HostAndPort[] {
  return (reply as string[][]).map((words) => ({
    host: words[words.indexOf('ip') + 1]!,
    port: Number(words[words.indexOf('port') + 1]),
  }));
}
