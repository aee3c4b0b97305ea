/** A server of Redis' protocol that answers as a test says: for what a real Redis or sentinel cannot be made to do. */

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { listen } from './listen.ts';

const HOST = '127.0.0.1';

/** What a command is answered: an array stands for a list of texts. */
export type Reply = string | readonly Reply[] | number;

export interface ScriptedRedis {
  readonly host: string;
  readonly port: number;
  /** How many connections were ever made. */
  readonly connections: number;
  /** Sends a message to all that have subscribed to the channel, the first one first. */
  publish(channel: string, message: string): void;
  /** How many have subscribed to the channel. */
  subscribers(channel: string): number;
  /** Ends all connections. New ones are accepted. */
  hangUp(): void;
  stop(): void;
}

export async function startScriptedRedis(
  answer: (words: readonly string[]) => Reply = () => 'OK',
): Promise<ScriptedRedis> {
  const sockets = new Set<Socket>();
  const subscribers = new Map<string, Set<Socket>>();
  let connections = 0;

  const respond = (socket: Socket, words: readonly string[]): void => {
    if (words[0]!.toLowerCase() !== 'subscribe') return void socket.write(encode(answer(words)));
    for (const [index, channel] of words.slice(1).entries()) {
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(socket));
      socket.write(encode(['subscribe', channel, index + 1]));
    }
  };

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      for (const each of subscribers.values()) each.delete(socket);
    });
    let rest: string[] = [];
    let last = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (last + text).split('\r\n');
      last = lines.pop()!;
      rest.push(...lines);
      for (;;) {
        const length = 1 + 2 * Number(rest[0]?.slice(1));
        if (!(rest.length >= length)) return;
        const words = rest.slice(1, length).filter((_, index) => index % 2 === 1);
        rest = rest.slice(length);
        respond(socket, words);
      }
    });
  });
  await listen(server, HOST, 0);

  const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    host: HOST,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    publish(channel, message) {
      for (const socket of subscribers.get(channel) ?? [])
        socket.write(encode(['message', channel, message]));
    },
    subscribers: (channel) => subscribers.get(channel)?.size ?? 0,
    hangUp,
    stop() {
      server.close();
      hangUp();
    },
  };
}

function encode(reply: Reply): string {
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encode).join('')}`;
}
