/**
 * Clients that hope to gain by a fault: a thief who repeats broadcasts at the unique addresses of claimed entries, a
 * spammer at its quota, and a client who is banned. They ask the replicas themselves, each under an address of its own.
 * Judges every list that it reads. Knows nothing of faults, but for those that damage keys: these it sits out, and
 * pings.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { now, type Recorder } from '../../support/load/recorder.ts';
import { ADMIN_KEY } from './moderator.ts';
import type { Setup } from './setup.ts';

const QUOTA = 3;
/** The variables of the replicas. The clients of a load are all on this machine, which no quota holds for. */
export const INTRUDED: Readonly<Record<string, string>> = {
  GSLS_UNIQUE_ADDRESS: 'true',
  GSLS_MAX_SERVERS_PER_ADDRESS: String(QUOTA),
  GSLS_QUOTA_EXEMPT: 'loopback',
  GSLS_TRUST_PROXY: 'loopback',
};

const OWNERS = 3;
const IP = '203.0.113.9';
const THIEF = '198.51.100.66';
const BANNED = '198.51.100.67';
const PAUSE_MS = 40;
/** Well below what any TTL of a fault allows for. */
const PING_INTERVAL_MS = 1500;
const GIVE_UP_AFTER_MS = 2500;
/** "In effect on all replicas within a second." */
const KNOWN_TO_ALL_MS = 1000;
const NAMES = /"name":"((?:thief|spam|banned) [^"]*)"/g;

export interface Intruders {
  /** What they have gained since the last call, in sentences. */
  takeGains(): readonly string[];
  /**
   * To be called around damage: an index or a count that another program has changed guards nothing for a while. They
   * go on to ping what they have: they are most of the networks, and their silence would be a mass expiry, which is
   * held.
   */
  pause(): void;
  /** Goes on at other addresses, and removes what it had: after two times its silence would be a mass expiry, too. */
  resume(): void;
  /** Resolves once the ban is lifted. */
  stop(): Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly host: string;
  readonly client: string;
  id?: string;
  listedAt: number;
  pingAt: number;
}

/** A game server with a claimed entry, at an address of its own. */
interface Owner extends Entry {
  token?: string;
}

/** Resolves once the ban is in force. */
export async function startIntruders(setup: Pick<Setup, 'serving'>, recorder: Recorder): Promise<Intruders> {
  const gains = new Map<string, number>();
  const stopping = new AbortController();
  let isPaused = false;
  let made = 0;
  let owners: Owner[] = [];
  let spammer = '';
  let spam: Entry[] = [];
  const banned: Entry[] = [];
  const left: Owner[] = [];
  const gain = (what: string): void => void gains.set(what, (gains.get(what) ?? 0) + 1);

  /** Undefined if no answer comes. */
  async function send(what: string, client: string, options: object = {}): Promise<TestAnswer | undefined> {
    const replica = anyOf(setup.serving);
    if (replica === undefined) return undefined;
    const { headers = {}, ...more } = options as { headers?: object };
    return ask(replica, what, {
      headers: { 'X-Forwarded-For': client, ...headers },
      giveUpAfterMs: GIVE_UP_AFTER_MS,
      ...more,
    }).catch(() => undefined);
  }

  function newEntry(who: string, client: string, host = `host-${made}.example.com`): Entry {
    made += 1;
    const name = `${who} ${made}`;
    // The checker knows the name, and leaves it to these judges.
    const history = recorder.begin(name);
    history.keepsPinging = false;
    history.renewedUntil = Infinity;
    return { name, host, client, listedAt: Infinity, pingAt: 0 };
  }

  async function broadcast(entry: Owner, headers: object = {}): Promise<TestAnswer | undefined> {
    const answer = await send('POST /broadcast', entry.client, { body: fieldsOf(entry), headers });
    if (answer?.status === 200) {
      entry.listedAt = now();
      entry.id = answer.body.server_id!;
      entry.token = String(answer.headers['server-token']);
    }
    return answer;
  }

  function ping(entry: Owner, headers: object = {}): Promise<TestAnswer | undefined> {
    entry.pingAt = now() + PING_INTERVAL_MS;
    return send('POST /ping', entry.client, { body: { ...fieldsOf(entry), server_id: entry.id }, headers });
  }

  function newOwner(n: number): Owner {
    return newEntry('owner', `203.0.113.${100 + n}`);
  }

  function settle(): void {
    left.push(...[...owners, ...spam].filter(({ id }) => id !== undefined));
    spammer = `198.51.100.${100 + (made % 100)}`;
    spam = [];
    owners = Array.from({ length: OWNERS }, (_, n) => newOwner(n));
  }

  /** Keeps its entry, and complains when it is told that it has none. */
  async function keep(n: number): Promise<void> {
    const owner = owners[n]!;
    if (owner.id === undefined) {
      if (isPaused) return;
      const answer = await broadcast(owner, { 'Server-Token': 'claim' });
      // One without an answer may have been carried out.
      if (answer?.status !== 200 && owners[n] === owner) owners[n] = newOwner(n);
      return;
    }
    if (now() < owner.pingAt) return;
    const answer = await ping(owner, { 'Server-Token': owner.token });
    if (answer?.status === 200) return;
    owner.pingAt = 0;
    if (answer === undefined || answer.status >= 500 || isPaused || owners[n] !== owner) return;
    if (!recorder.mayBeLost(owner.listedAt))
      gain(`the owner of a claimed entry got ${answer.status} ${answer.body.code}`);
    owners[n] = newOwner(n);
  }

  /** Removes what it had before it settled anew, one at a time, however often it takes. */
  async function leave(): Promise<void> {
    const [entry] = left;
    if (entry === undefined) return;
    const answer = await send('POST /remove', entry.client, {
      body: { server_id: entry.id, server_ip: IP },
      headers: { 'Server-Token': entry.token },
    });
    if (answer !== undefined && answer.status < 500) left.shift();
  }

  async function steal(): Promise<void> {
    if (isPaused) return;
    const owner = anyOf(owners.filter(({ listedAt }) => listedAt < now()));
    if (owner === undefined) return;
    const headers = Math.random() < 0.5 ? { 'Server-Token': 'claim' } : {};
    const answer = await broadcast(newEntry(`thief of ${owner.name}:`, THIEF, owner.host), headers);
    if (answer?.status !== 200 || isPaused || !owners.includes(owner)) return;
    if (!recorder.mayBeLost(owner.listedAt)) gain('the thief got the address of a claimed entry');
  }

  /** Keeps what it has, and asks for more. */
  async function grow(entries: Entry[], who: string, client: string): Promise<void> {
    const due = entries.find(({ pingAt }) => pingAt < now());
    if (due !== undefined && (await ping(due))?.status === 404) entries.splice(entries.indexOf(due), 1);
    if (isPaused) return;
    const more = newEntry(who, client);
    if ((await broadcast(more))?.status === 200) entries.push(more);
  }

  const { since: bannedAt, lift } = await ban(send);

  async function read(): Promise<void> {
    if (isPaused) return;
    const sentAt = now();
    const of = spammer;
    const answer = await send('GET /', THIEF);
    if (answer?.status !== 200 || isPaused || of !== spammer) return;
    const isStale = answer.headers['warning'] !== undefined;
    const names = [...answer.text.matchAll(NAMES)].map(([, name]) => name!);
    const list = isStale ? 'a stale list' : 'a current list';
    for (const owner of owners) {
      const isRobbed = names.some((name) => name.startsWith(`thief of ${owner.name}:`));
      if (isRobbed && !recorder.mayBeLost(owner.listedAt)) gain(`${list} shows the thief`);
    }
    const spamShown = names.filter((name) => name.startsWith(`spam ${of}`)).length;
    if (spamShown > QUOTA && !spam.some(({ listedAt }) => recorder.mayBeLost(listedAt)))
      gain(`${list} shows ${spamShown} entries of the spammer`);
    const isBannedShown = names.some((name) => name.startsWith('banned'));
    if (isBannedShown && !isStale && sentAt > bannedAt + KNOWN_TO_ALL_MS)
      gain(`${list} shows the client who is banned`);
  }

  settle();
  const again = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work();
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = [
    ...owners.map((_, n) => again(() => keep(n))),
    again(leave),
    again(steal),
    again(() => grow(spam, `spam ${spammer}`, spammer)),
    again(() => grow(banned, 'banned', BANNED)),
    again(read),
  ];
  return {
    takeGains() {
      const found = [...gains].map(([what, times]) => `${times} × ${what}`);
      gains.clear();
      return found;
    },
    pause: () => void (isPaused = true),
    resume() {
      if (!isPaused) return;
      settle();
      isPaused = false;
    },
    async stop() {
      stopping.abort();
      await Promise.all(working);
      await lift();
    },
  };
}

/** Resolves once it is acknowledged. */
async function ban(
  send: (what: string, client: string, options: object) => Promise<TestAnswer | undefined>,
): Promise<{ readonly since: number; readonly lift: () => Promise<void> }> {
  const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
  const until = async (what: string, statuses: readonly number[], body?: object): Promise<string> => {
    for (;;) {
      const answer = await send(what, THIEF, { headers, ...(body && { body }) });
      if (answer !== undefined && statuses.includes(answer.status)) return answer.text;
      await delay(PAUSE_MS);
    }
  };
  const text = await until('POST /admin/bans', [201], { address: BANNED, reason: 'a test', mode: 'silent' });
  const { ban: id } = JSON.parse(text) as { readonly ban: string };
  return {
    since: now(),
    // After an attempt without an answer, 404 says that it was carried out.
    lift: async () => void (await until(`DELETE /admin/bans/${id}`, [200, 404])),
  };
}

function fieldsOf({ name, host }: Entry): object {
  return {
    server_host: host,
    server_name: name,
    server_port: 7777,
    server_ip: IP,
    players: 1,
    max_players: 16,
  };
}

function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}
