/**
 * The closed table of what can be found: each cause with its sentence and its one next step, for a person who runs a
 * game server. Each code of an error is a cause too, since the answer to a write may be why there is no entry. Knows no
 * entry and no request.
 */

import type { ErrorCode } from './errors.ts';

export interface FindingRow {
  /** What is the case, as a sentence without its full stop. What is known of the very case follows a colon. */
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
  expired: {
    says: 'the entry has expired, because no ping came for one TTL',
    nextStep: 'look whether the game server runs and pings at the interval that Server-Ping-Interval says',
  },
  removed: {
    says: 'the entry was removed for good: by its game server, by a moderator, or by another entry at its address',
    nextStep: 'broadcast again',
  },
  not_verified: {
    says: 'the list shows only game servers that were reached, and this one was not',
    nextStep: 'do what the reason says, and broadcast again: the next attempt then comes at once',
  },
  port_closed: {
    says: 'the port does not answer from outside',
    nextStep: 'open the port in the firewall and forward it in the router, to the machine of the game server',
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

const OF_ERRORS = {
  invalid_json: {
    says: 'the service could not read a request: its body was not valid JSON',
    nextStep: 'correct the program that sends it: the body must be a JSON object',
  },
  invalid_request: {
    says: 'the service refused what the game server says of itself',
    nextStep: 'correct the fields that are named, in the settings of the game server',
  },
  invalid_query: {
    says: 'the service refused a query',
    nextStep: 'correct the parameters that are named',
  },
  invalid_cursor: {
    says: 'the service refused the cursor of a page',
    nextStep: 'begin again without a cursor',
  },
  unauthorized: {
    says: 'the service wants a key, and the request had none or a wrong one',
    nextStep: 'ask the operator of the service for the key, and set it in the game server',
  },
  cross_site: {
    says: 'the service refused a request of a web page of another site',
    nextStep: 'ask the operator of the service to name the origin of the page in --cors-write-origin',
  },
  not_owner: {
    says: 'the entry is claimed, and the request had no Server-Token or a wrong one',
    nextStep: 'broadcast again with the header Server-Token: claim',
  },
  banned: {
    says: 'a moderator has banned this game server',
    nextStep: 'ask the operator of the service',
  },
  server_token_required: {
    says: 'the service wants a Server-Token with each ping, and there was none',
    nextStep: 'use a client that keeps the Server-Token of the answer to its broadcast',
  },
  ip_mismatch: {
    says: 'the address of the game server has changed since its broadcast',
    nextStep: 'broadcast again with the Server-Token, which keeps the id',
  },
  source_mismatch: {
    says: 'the game server announces another address than the one that it sends from',
    nextStep: 'announce "auto" as server_ip',
  },
  unknown_server: {
    says: 'the game server pings an entry that is gone',
    nextStep: 'have the game server broadcast again: restart it if it does not do so by itself',
  },
  unknown_join_code: {
    says: 'no unlisted game server has this join code',
    nextStep: 'ask for the code again: the game server may have left',
  },
  unknown_ban: { says: 'no ban has this id', nextStep: 'list the bans again' },
  not_found: {
    says: 'there is nothing at this path',
    nextStep: 'correct the URL of the service: it may have a prefix, or be another service',
  },
  method_not_allowed: {
    says: 'the path does not take this method',
    nextStep: 'use a method that the header Allow names',
  },
  not_acceptable: {
    says: 'the program takes no encoding in which the answer is ready',
    nextStep: 'accept gzip or identity in the header Accept-Encoding',
  },
  request_timeout: {
    says: 'a request did not arrive in time',
    nextStep: 'look for what makes the connection slow, and send the request again',
  },
  idempotency_key_used: {
    says: 'the game server repeats a broadcast whose entry has left the list',
    nextStep: 'broadcast with a new Idempotency-Key for each start',
  },
  too_many_bans: {
    says: 'there are as many bans as there may be',
    nextStep: 'remove bans that are no longer needed',
  },
  address_taken: {
    says: 'another entry has this host, IP and port, and it is claimed',
    nextStep: 'broadcast with the Server-Token of that entry, or wait for one TTL until it has expired',
  },
  body_too_large: {
    says: 'a request was larger than the service takes',
    nextStep: 'say less in meta',
  },
  unsupported_encoding: {
    says: 'a request was compressed, which the service does not take',
    nextStep: 'send the body without a Content-Encoding',
  },
  quota_exceeded: {
    says: 'as many game servers are listed as may be',
    nextStep: 'remove those that are not needed, or ask the operator of the service for --quota-exempt',
  },
  rate_limited: {
    says: 'this address sends more requests than the service takes',
    nextStep: 'wait as long as Retry-After says, and ping at the interval that Server-Ping-Interval says',
  },
  too_many_streams: {
    says: 'too many streams are open',
    nextStep: 'close some of them, or poll instead',
  },
  headers_too_large: {
    says: 'the headers of a request were larger than the service takes',
    nextStep: 'send fewer and shorter headers',
  },
  internal_error: {
    says: 'something went wrong in the service',
    nextStep: 'tell the operator of the service, with the X-Request-Id of the answer',
  },
  overloaded: {
    says: 'the service has more to do than it can',
    nextStep: 'try again in a minute: the game server is to go on with its pings',
  },
  shutting_down: {
    says: 'this replica of the service is about to stop',
    nextStep: 'try again: another replica answers',
  },
  registry_unavailable: {
    says: 'the service cannot reach its registry now, and shows the list as it was',
    nextStep:
      'try again in a minute: no entry is lost for it, and the game server is to go on with its pings',
  },
  http_version_not_supported: {
    says: 'a request was not HTTP/1.1',
    nextStep: 'look for a proxy in between that speaks another version',
  },
} as const satisfies Readonly<Record<ErrorCode, FindingRow>>;

export const FINDINGS = { ...OF_DOCTOR, ...OF_ERRORS } satisfies Readonly<Record<string, FindingRow>>;

/** What `POST /doctor` answers as the cause. */
export type Cause = keyof typeof FINDINGS;

export const CAUSES = Object.keys(FINDINGS) as readonly Cause[];

/** The sentence of a cause. `about`: what is known of the very case, as a part of a sentence. */
export function sentenceOf(cause: Cause, about?: string): string {
  const { says } = FINDINGS[cause];
  return about === undefined ? says : `${says}: ${about}`;
}
