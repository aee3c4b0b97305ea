/**
 * Whether a game server is where it says: its name is looked up, and its own address is asked by UDP. Whatever a name
 * resolves to, nothing is ever sent anywhere but to the address that the announcement came from, and what nobody has
 * proved is not listed. server.py (asyncFinishThread, serverUp) pings what the name resolves to.
 */

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { parseIp, type IpAddress } from '../../model/net/ip.ts';
import type { Clock } from '../../registry/registry.ts';
import { isDomain } from './address.ts';
import type { Checked } from './list-entry.ts';

/** What a game server is asked at, and what it says of itself. */
export interface CheckTarget {
  /** Where the announcement came from. */
  readonly ip: IpAddress;
  readonly port: number;
  /** What it announced (whyWrong); '' for none. */
  readonly address: string;
}

/** `trouble`: what the person who runs the game server should know. Without `checked` it is not listed. */
export interface CheckResult {
  readonly checked?: Checked;
  readonly trouble?: string;
}

export interface CheckOptions {
  /** The addresses of a name, of the family of this address. Rejects when they cannot be told. */
  readonly resolve: (name: string, like: IpAddress, signal: AbortSignal) => Promise<readonly string[]>;
  readonly timers: Pick<Clock, 'every'>;
  /** In ms, since any moment. Never goes back. */
  readonly elapsed: () => number;
}

export type CheckServer = (target: CheckTarget, signal: AbortSignal) => Promise<CheckResult>;

/** For the look-up and for the ping each, in ms. */
const PATIENCE_MS = 3000;
/** A ping or its answer may be lost on the way: server.py would not list the game server. */
const PINGS = 3;

/** Rejects only when the signal is aborted. */
export function createCheckServer({ resolve, timers, elapsed }: CheckOptions): CheckServer {
  return async ({ ip, port, address }, signal) => {
    const within = <T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      withDeadline(attempt, timers, signal);
    const named = address === '' ? ip : address;
    let isProved = address === '' || parseIp(address) === ip;
    if (!isProved && isDomain(address)) {
      try {
        const found = await within((over) => resolve(address, ip, over));
        isProved = found.some((each) => parseIp(each) === ip);
      } catch {
        signal.throwIfAborted();
        return { trouble: `Unable to get address info for ${address}` };
      }
    }
    let ping: number;
    try {
      ping = await within((over) => pingServer({ ip, port }, timers, elapsed, over));
    } catch {
      signal.throwIfAborted();
      return {
        trouble: `Server ${named} port ${port} did not respond to ping${named === ip ? '' : ` (tried ${ip})`}`,
      };
    }
    return isProved
      ? { checked: { address: named, ping } }
      : { checked: { address: ip, ping }, trouble: `Requester IP ${ip} does not match host ${address}` };
  };
}

/**
 * By the nameservers of the machine alone: the files of the machine name none of a stranger. Not by getaddrinfo(),
 * whose four threads compress and read files for the whole process, and wait as long as a nameserver likes.
 */
export async function resolveByDns(
  name: string,
  like: IpAddress,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    return await (isIPv6(like) ? resolver.resolve6(name) : resolver.resolve4(name));
  } catch (error) {
    // The name is there, but has no address of this family.
    if ((error as NodeJS.ErrnoException).code === 'ENODATA') return [];
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Ends the attempt with the signal or at the deadline: it then rejects, and its own signal is aborted. */
function withDeadline<T>(
  attempt: (over: AbortSignal) => Promise<T>,
  timers: Pick<Clock, 'every'>,
  signal: AbortSignal,
): Promise<T> {
  const ending = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const end = (): void => {
      ending.abort();
      reject(ending.signal.reason);
    };
    const stopTimer = timers.every(PATIENCE_MS, async () => end());
    signal.addEventListener('abort', end);
    ending.signal.addEventListener('abort', () => {
      stopTimer();
      signal.removeEventListener('abort', end);
    });
    if (signal.aborted) end();
    else
      void attempt(ending.signal)
        .then(resolve, reject)
        .finally(() => ending.abort());
  });
}

/** As a client that has no peer id yet: an empty ORIGINAL packet on channel 0. */
const PING = Buffer.from('4f45740300000001', 'hex');
/** The protocol, and the server as the sender of an answer. */
const ANSWER = Buffer.from('4f4574030001', 'hex');
/** In its answer, where the kind of a CONTROL packet and the new peer id are. */
const CONTROL_KIND_AT = 11;
const SET_PEER_ID = 1;
const PEER_ID_AT = 12;
const ANSWER_BYTES = 14;

/** The time to the answer in s. The socket is connected: the system drops what comes from elsewhere. */
function pingServer(
  { ip, port }: Pick<CheckTarget, 'ip' | 'port'>,
  timers: Pick<Clock, 'every'>,
  elapsed: () => number,
  over: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    let sentAt = 0;
    const send = (): void => {
      sentAt = elapsed();
      socket.send(PING);
    };
    socket.on('error', reject);
    socket.on('message', (datagram) => {
      if (!isAnswer(datagram)) return;
      const ping = (elapsed() - sentAt) / 1000;
      socket.removeAllListeners('message');
      // The new peer leaves again, as a client does: with a CONTROL packet DISCO.
      const peerId = datagram.subarray(PEER_ID_AT, ANSWER_BYTES);
      socket.send(Buffer.concat([PING.subarray(0, 4), peerId, Buffer.of(0, 0, 3)]), () => resolve(ping));
    });
    socket.once('connect', () => {
      send();
      const stopRepeating = timers.every(PATIENCE_MS / PINGS, async () => send());
      over.addEventListener('abort', stopRepeating);
    });
    over.addEventListener('abort', () => socket.close());
    socket.connect(port, ip);
  });
}

function isAnswer(datagram: Buffer): boolean {
  return (
    datagram.length >= ANSWER_BYTES &&
    datagram.subarray(0, ANSWER.length).equals(ANSWER) &&
    datagram[CONTROL_KIND_AT] === SET_PEER_ID
  );
}
