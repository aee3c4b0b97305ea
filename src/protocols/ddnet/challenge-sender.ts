/**
 * Sends challenges by UDP, as the game servers of DDNet and Teeworlds read them (register.cpp, OnPacket(), and
 * network.cpp of ddnet/ddnet). A packet is always smaller than the request that it answers; how many go to one address
 * is limited, whatever it asks for.
 */

import { createSocket, type Socket } from 'node:dgram';
import { networkOf } from '../../model/net/ip.ts';
import type { GameAddress } from './address.ts';

/** What marks a packet that belongs to no connection: for 0.6, and for 0.7 behind the token of the game server. */
const CONNLESS_0_6 = Buffer.alloc(6, 0xff);
const CONNLESS_0_7 = Buffer.from([0x21]);
const RESPONSE_TOKEN = Buffer.alloc(4, 0xff);
const CHALLENGE = Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from('chal')]);

/** What is written in a challenge. */
export interface Challenge {
  /** Of the game server, by which it knows that the challenge is for it. */
  readonly secret: string;
  /** What it has to send back. */
  readonly token: string;
  /** Of a game server of 0.7. */
  readonly connlessToken: Buffer | undefined;
}

export function challengePacket({ secret, token, connlessToken }: Challenge): Buffer {
  const head = connlessToken === undefined ? [CONNLESS_0_6] : [CONNLESS_0_7, connlessToken, RESPONSE_TOKEN];
  return Buffer.concat([...head, CHALLENGE, Buffer.from(`${secret}\0${token}\0`)]);
}

/** A host with a hundred game servers of four addresses each may start them at once. */
const MOST_PER_WINDOW = 400;
const WINDOW_MS = 15_000;
/** Some 20 MB at the most. */
const MOST_NETWORKS = 100_000;

export interface ChallengeSender {
  /** False if the network of the address has had too many. It does not wait, and nobody is told of what is lost. */
  send(to: Pick<GameAddress, 'ip' | 'port'>, challenge: Challenge): boolean;
  close(): Promise<void>;
}

/** `now`: ms since the epoch. */
export function createChallengeSender(now: () => number): ChallengeSender {
  /** By the family of addresses: opened when the first one of it is to be reached. */
  const sockets = new Map<'udp4' | 'udp6', Socket>();
  /** How many challenges each network had in this window. */
  let sent = new Map<string, number>();
  let windowSince = now();

  function mayHaveOneMore(ip: string): boolean {
    const at = now();
    if (at - windowSince >= WINDOW_MS || at < windowSince) [sent, windowSince] = [new Map(), at];
    const network = networkOf(ip);
    const count = sent.get(network) ?? (sent.size < MOST_NETWORKS ? 0 : MOST_PER_WINDOW);
    if (count >= MOST_PER_WINDOW) return false;
    sent.set(network, count + 1);
    return true;
  }

  function socketFor(ip: string): Socket {
    const family = ip.includes(':') ? 'udp6' : 'udp4';
    const known = sockets.get(family);
    if (known !== undefined) return known;
    // Where a family is missing, so are its game servers.
    const socket = createSocket(family).on('error', () => undefined);
    socket.unref();
    sockets.set(family, socket);
    return socket;
  }

  return {
    send({ ip, port }, challenge) {
      if (!mayHaveOneMore(ip)) return false;
      socketFor(ip).send(challengePacket(challenge), port, ip, () => undefined);
      return true;
    },
    async close() {
      const closing = [...sockets.values()].map(
        (socket) => new Promise<void>((resolve) => socket.close(resolve)),
      );
      sockets.clear();
      await Promise.all(closing);
    },
  };
}
