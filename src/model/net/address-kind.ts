/** The kinds of addresses that players on the internet cannot reach, as far as the address itself shows that. */

import { whyUnreachable } from './public-address.ts';
import { groupsOf } from './ip.ts';
import { contains, parseNetwork } from './networks.ts';

/** The networks of Docker's bridges by default, except for those in 192.168.0.0/16. */
const DOCKER = ['172.17.0.0/16', '172.18.0.0/15', '172.20.0.0/14', '172.24.0.0/13'].map(parseNetwork);

/** RFC 6598. */
const CARRIER_NAT = parseNetwork('100.64.0.0/10');

export type AddressKind = 'docker_bridge_address' | 'carrier_nat_address' | 'private_address';

/** Undefined for a public address. The address must be canonical (parseIp). */
export function addressKindOf(ip: string): AddressKind | undefined {
  const groups = groupsOf(ip);
  if (DOCKER.some((network) => contains(network, groups))) return 'docker_bridge_address';
  if (contains(CARRIER_NAT, groups)) return 'carrier_nat_address';
  return whyUnreachable(ip) === undefined ? undefined : 'private_address';
}

export function isOtherFamily(one: string, other: string): boolean {
  return one.includes(':') !== other.includes(':');
}
