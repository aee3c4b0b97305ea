/**
 * The rule for targets that may be probed at all. The client gets the outcome of a probe in words, so without a rule
 * any client could have any machine probed.
 */

import type { ProbeTarget } from './probe-result.ts';

/** Why a target is not probed, with one line of printable ASCII for the person who runs the game server. */
export interface ProbeRefusal {
  readonly reason: 'well_known_port' | 'special_address' | 'other_address' | 'too_many';
  readonly words: string;
}

/** Undefined if the target may be probed for the client that announced it. Both addresses are canonical (parseIp). */
export type ProbeRule = (target: ProbeTarget, clientAddress: string) => ProbeRefusal | undefined;

/**
 * The lowest port that is probed, but for WEB_PORTS: no game server needs the ports of mail, names and logins below it,
 * and a probe would annoy their operators.
 */
const LOWEST_PORT = 1024;
/** The ports of game servers in browsers. */
const WEB_PORTS = [80, 443];

export interface NetworksToProbe {
  /** Whether the operator names the address as one to probe, whichever client announces it. */
  readonly isNamed: (ip: string) => boolean;
  /** Whether the address is globally routable: not private, loopback, link local, multicast or reserved. */
  readonly isPublic: (ip: string) => boolean;
}

/** Allows the client's own address if it is public, and the addresses that the operator names. */
export function createProbeRule({ isNamed, isPublic }: NetworksToProbe): ProbeRule {
  return ({ ip, port }, clientAddress) => {
    if (port < LOWEST_PORT && !WEB_PORTS.includes(port))
      return {
        reason: 'well_known_port',
        words: `port ${port} is not tried: of the ports below ${LOWEST_PORT} only ${WEB_PORTS.join(' and ')} are`,
      };
    if (isNamed(ip)) return undefined;
    if (!isPublic(ip))
      return { reason: 'special_address', words: `${ip} is not tried: it is not a public address` };
    if (ip !== clientAddress)
      return {
        reason: 'other_address',
        words: `${ip} is not tried: the request came from ${clientAddress || 'another address'}`,
      };
    return undefined;
  };
}
