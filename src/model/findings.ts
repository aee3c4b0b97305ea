/**
 * The closed table of what the doctor can find: each cause with its sentence and its one next step, for a person who
 * runs a game server. Each error is a cause too, since the answer to a write may be why there is no entry. Knows no
 * entry and no request.
 */

import { ERRORS, type ErrorCode } from './errors.ts';

export interface FindingRow {
  /** The sentence that names the case, without its full stop. What is known of the very case follows a colon. */
  readonly says: string;
  /** The one next step, likewise. */
  readonly nextStep: string;
}

const OF_DOCTOR = {
  listed: {
    says: 'the list shows this game server',
    nextStep: 'nothing has to be done: if players do not see it, look at their filters',
  },
  unknown: {
    says: 'no game server at this address and port is known: it has not broadcast, or it has left the list',
    nextStep: 'start the game server and look in its log for the answer to its broadcast',
  },
  other_port: {
    says: 'no game server at this address and port is known, but others from your address are',
    nextStep:
      'if one of them is yours, correct its port or your question; else start the game server and look in its log',
  },
  other_ip: {
    says: 'the game server announces another address than the one that you ask about',
    nextStep: 'announce "auto" as server_ip, or the address by which players reach the game server',
  },
  expired: {
    says: 'the entry has expired, because no ping came for one TTL',
    nextStep: 'look whether the game server runs and pings at the interval that Server-Ping-Interval says',
  },
  parked: {
    says: 'its game server has left, and keeps its id',
    nextStep: 'start the game server: with its Server-Token it comes back under its id',
  },
  removed: {
    says: 'the entry was removed for good: by its game server, by a moderator, or by another entry at its address',
    nextStep: 'restart the game server, so that it broadcasts again',
  },
  not_verified: {
    says: 'the list shows only game servers that were reached, and this one was not',
    nextStep: 'do what the reason says, and restart the game server: a broadcast is tried at once',
  },
  not_listening: {
    says: 'nothing listens at the port',
    nextStep:
      'start the game server, let it listen on all addresses and not on 127.0.0.1, and check the port',
  },
  port_closed: {
    says: 'a firewall or a router keeps the port closed',
    nextStep: 'open the port in the firewall and forward it in the router, to the machine of the game server',
  },
  no_route: {
    says: 'the service cannot get to the address',
    nextStep: 'announce "auto" as server_ip, or an IPv4 address: the service may have no IPv6',
  },
  other_protocol: {
    says: 'the port is not the one that the service asks',
    nextStep:
      'announce the port that answers: the query port of the game server, or its HTTP port without TLS',
  },
  unlisted: {
    says: 'the entry is unlisted: no list shows it, and players find it by its join code',
    nextStep: 'give players the join code, or broadcast again without "unlisted"',
  },
  quota_all: {
    says: 'the service lists as many game servers as it may',
    nextStep: 'ask the operator of the service to raise --max-servers',
  },
  quota_address: {
    says: 'as many game servers of this address are listed as may be',
    nextStep: 'ask the operator of the service to name the address in --quota-exempt',
  },
  wrong_ip_family: {
    says: 'one address is IPv4 and the other is IPv6, and the service sees two machines',
    nextStep: 'connect to the service by the kind of address that the game server announces',
  },
  private_address: {
    says: 'the address is one of a private network, which players on the internet cannot reach',
    nextStep: 'announce the public address, or "auto", and forward the port in the router',
  },
  carrier_nat_address: {
    says: 'the address is shared by many clients of an internet provider (carrier-grade NAT)',
    nextStep:
      'ask the provider for a public address, use IPv6, or run the game server on a machine that has one',
  },
  docker_bridge_address: {
    says: 'the address is one of a Docker bridge, which exists inside one machine only',
    nextStep:
      'announce the public address of the machine instead, or run the container with network_mode: host',
  },
  other_address: {
    says: 'only the address that you ask from is looked at, and the question is about another one',
    nextStep: 'ask on the machine of the game server, or with its Server-Token',
  },
  proxy_not_trusted: {
    says: 'a proxy in front of the service hides your address',
    nextStep: 'ask the operator of the service to name the proxy in --trust-proxy',
  },
} as const satisfies Readonly<Record<string, FindingRow>>;

/** A cause that is no error. */
export type Finding = keyof typeof OF_DOCTOR;

export const FINDINGS = { ...OF_DOCTOR, ...ERRORS } satisfies Readonly<Record<string, FindingRow>>;

/** A cause that `POST /doctor` answers. */
export type Cause = keyof typeof FINDINGS;

export const CAUSES = Object.keys(FINDINGS) as readonly Cause[];

/** The sentence of a cause. `about`: what is known of the very case, as a part of a sentence. */
export function sentenceOf(cause: Cause, about?: string): string {
  const { says } = FINDINGS[cause];
  return about === undefined || about === '' ? says : `${says}: ${about}`;
}

/** What the text of an error says of the very case, beyond the text of the table; undefined if nothing. */
export function detailOf(code: ErrorCode, text: string): string | undefined {
  const { message } = ERRORS[code];
  if (text === message) return undefined;
  return text.startsWith(`${message}: `) ? text.slice(message.length + 2) : text;
}
