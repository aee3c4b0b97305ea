/** The network of a client as a number, by which Redis counts its entries: see lua/lib/quotas.lua. */

import { hash } from 'node:crypto';
import { networkOf } from '../../model/net/ip.ts';

/** Redis keeps whole numbers of up to 53 bits in a score. That two networks have one number is not to be expected. */
const NUMBER_HEX_DIGITS = 12;

/**
 * '' if the address is not known. Makes no object outside of the heap: while much memory is there, V8 goes through the
 * heap for up to 10 ms at each.
 */
export function networkNumber(client: string): string {
  if (client === '') return '';
  return String(Number.parseInt(hash('sha256', networkOf(client)).slice(0, NUMBER_HEX_DIGITS), 16));
}
