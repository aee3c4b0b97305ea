/**
 * The closed table of the errors that clients see, with all that is said of each: to programs, to the person who runs a
 * game server, and to the author of a client. Clients match on the code. Knows the status numbers of HTTP and nothing
 * else of it, and nothing of the registry.
 */

import { HTTP_ERRORS, type ErrorRow } from './http-errors.ts';

export const ERRORS = {
  ...HTTP_ERRORS,
  invalid_request: {
    status: 400,
    message: 'the request is invalid',
    says: 'the service refused what the game server says of itself',
    nextStep: 'correct the fields that are named, in the settings of the game server',
    forClients: '`details` names each wrong field. Do not repeat the request as it is.',
  },
  invalid_query: {
    status: 400,
    message: 'the query is invalid',
    says: 'the service refused a query',
    nextStep: 'correct the parameters that are named',
    forClients: '`details` names each wrong parameter: [the parameters](../find.md#find-servers).',
  },
  invalid_cursor: {
    status: 400,
    message: 'this cursor is not one of this query: begin again without it, with the same sort throughout',
    says: 'the service refused the cursor of a page',
    nextStep: 'begin again without a cursor',
  },
  unauthorized: {
    status: 401,
    message: 'a valid key is needed in the Authorization header',
    says: 'the service wants a key, and the request had none or a wrong one',
    nextStep: 'ask the operator of the service for the key, and set it in the game server',
    forClients:
      'Try again in minutes, not seconds. Operators: [401](../troubleshoot.md#401-unauthorized-403-not_allowed).',
  },
  not_allowed: {
    status: 403,
    message: 'this key is not allowed to do this',
    says: 'the key of the request may not do what it asks for, or not here',
    nextStep: 'ask the operator of the service for a key that may, and set it in the game server',
    forClients:
      'The text of the answer names the scope that the key lacks. Operators: [403](../troubleshoot.md#401-unauthorized-403-not_allowed).',
  },
  cross_site: {
    status: 403,
    message: 'a web page of another site may not send this',
    says: 'the service refused a request of a web page of another site',
    nextStep: 'ask the operator of the service to name the origin of the page in --cors-write-origin',
    forClients:
      'A browser has sent this: programs never get it. The page may be a [game in a browser](../api.md#games-in-a-browser).',
  },
  not_owner: {
    status: 403,
    message:
      'this entry is claimed: send its Server-Token, which the answer to its broadcast has, or broadcast anew',
    says: 'the entry is claimed, and the request had no Server-Token or a wrong one',
    nextStep: 'restart the game server: its program has to broadcast with the header Server-Token: claim',
    forClients:
      'Or send the token of the answer to the broadcast. Operators: [403 `not_owner`](../troubleshoot.md#403-not_owner).',
  },
  banned: {
    status: 403,
    message: 'banned',
    says: 'a moderator has banned this game server',
    nextStep: 'ask the operator of the service',
    forClients:
      'The text of the answer says why: show it to the person who runs the game server. Do not repeat the request.',
  },
  server_token_required: {
    status: 403,
    message:
      'this service needs a Server-Token: broadcast again, and send the one of the answer with each ping and remove',
    says: 'the service wants a Server-Token with each ping, and there was none',
    nextStep: 'use a client that keeps the Server-Token of the answer to its broadcast',
    forClients:
      'Broadcast again, and send the token of the answer. A service with `--require-server-token` answers so, and every service to a remove with `keep_id` and no token.',
  },
  ip_mismatch: {
    status: 403,
    message:
      'server_ip is not the IP this server_id was registered with: if the address of the game server has changed, broadcast with your Server-Token, which keeps the id',
    says: 'the address of the game server has changed since its broadcast',
    nextStep: 'broadcast again with the Server-Token, which keeps the id',
    forClients:
      'Or send the IP with which the id was registered. Or broadcast without a token, as a new game server.',
  },
  source_mismatch: {
    status: 403,
    message: 'server_ip is not the address the request came from',
    says: 'the game server announces another address than the one that it sends from',
    nextStep: 'announce "auto" as server_ip',
  },
  read_only: {
    status: 403,
    message: 'this is a mirror, which only hands out the list: send this to one of its origins',
    says: 'the service is a mirror, which only hands out the list of others',
    nextStep: 'give the game server the address of one of the origins',
    forClients:
      'The text and the header `Link` name the [origins](../regions.md). Do not repeat the request.',
  },
  unknown_server: {
    status: 404,
    message: 'no server is registered under this server_id: broadcast again',
    says: 'the game server pings an entry that is gone',
    nextStep: 'have the game server broadcast again: restart it if it does not do so by itself',
    forClients: 'Broadcast after a random delay, and use the new id.',
  },
  unknown_join_code: {
    status: 404,
    message: 'no server has this join code: it may have left',
    says: 'no unlisted game server has this join code',
    nextStep: 'ask for the code again: the game server may have left',
  },
  unknown_ban: {
    status: 404,
    message: 'no ban has this id',
    says: 'no ban has this id',
    nextStep: 'list the bans again',
  },
  unknown_label: {
    status: 404,
    message: 'no label was given under this id',
    says: 'no label was given under this id',
    nextStep: 'list the labels again',
  },
  unknown_registry: {
    status: 404,
    message: 'there is no registry at this address: check the address with whoever runs the service',
    says: 'there is no registry at this address',
    nextStep: 'check the address with whoever runs the service: the path or the host of the game is wrong',
  },
  idempotency_key_used: {
    status: 409,
    message: 'the game server of this Idempotency-Key has left the list: broadcast with a new key',
    says: 'the game server repeats a broadcast whose entry has left the list',
    nextStep: 'broadcast with a new Idempotency-Key for each start',
  },
  too_many_bans: {
    status: 409,
    message: 'there are 10000 bans, and no more are possible: remove some that are no longer needed',
    says: 'there are as many bans as there may be',
    nextStep: 'remove bans that are no longer needed',
    forClients: 'There may be 10,000. One with a glob or a network replaces many.',
  },
  too_many_labels: {
    status: 409,
    message: 'labels are given by 10000 rules, and no more are possible: take back some that are not needed',
    says: 'labels are given by as many rules as there may be',
    nextStep: 'take back labels that are no longer needed',
    forClients: 'There may be 10,000 rules. One with a glob or a network replaces many.',
  },
  address_taken: {
    status: 409,
    message: 'another entry has this host, IP and port, and it is claimed',
    says: 'another entry has this host, IP and port, and it is claimed',
    nextStep:
      'give each game server a port of its own; after a restart send the Server-Token of the entry, or wait for one TTL',
    forClients:
      'Only a service with `--unique-address` answers so. `Retry-After` says when the entry will have expired.',
  },
  quota_exceeded: {
    status: 429,
    message: 'too many servers are listed already',
    says: 'as many game servers are listed as may be',
    nextStep: 'remove those that are not needed, or ask the operator of the service for --quota-exempt',
    forClients:
      'The limit holds for all game servers, or for those of one address. Try again with growing pauses.',
  },
  rate_limited: {
    status: 429,
    message: 'too many requests of this kind from this address: wait as long as Retry-After says',
    says: 'this address sends more requests than the service takes',
    nextStep: 'wait as long as Retry-After says, and ping at the interval that Server-Ping-Interval says',
  },
  too_many_streams: {
    status: 429,
    message: 'too many streams are open: try again later, or poll',
    says: 'too many streams are open',
    nextStep: 'close some of them, or poll instead',
    forClients:
      'This replica, or your address, has as many as it may have. Try again after `Retry-After` seconds.',
  },
  overloaded: {
    status: 503,
    message: 'this replica has more to do than it can: try again later',
    says: 'the service has more to do than it can',
    nextStep: 'try again in a minute: the game server is to go on with its pings',
    forClients: 'Keep the id, and send the same request again after `Retry-After` seconds.',
  },
  shutting_down: {
    status: 503,
    message: 'this replica is about to stop: ask another one',
    says: 'this replica of the service is about to stop',
    nextStep: 'try again: another replica answers',
    forClients:
      'Only a health check and a new stream get this. A load balancer sends requests to the others.',
  },
  registry_unavailable: {
    status: 503,
    message: 'the registry cannot be reached right now: try again later',
    says: 'the registry takes no writes now, and the list may not be current',
    nextStep:
      'try again in a minute: no entry is lost for it, and the game server is to go on with its pings',
    forClients:
      'Keep the id, and send the same request again after `Retry-After` seconds. Do not broadcast anew because of it.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
