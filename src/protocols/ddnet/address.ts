/**
 * Addresses of Teeworlds servers, as in `tw-0.6+udp://192.0.2.1:8303`: which ones the master server of DDNet accepts,
 * and the order in which it lists them (ddnet/ddnet, src/mastersrv/src/addr.rs).
 */

import { addressOf } from '../../model/address-of.ts';
import { groupsOf, parseIp, type IpAddress } from '../../model/net/ip.ts';

/** The schemes of the protocol's versions, the oldest first. */
const SCHEMES = ['tw-0.5+udp', 'tw-0.6+udp', 'tw-0.7+udp'] as const;

/** The host that stands for the address from which the request came. */
const HOST_OF_SENDER = 'connecting-address.invalid';

/** An address as register.cpp sends it. Other texts are parsed as URLs. */
const USUAL = /^(tw-0\.[567]\+udp):\/\/connecting-address\.invalid:([1-9]\d{0,4})$/;

export interface GameAddress {
  readonly scheme: (typeof SCHEMES)[number];
  readonly ip: IpAddress;
  readonly port: number;
}

/** An address that still lacks the IP of the sender. */
export type RegisteredAddress = Omit<GameAddress, 'ip'>;

/** The address in a header, or the reason why it is none, in the words of the original. */
export function parseRegisteredAddress(text: string): RegisteredAddress | string {
  const [, usual, digits] = USUAL.exec(text) ?? [];
  if (usual !== undefined && Number(digits) <= 65_535)
    return registeredAddressOf(usual as GameAddress['scheme'], digits!);
  if (!URL.canParse(text)) return 'URL parse error: relative URL without a base';
  const { protocol, hostname, port } = new URL(text);
  const scheme = SCHEMES.find((each) => `${each}:` === protocol);
  if (scheme === undefined)
    return `protocol parse error: protocol must be one of ${SCHEMES[0]}, ${SCHEMES[1]} or ${SCHEMES[2]}`;
  if (hostname !== HOST_OF_SENDER) return `register address must have domain ${HOST_OF_SENDER}`;
  if (port === '') return 'register address must specify port';
  return port === '0' ? "register port can't be 0" : registeredAddressOf(scheme, port);
}

function registeredAddressOf(scheme: GameAddress['scheme'], port: string): RegisteredAddress {
  return { scheme, port: Number(port) };
}

/** The link by which a game server is listed: one text for each address. */
export function linkOf({ scheme, ip, port }: GameAddress): string {
  return `${scheme}://${addressOf(ip, port)}`;
}

/** Undefined for a text that linkOf() did not make. */
export function parseLink(link: string): GameAddress | undefined {
  const [, scheme, host, port] = /^(tw-0\.[567]\+udp):\/\/(.+):(\d{1,5})$/.exec(link) ?? [];
  const ip = parseIp(host?.replace(/^\[(.*)\]$/, '$1') ?? '');
  if (ip === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  const address = { scheme: scheme as GameAddress['scheme'], ip, port: Number(port) };
  return linkOf(address) === link ? address : undefined;
}

/**
 * A text by which addresses sort in the order of the original: IPv4 before IPv6, then by the numbers of the address,
 * the port, and the age of the protocol.
 */
export function orderOf({ scheme, ip, port }: GameAddress): string {
  const groups = groupsOf(ip);
  const numbers = [groups.length, ...groups, port, SCHEMES.indexOf(scheme)];
  return numbers.map((number) => number.toString(16).padStart(4, '0')).join('');
}
