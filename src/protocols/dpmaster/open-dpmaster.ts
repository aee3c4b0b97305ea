/** The room of dpmaster: game servers and clients of the Quake 3 family, over UDP. It has no routes. */

import type { RemoteInfo } from 'node:dgram';
import { ServiceError } from '../../model/service-error.ts';
import type { Room } from '../../api/http/context.ts';
import { parseIp } from '../../model/net/ip.ts';
import { systemClock, type Clock } from '../../registry/registry.ts';
import type { ProtocolContext } from '../protocol.ts';
import type { Peer } from './game-server.ts';
import { Games } from './games.ts';
import { Infostring } from './infostring.ts';
import { Limits } from './limits.ts';
import { Heartbeats } from './heartbeats.ts';
import { getinfoPacket, parseGetServers, readPacket, readTag, type Packet } from './packets.ts';
import { GameSelection } from './game-selection.ts';
import { openUdpSockets, type UdpReply } from './udp-sockets.ts';

export { DPMASTER_LIFETIME } from './heartbeats.ts';

/** How many requests for lists may wait for the list. */
const MOST_WAITING = 1000;

export interface DpmasterRoom extends Room {
  /** The UDP port. */
  readonly port: number;
}

/** A clock that cannot be set. */
const steadyClock: Clock = { ...systemClock, now: () => performance.now() };

/** Rejects with a UdpPortError if it cannot listen. `clock`: for the limits, and for questions to game servers. */
export async function openDpmaster(context: ProtocolContext, clock = steadyClock): Promise<DpmasterRoom> {
  const { logger } = context;
  const { addresses, port, lists, answers, ...options } = context.options.dpmaster;
  const games = new Games(options.games, options.properties);
  const limits = new Limits({ lists, answers, now: () => clock.now() });
  const listing = new Heartbeats({ context, games, limits, clock });
  const answer = createAnswers(context, { games, limits, listing, clock });
  try {
    const sockets = await openUdpSockets({
      addresses,
      port: port!,
      receive(bytes, from, reply) {
        const packet = readPacket(bytes);
        const peer = peerOf(from);
        if (packet === undefined || peer === undefined) context.count('invalid');
        else
          answer(packet, peer, reply).catch((error: unknown) => {
            if (!(error instanceof ServiceError)) logger.error({ err: error }, 'a packet of dpmaster failed');
          });
      },
    });
    logger.info(
      { port: sockets.port, addresses },
      'games that speak the protocol of dpmaster are answered over UDP',
    );
    return {
      routes: [],
      port: sockets.port,
      async close() {
        listing.close();
        await sockets.close();
      },
    };
  } catch (error) {
    listing.close();
    throw error;
  }
}

/** Undefined for a sender that no answer could reach: with port 0, or with an address of one link alone. */
function peerOf({ address: text, port }: RemoteInfo): Peer | undefined {
  const address = parseIp(text);
  return address === undefined || port === 0 ? undefined : { address, port };
}

type Answer = (packet: Packet, peer: Peer, reply: UdpReply) => Promise<void>;

function createAnswers(
  context: ProtocolContext,
  { games, limits, listing, clock }: { games: Games; limits: Limits; listing: Heartbeats; clock: Clock },
): Answer {
  const selection = new GameSelection(context, games, () => clock.now());
  let waiting = 0;

  async function answerList({ kind, text }: Packet, peer: Peer, reply: UdpReply): Promise<void> {
    if (waiting >= MOST_WAITING || !limits.mayAskForList(peer.address)) return context.count('limited');
    const request = parseGetServers(text, kind === 'getserversExt');
    if (request === undefined) return context.count('invalid');
    waiting += 1;
    try {
      const packets = await selection.answer(request);
      if (packets === undefined) return context.count('refused');
      // The limit is checked again, because others may have been answered while this one waited.
      if (!limits.listBytes.isLeft) return context.count('limited');
      limits.listBytes.take(packets.reduce((bytes, { length }) => bytes + length, 0));
      packets.forEach(reply);
    } finally {
      waiting -= 1;
    }
  }

  return async (packet, peer, reply) => {
    if (packet.kind === 'infoResponse') return listing.infoResponse(new Infostring(packet.text), peer);
    if (packet.kind !== 'heartbeat') return answerList(packet, peer, reply);
    const question = listing.heartbeat(readTag(packet.text), peer);
    context.count(typeof question === 'string' ? question : 'challenged');
    if (typeof question !== 'string') reply(getinfoPacket(question.challenge));
  };
}
