/** The network of a client as a number, by which Redis counts its entries: see lua/lib/quotas.lua. */

import { createHash } from 'node:crypto';
import { networkOf } from '../ip.ts';

/** Redis keeps whole numbers of up to 53 bits in a score. That two networks have one number is not to be expected. */
const NUMBER_BYTES = 6;

/** '' if the address is not known. */
export function networkNumber(client: string): string {
  if (client === '') return '';
  return String(createHash('sha256').update(networkOf(client)).digest().readUIntBE(0, NUMBER_BYTES));
}
