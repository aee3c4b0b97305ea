/** The game servers, or the readers, in a process of its own, told over IPC what to do. One answer for each order. */

import type { GameServersOptions } from './game-servers-report.ts';
import { GameServers } from './game-servers.ts';
import { Readers, type ReadersOptions } from './readers.ts';

export type LoadOrder =
  | { readonly order: 'game-servers'; readonly options: GameServersOptions }
  | { readonly order: 'readers'; readonly options: ReadersOptions }
  | { readonly order: 'start'; readonly end: number; readonly withinMs?: number }
  | { readonly order: 'ping-all'; readonly withinMs: number }
  | { readonly order: 'silence'; readonly share: number }
  | { readonly order: 'ids' }
  | { readonly order: 'report' };

let gameServers: GameServers | undefined;
let readers: Readers | undefined;

process.on('message', (order: LoadOrder) => process.send!(carryOut(order)));
// Ends with the process that started it, however that ended.
process.on('disconnect', () => process.exit());

function carryOut(order: LoadOrder): unknown {
  switch (order.order) {
    case 'game-servers':
      gameServers = new GameServers(order.options);
      return 'ready';
    case 'readers':
      readers = new Readers(order.options);
      return 'ready';
    case 'start':
      gameServers!.start(order.end, order.withinMs);
      return 'started';
    case 'ping-all':
      gameServers!.pingAllWithin(order.withinMs);
      return 'scheduled';
    case 'silence':
      return gameServers!.silence(order.share);
    case 'ids':
      return gameServers!.livingIds();
    case 'report':
      return (gameServers ?? readers)!.report();
    default:
      throw new Error(`an unknown order: ${JSON.stringify(order)}`);
  }
}
