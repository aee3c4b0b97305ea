/**
 * What each endpoint does: it validates the fields, asks the registry and makes an Answer. Bodies are those of the
 * specification to the byte; all further information goes into headers. Knows neither Koa nor sockets.
 */

import { ServiceError } from '../errors.ts';
import { Pages } from '../find/pages.ts';
import type { OnQuery } from '../find/query-matches.ts';
import type { Turns } from '../work/turns.ts';
import {
  createGameServerId,
  deriveGameServerId,
  isUnlisted,
  type GameServer,
  type GameServerId,
} from '../registry/game-server.ts';
import { joinCodeOf } from '../registry/join-code.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type {
  AddressTaken,
  BroadcastOutcome,
  Caller,
  PingOutcome,
  QuotaExceeded,
  Registry,
  RemoveOutcome,
} from '../registry/registry.ts';
import { createUnlistedId, deriveUnlistedId, formerUnlistedId } from '../registry/unlisted-id.ts';
import { jsonAnswer, withHeaders, type Answer } from '../http/answer.ts';
import { createBrowse, type PageOptions } from '../browse/browse.ts';
import { CurrentList, type CurrentListOptions } from '../http/current-list.ts';
import type { Endpoint, EndpointRequest } from '../http/endpoint.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { createList, type OnRendered } from '../lists/list.ts';
import { createReaders } from '../http/readers.ts';
import type { EndpointsByKind } from '../http/request-kinds.ts';
import type { ServerTokens } from './server-token.ts';
import type { Streams } from '../feed/streams.ts';
import type { Verification } from '../http/verification.ts';
import { createSourceRules, resolveAuto, type SourceRulesOptions } from './source-rules.ts';
import { isVisible } from '../http/checks/text-rules.ts';
import { createPingParser, parseBroadcast, parseRemove, type DetailsRule } from './validation.ts';

export interface EndpointsOptions extends CurrentListOptions, SourceRulesOptions {
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly tokens: ServerTokens;
  /** Undefined if it is not checked whether game servers can be reached. */
  readonly verification?: Verification | undefined;
  /** Whether a ping or a remove without a server token is refused. */
  readonly requireServerToken: boolean;
  /** Whether a broadcast may say that its entry is unlisted. */
  readonly allowUnlisted: boolean;
  /** What is asked of details beyond their own rules. */
  readonly detailsRule?: DetailsRule | undefined;
  /** What is told of the reading of the list. */
  readonly reads?: { readonly onRendered: OnRendered; readonly onQuery: OnQuery };
  readonly streams: Pick<Streams, 'open'>;
  /** Of all work of this process. */
  readonly turns: Turns;
  /** Undefined if there is no page for people. */
  readonly page?: PageOptions | undefined;
  /** Aborted when this replica begins to shut down. */
  readonly stopping?: AbortSignal | undefined;
}

export type Endpoints = EndpointsByKind & Readonly<Record<'health', Endpoint>>;

const SUCCESS = { status: 'success' };

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { registry, lifetime, tokens, verification, requireServerToken, allowUnlisted, now } = options;
  const { reads, stopping, page, turns } = options;
  const lifetimeHeaders = {
    'Server-TTL': String(Math.floor(lifetime.ttlMs / 1000)),
    'Server-Ping-Interval': String(Math.floor(lifetime.pingIntervalMs / 1000)),
  };

  const currentList = new CurrentList(options);
  const reading = { ...options, currentList, pages: new Pages(turns, reads?.onQuery) };
  const pinged = jsonAnswer(SUCCESS, lifetimeHeaders);
  const { checkGameServer, checkSource, addressesRule } = createSourceRules(options);
  const detailsRule = bothRules(options.detailsRule, addressesRule);
  const parsePing = createPingParser(detailsRule, (id) => registry.known(id)?.details);

  function broadcasted(id: GameServerId): Answer {
    return jsonAnswer(
      { ...SUCCESS, server_id: id },
      {
        ...lifetimeHeaders,
        'Server-Token': tokens.issue(id),
        ...(isUnlisted(id) && { 'Server-Join-Code': joinCodeOf(id) }),
      },
    );
  }

  /** The answer, with a header that says whether the game server could be reached. */
  function verified(answer: Answer, ...about: Parameters<Verification>): Answer {
    if (verification === undefined) return answer;
    return withHeaders(answer, { 'Server-Verification': verification(...about) });
  }

  /** The client of a request about this entry. */
  function callerOf(id: GameServerId, { headers, client }: EndpointRequest): Caller {
    const proof = tokens.proofFor(id, headers);
    if (proof === 'none' && requireServerToken) throw new ServiceError('server_token_required');
    return { address: client.address, proof };
  }

  function unlistedIdOf(key: string | undefined, gameServer: GameServer): GameServerId {
    if (key === undefined) return createUnlistedId();
    const { secret } = registry;
    if (secret === undefined) throw new ServiceError('registry_unavailable');
    return deriveUnlistedId(key, gameServer, secret);
  }

  function refuseBanned(id: GameServerId, gameServer: GameServer, client: string): void {
    const { ip, host, name, details } = gameServer;
    const ban = registry.findBan({ id, client, ip, host, name, ...(details && { details }) });
    if (ban?.mode === 'refuse') throw new ServiceError('banned', { message: `banned: ${ban.reason}` });
  }

  /** A host or name that is listed already stays valid, although newer rules would refuse it. */
  async function isListedWith(id: GameServerId, { host, name }: GameServer): Promise<boolean> {
    const { staleSince } = await registry.list();
    const listed = registry.known(id);
    if (listed === undefined && staleSince !== undefined) throw new ServiceError('registry_unavailable');
    return (
      listed !== undefined &&
      (host === listed.host || isVisible(host)) &&
      (name === listed.name || isVisible(name))
    );
  }

  return {
    async broadcast(request) {
      const { headers, client } = request;
      const { address } = client;
      const { gameServer, unlisted } = parseBroadcast(resolveAuto(request), detailsRule);
      if (unlisted === true && !allowUnlisted) throw unlistedNotAllowed();
      checkGameServer(gameServer.ip, request);
      const intent = tokens.intentOf(headers);
      const former = typeof intent === 'object' ? intent : undefined;
      const wasUnlisted = former !== undefined && isUnlisted(former.id);
      // The id of an unlisted entry says that it is: one that is to be listed, or no longer, gets another id.
      const needsOtherId = former !== undefined && (unlisted ?? wasUnlisted) !== wasUnlisted;
      if (former !== undefined) refuseBanned(former.id, gameServer, address);
      if (former !== undefined && !needsOtherId) {
        const { id, proof } = former;
        const outcome = await registry.rebroadcast(id, gameServer, { address, proof });
        if (outcome !== 'unknown') {
          requireSuccess(outcome, proof);
          return verified(broadcasted(id), id, gameServer, client, true);
        }
      }
      const key = parseIdempotencyKey(headers);
      const proof = intent === 'none' ? 'none' : 'token';
      const predecessor = needsOtherId ? former : undefined;
      const enter = async (id: GameServerId): Promise<Answer | undefined> => {
        refuseBanned(id, gameServer, address);
        // A replica that knows no secret yet must not list what it cannot answer for.
        const answer = broadcasted(id);
        const outcome = await registry.broadcast(id, gameServer, { address, proof }, predecessor);
        if (outcome === 'outdated_id') return undefined;
        requireSuccess(outcome, former?.proof ?? proof);
        return verified(answer, id, gameServer, client, true);
      };
      const id = key === undefined ? createGameServerId() : deriveGameServerId(key, gameServer);
      if (unlisted !== true) return (await enter(id))!;
      const unlistedId = unlistedIdOf(key, gameServer);
      // Its key may have been used before ids had the present form, and such replicas may still run.
      return (await enter(formerUnlistedId(id))) ?? (await enter(unlistedId))!;
    },

    async ping(request) {
      const { id, gameServer, objection } = parsePing(resolveAuto(request));
      checkGameServer(gameServer.ip, request);
      const caller = callerOf(id, request);
      refuseBanned(id, gameServer, caller.address);
      if (objection !== undefined && !(await isListedWith(id, gameServer))) throw objection;
      requireSuccess(await registry.ping(id, gameServer, caller), caller.proof);
      return verified(pinged, id, gameServer, request.client, false);
    },

    async remove(request) {
      const { id, ip } = parseRemove(resolveAuto(request));
      checkSource(ip, request);
      const caller = callerOf(id, request);
      requireSuccess(await registry.remove(id, ip, caller), caller.proof);
      return jsonAnswer(SUCCESS);
    },

    list: createList({ currentList, now, onRendered: reads?.onRendered }),
    readers: createReaders({ ...reading, onQuery: reads?.onQuery }),
    browse: page && createBrowse({ ...reading, ...page }),

    /**
     * Fails only before the first list is loaded and after shutdown began. It succeeds while Redis is unavailable:
     * otherwise a load balancer would drop every replica.
     */
    async health() {
      if (stopping?.aborted) throw new ServiceError('shutting_down');
      const { snapshot } = await registry.list();
      return jsonAnswer({ timestamp: new Date(now()).toISOString(), server_count: snapshot.count });
    },
  };
}

function bothRules(one: DetailsRule | undefined, other: DetailsRule | undefined): DetailsRule | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (details) => [...one(details), ...other(details)];
}

/** Throws the ServiceError of an outcome that is no success. `proof`: what the caller had shown. */
function requireSuccess(
  outcome: Exclude<BroadcastOutcome, 'outdated_id'> | PingOutcome | RemoveOutcome,
  proof: Caller['proof'],
): void {
  switch (outcome) {
    case 'listed':
    case 'refreshed':
    case 'removed':
      return;
    case 'unlisted':
      throw new ServiceError('idempotency_key_used');
    case 'unknown':
      throw new ServiceError('unknown_server');
    case 'ip_mismatch':
      throw new ServiceError('ip_mismatch');
    case 'not_owner':
      throw new ServiceError('not_owner', proof === 'wrong' ? { message: WRONG_TOKEN } : {});
  }
  throw outcome.is === 'address_taken' ? addressTaken(outcome) : quotaExceeded(outcome);
}

function unlistedNotAllowed(): ServiceError {
  const message = 'must be false or absent: this service lists every game server';
  return new ServiceError('invalid_request', {
    message: `unlisted ${message}`,
    details: [{ field: 'unlisted', message }],
  });
}

const WRONG_TOKEN =
  'this Server-Token is wrong, or that of another entry: broadcast again with the header Server-Token: claim';

function addressTaken({ forMs }: AddressTaken): ServiceError {
  const seconds = Math.ceil(forMs / 1000);
  return new ServiceError('address_taken', {
    message: `another entry has this host, IP and port, and it is claimed: broadcast with its Server-Token, or once it has expired, in ${seconds} s without a ping`,
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}

function quotaExceeded({ of, limit, count }: QuotaExceeded): ServiceError {
  const whose = of === 'all' ? 'in all' : 'of one address';
  return new ServiceError('quota_exceeded', {
    message: `${count} servers ${whose} are listed or have just expired, and the limit is ${limit}: remove those that are not needed, or ask the operator of the service`,
  });
}
