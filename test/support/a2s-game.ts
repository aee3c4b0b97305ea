/**
 * A game server that is nothing but its answer to A2S_INFO, the query of Source servers, without a challenge
 * (https://developer.valvesoftware.com/wiki/Server_queries): as many of them as a test or a measurement needs.
 */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const PLACES = 16;
/** Protocol 17; behind the counts: dedicated, Linux, no password, no VAC. */
const PROTOCOL = 17;
const KIND = Buffer.from('dl\0\0', 'latin1');

export interface A2sGame {
  readonly name: string;
  readonly port: number;
  players: number;
  close(): Promise<void>;
}

export async function openA2sGame(name: string): Promise<A2sGame> {
  const socket: Socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const texts = Buffer.from(`${name}\0de_dust2\0cstrike\0Counter-Strike\0`);
  const game = {
    name,
    port: socket.address().port,
    players: 3,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (_, from) => {
    const counts = Buffer.from([0, 0, game.players, PLACES, 0]);
    const head = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x49, PROTOCOL]);
    socket.send(Buffer.concat([head, texts, counts, KIND, Buffer.from('1.0\0\0')]), from.port, from.address);
  });
  return game;
}
