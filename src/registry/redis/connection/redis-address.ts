/** The address of a Redis and its login, for a single Redis, for sentinels and for a Cluster. */

import { addressOf } from '../../../model/address-of.ts';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface RedisTls {
  /** The trusted certificates, as PEM, instead of Node's own. */
  readonly ca?: string;
  /** The name that the certificate must have, instead of the host. */
  readonly serverName?: string;
}

interface Access {
  /** The number of the database; 0 in a Cluster. */
  readonly database: number;
  readonly username?: string;
  readonly password?: string;
  /** Absent for plain text. The connections to sentinels use it, too. */
  readonly tls?: RedisTls;
}

export interface StandaloneAddress extends HostAndPort, Access {
  readonly kind: 'standalone';
}

export interface SentinelAddress extends Access {
  readonly kind: 'sentinel';
  readonly sentinels: readonly HostAndPort[];
  readonly masterName: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

export interface ClusterAddress extends Access {
  readonly kind: 'cluster';
  /** Some of the nodes, which know the others. */
  readonly nodes: readonly HostAndPort[];
}

export type RedisAddress = StandaloneAddress | SentinelAddress | ClusterAddress;

/** Describes the address for logs, without secrets. */
export function describeAddress(address: RedisAddress): string {
  if (address.kind === 'standalone') return describeHosts([address]);
  if (address.kind === 'cluster') return `the Cluster of ${describeHosts(address.nodes)}`;
  return `${address.masterName} of the sentinels ${describeHosts(address.sentinels)}`;
}

/** Joins the hosts as `host:port`, separated by commas. */
export function describeHosts(hosts: readonly HostAndPort[]): string {
  return hosts.map(({ host, port }) => addressOf(host, port)).join(', ');
}
