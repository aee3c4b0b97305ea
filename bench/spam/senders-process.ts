/** Senders in a process of their own, told over IPC what to do. One answer for each order. */

import { Senders, type SendersOptions } from './senders.ts';

export type SendersOrder =
  | { readonly order: 'begin'; readonly options: SendersOptions }
  | { readonly order: 'broadcast'; readonly count: number }
  | { readonly order: 'report' };

let senders: Senders | undefined;

process.on('message', (order: SendersOrder) => process.send!(carryOut(order)));
// Ends with the process that started it, however that ended.
process.on('disconnect', () => process.exit());

function carryOut(order: SendersOrder): unknown {
  if (order.order === 'begin') senders = new Senders(order.options);
  else if (order.order === 'broadcast') senders!.broadcast(order.count);
  return order.order === 'report' ? senders!.report() : 'done';
}
