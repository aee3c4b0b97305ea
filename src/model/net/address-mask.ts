/** How much of a client's address may be written, in logs and elsewhere. */

import { parseIp } from './ip.ts';

export const ADDRESS_DETAILS = ['full', 'masked', 'none'] as const;

/** `full`: the address. `masked`: only its network. `none`: nothing. */
export type AddressDetail = (typeof ADDRESS_DETAILS)[number];

/** Masks a canonical address (parseIp). Undefined if it may not be written, or if there is none (also for ''). */
export type AddressMask = (address: string | undefined) => string | undefined;

export function createAddressMask(detail: AddressDetail): AddressMask {
  if (detail === 'none') return () => undefined;
  const shown = detail === 'full' ? String : maskAddress;
  return (address) => (address === undefined || address === '' ? undefined : shown(address));
}

/** Masks the addresses in a text: of a client, or of its game server, which often is the same machine. */
export type TextMask = (text: string) => string;

/** The text that replaces an address that may not be written. */
const NO_ADDRESS = '(address)';

export function createTextMask(detail: AddressDetail): TextMask {
  if (detail === 'full') return (text) => text;
  const mask = createAddressMask(detail);
  return (text) =>
    text.replaceAll(/[\da-f:.]{2,}/gi, (word) => {
      for (const end of ADDRESS_ENDS) {
        const written = word.replace(end, '');
        const address = parseIp(written);
        if (address !== undefined) return (mask(address) ?? NO_ADDRESS) + word.slice(written.length);
      }
      return word;
    });
}

/** The text that may follow an address: nothing, the end of a sentence or clause, or a port. */
const ADDRESS_ENDS = [/^$/, /[.:]$/, /:\d+[.:]?$/];

/**
 * The network of a canonical address (parseIp), large enough to name no household: the /24 of IPv4, as in
 * `203.0.113.0/24`, and the /48 of IPv6, as in `2001:db8:1::/48`.
 */
export function maskAddress(address: string): string {
  if (!address.includes(':')) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  const [head] = address.split('::') as [string];
  const written = head.split(':').filter((group) => group !== '');
  const [a, b, c] = [...written, '0', '0', '0'];
  return `${parseIp(`${a}:${b}:${c}::`)}/48`;
}
