/** The network of a client as a number, by which Redis counts its entries: see lua/lib/quotas.lua. */

import { hash } from 'node:crypto';
import { networkOf } from '../../model/net/ip.ts';

/** 48 bits: a score of Redis keeps whole numbers of up to 53, and two networks will hardly ever have the same 48. */
const NUMBER_HEX_DIGITS = 12;

/**
 * Returns the number of a client's network; '' if its address is not known. It allocates no object outside of the heap:
 * while much memory is there, V8 goes through the heap for up to 10 ms at each such object.
 */
export function networkNumber(client: string): string {
  if (client === '') return '';
  return String(Number.parseInt(hash('sha256', networkOf(client)).slice(0, NUMBER_HEX_DIGITS), 16));
}
