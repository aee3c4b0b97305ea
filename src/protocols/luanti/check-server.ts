/**
 * Checks whether a game server is where it announces to be: its name is looked up, and the address that it sends from
 * is pinged by UDP. Whatever a name resolves to, packets go only to the address that the announcement came from, and an
 * address that is not proved is not listed. server.py (asyncFinishThread, serverUp) pings what the name resolves to.
 */

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { parseIp, type IpAddress } from '../../model/net/ip.ts';
import type { Clock } from '../../registry/registry.ts';
import { isDomain } from './address.ts';
import type { Checked } from './list-entry.ts';

/** A game server to check. */
export interface CheckTarget {
  /** The address that the announcement came from. */
  readonly ip: IpAddress;
  readonly port: number;
  /** The announced address, without mistakes (whyWrong); '' if there is none. */
  readonly address: string;
}

/** `trouble`: a text for the person who runs the game server. Without `checked` the game server is not listed. */
export interface CheckResult {
  readonly checked?: Checked;
  readonly trouble?: string;
}

export interface CheckOptions {
  /** The addresses of a name, in the family of the given address. Rejects if they cannot be found. */
  readonly resolve: (name: string, like: IpAddress, signal: AbortSignal) => Promise<readonly string[]>;
  readonly timers: Pick<Clock, 'every'>;
  /** ms since an arbitrary moment. It never goes back. */
  readonly elapsed: () => number;
}

export type CheckServer = (target: CheckTarget, signal: AbortSignal) => Promise<CheckResult>;

/** How long the look-up and the ping may take each, in ms. */
const PATIENCE_MS = 3000;
/** How many pings are sent, since a ping or its answer may be lost; server.py would then not list the game server. */
const PINGS = 3;

/** Rejects only if the signal is aborted. */
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
 * Looks a name up at the nameservers of the machine alone: its hosts file has no stranger's name. getaddrinfo() is not
 * used: its four threads read and compress for the whole process, and would wait as long as a nameserver likes.
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

/** Ends the attempt with the signal or at the deadline: the result rejects, and the attempt's signal is aborted. */
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

/** A packet as a client without a peer id sends it: an empty ORIGINAL packet on channel 0. */
const PING = Buffer.from('4f45740300000001', 'hex');
/** The beginning of an answer: the protocol, and the server as the sender. */
const ANSWER = Buffer.from('4f4574030001', 'hex');
/** The places in an answer of the kind of a CONTROL packet and of the new peer id. */
const CONTROL_KIND_AT = 11;
const SET_PEER_ID = 1;
const PEER_ID_AT = 12;
const ANSWER_BYTES = 14;

/** Resolves with the time to the answer, in s. The socket is connected: the system drops packets from elsewhere. */
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
      // The new peer leaves again as a client does, with a CONTROL packet DISCO.
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
