/**
 * Sends challenges by UDP in the form that the game servers of DDNet and Teeworlds read (register.cpp, OnPacket(), and
 * network.cpp of ddnet/ddnet). A packet is always smaller than the request that it answers. The number of packets to
 * one address is limited, whatever requests come from there.
 */

import { createSocket, type Socket } from 'node:dgram';
import { networkOf } from '../../model/net/ip.ts';
import type { GameAddress } from './address.ts';

/** The beginnings of packets outside connections: for 0.6, and for 0.7, where the token of the game server follows. */
const CONNLESS_0_6 = Buffer.alloc(6, 0xff);
const CONNLESS_0_7 = Buffer.from([0x21]);
const RESPONSE_TOKEN = Buffer.alloc(4, 0xff);
const CHALLENGE = Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from('chal')]);

/** The content of a challenge. */
export interface Challenge {
  /** The challenge secret of the game server, by which it knows that the challenge is for it. */
  readonly secret: string;
  /** The token that the game server must send back. */
  readonly token: string;
  /** The token of a game server of 0.7; undefined for 0.6. */
  readonly connlessToken: Buffer | undefined;
}

export function challengePacket({ secret, token, connlessToken }: Challenge): Buffer {
  const head = connlessToken === undefined ? [CONNLESS_0_6] : [CONNLESS_0_7, connlessToken, RESPONSE_TOKEN];
  return Buffer.concat([...head, CHALLENGE, Buffer.from(`${secret}\0${token}\0`)]);
}

/** Challenges to one network in a window: a host may start a hundred game servers at once, of four addresses each. */
const MOST_PER_WINDOW = 400;
const WINDOW_MS = 15_000;
/** How many networks are counted, which takes some 20 MB. */
const MOST_NETWORKS = 100_000;

export interface ChallengeSender {
  /** Sends a challenge and does not wait; lost packets go unnoticed. False if the network has had too many. */
  send(to: Pick<GameAddress, 'ip' | 'port'>, challenge: Challenge): boolean;
  close(): Promise<void>;
}

/** `now`: ms since the epoch. */
export function createChallengeSender(now: () => number): ChallengeSender {
  /** The sockets by the family of addresses, each opened with the first packet to its family. */
  const sockets = new Map<'udp4' | 'udp6', Socket>();
  /** How many challenges were sent to each network in this window. */
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
    // On a machine without a family, its packets are lost: it has no game servers of that family.
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
