/** Headers of the PROXY protocol, version 2, as a proxy that passes TCP sends them. */

import { isIPv6 } from 'node:net';
import { groupsOf } from '../../src/model/net/ip.ts';

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** A header of these bytes after the signature; its length is that of the rest, unless told otherwise. */
export function rawProxyHeader(command: number, family: number, rest: Buffer, length = rest.length): Buffer {
  return Buffer.concat([SIGNATURE, Buffer.from([command, family, length >> 8, length & 255]), rest]);
}

/** The header for a client at this address. `more`: what a proxy appends, such as the name that TLS was asked for. */
export function proxyHeader(client: string, more = Buffer.alloc(0)): Buffer {
  const proxy = isIPv6(client) ? '2001:db8::1' : '10.0.0.1';
  const addresses = [client, proxy].map(bytesOf);
  const family = isIPv6(client) ? 0x21 : 0x11;
  return rawProxyHeader(0x21, family, Buffer.concat([...addresses, Buffer.from([200, 10, 1, 187]), more]));
}

function bytesOf(ip: string): Buffer {
  const mapped = /^::ffff:([\d.]+)$/.exec(ip)?.[1];
  if (mapped !== undefined)
    return Buffer.concat([Buffer.alloc(10), Buffer.from([255, 255]), bytesOf(mapped)]);
  return Buffer.from(groupsOf(ip).flatMap((group) => [group >> 8, group & 255]));
}
