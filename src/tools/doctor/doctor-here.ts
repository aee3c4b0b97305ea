/**
 * Looks at a game server from this machine: which addresses its name has, whether they are of this machine, and whether
 * something listens there. It sends packets to this machine alone.
 */

import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { addressKindOf } from '../../model/net/address-kind.ts';
import { FINDINGS } from '../../model/findings.ts';
import { parseIp } from '../../model/net/ip.ts';

export interface CheckHere {
  readonly code: 'host' | 'host_address' | 'port_here' | 'token_file';
  readonly result: 'fine' | 'wrong' | 'unknown';
  readonly says: string;
}

export interface Here {
  /** The addresses in canonical form (parseIp); none if the name is not known. */
  readonly addresses: readonly string[];
  readonly isThisMachine: boolean;
  readonly checks: readonly CheckHere[];
}

/** Never rejects, and takes two seconds at the most. `host`: an address or a name. */
export type LookHere = (host: string, port: number) => Promise<Here>;

const LOOKUP_MS = 1500;
/** The time limit of a port: on the same machine a closed port answers at once. */
const PORT_MS = 300;

export const lookHere: LookHere = async (host, port) => {
  const { addresses, check } = await addressesOf(host);
  const own = new Set(ownAddresses());
  const isThisMachine = addresses.some((ip) => isLoopback(ip) || own.has(ip));
  const checks: CheckHere[] = check === undefined ? [] : [check];
  const [first] = addresses;
  if (isThisMachine) checks.push(await portHere(first!, port));
  else if (first !== undefined) {
    const kind = addressKindOf(first);
    if (kind !== undefined)
      checks.push({ code: 'host_address', result: 'wrong', says: `${first}: ${FINDINGS[kind].says}` });
  }
  return { addresses, isThisMachine, checks };
};

async function addressesOf(
  host: string,
): Promise<{ readonly addresses: readonly string[]; readonly check?: CheckHere }> {
  const literal = parseIp(host);
  if (literal !== undefined) return { addresses: [literal] };
  const code = 'host';
  try {
    const found = await Promise.race([
      lookup(host, { all: true, verbatim: true }),
      delay(LOOKUP_MS, undefined, { ref: false }),
    ]);
    if (found === undefined)
      return {
        addresses: [],
        check: { code, result: 'unknown', says: `no name server says what ${host} is` },
      };
    const addresses = [...new Set(found.flatMap(({ address }) => parseIp(address.replace(/%.*/, '')) ?? []))];
    return { addresses, check: { code, result: 'fine', says: `${host} is ${addresses.join(' and ')}` } };
  } catch (error) {
    const says = `the name ${host} is not known here (${(error as NodeJS.ErrnoException).code})`;
    return { addresses: [], check: { code, result: 'wrong', says } };
  }
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.flatMap(({ address }) => parseIp(address.replace(/%.*/, '')) ?? []),
  );
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

async function portHere(ip: string, port: number): Promise<CheckHere> {
  const code = 'port_here';
  const [tcp, refusesByUdp] = await Promise.all([tryTcp(ip, port), refusesUdp(ip, port)]);
  if (tcp === 'taken')
    return { code, result: 'fine', says: `something on this machine takes TCP connections at ${port}` };
  if (!refusesByUdp)
    return { code, result: 'fine', says: `something on this machine may listen at UDP ${port}` };
  return tcp === 'refused'
    ? { code, result: 'wrong', says: `nothing on this machine listens at ${ip} port ${port}` }
    : { code, result: 'unknown', says: `a firewall on this machine drops TCP at ${ip} port ${port}` };
}

/** `silent`: a firewall, since on the same machine every port answers. */
function tryTcp(ip: string, port: number): Promise<'taken' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port, timeout: PORT_MS });
    const settle = (outcome: 'taken' | 'refused' | 'silent'): void => {
      socket.destroy();
      resolve(outcome);
    };
    socket.on('connect', () => settle('taken'));
    socket.on('timeout', () => settle('silent'));
    socket.on('error', () => settle('refused'));
  });
}

/** Whether this machine says that nobody has the port: by the answer of its kernel to an empty datagram. */
function refusesUdp(ip: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4');
    const settle = (does: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(does);
    };
    const timer = setTimeout(() => settle(false), PORT_MS);
    socket.on('error', () => settle(true));
    socket.connect(port, ip, () => socket.send(''));
  });
}
