/** Whether a host is this machine or in a private network, by all the addresses that its name has. */

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const PRIVATE = new BlockList();
// Loopback, private use (RFC 1918) and link-local; loopback, link-local and unique local (RFC 4193).
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fe80::', 10],
  ['fc00::', 7],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6');

/** `host`: a name or an address, of IPv6 without brackets. A name that is not known is an Error of one line. */
export async function isPrivateHost(host: string): Promise<boolean> {
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  return addresses.every((address) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`the name ${host} is not known (${code})`, { cause: error });
  }
}
