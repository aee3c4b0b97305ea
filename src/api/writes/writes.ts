/**
 * The endpoints broadcast, ping and remove: they validate the fields, call the registry and return an Answer. Bodies
 * are those of the specification to the byte; all further information goes into headers.
 */

import type { Context } from '../http/context.ts';
import { ServiceError } from '../../model/service-error.ts';
import { jsonAnswer, withHeaders, type Answer } from '../http/answer.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import type { Verify } from '../reachability/verification.ts';
import {
  createGameServerId,
  deriveGameServerId,
  isUnlisted,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../model/game-server.ts';
import type { BeaconMap } from '../../model/near.ts';
import { markOf } from '../beacons/open-beacons.ts';
import type { SaidRecord } from '../moderation/said-record.ts';
import type { Backend } from '../../registry/backend.ts';
import { joinCodeOf } from '../../model/join-code.ts';
import type { Lifetime } from '../../registry/lifetime.ts';
import type { Caller, Registry, RemoveOutcome } from '../../registry/registry.ts';
import { createUnlistedId, deriveUnlistedId } from '../../model/unlisted-id.ts';
import { decideBroadcast } from './broadcast-decision.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { requireSuccess } from './outcomes.ts';
import type { ServerTokens } from './server-token.ts';
import { createSourceRules, resolveAuto, type SourceRulesOptions } from './source-rules.ts';
import {
  createPingParser,
  parseBroadcast,
  parseRemove,
  type DetailsRule,
  type Remove,
} from './validation.ts';

export interface WritesOptions extends SourceRulesOptions {
  readonly registry: Pick<Backend, keyof Registry | 'moderation' | 'secret'>;
  readonly lifetime: Lifetime;
  readonly letIn?: Context['letIn'];
  readonly countryOf?: Context['countryOf'];
  readonly tokens: ServerTokens;
  readonly said?: SaidRecord | undefined;
  /** Undefined if the service does not probe whether game servers can be reached. */
  readonly verify?: Verify | undefined;
  /** Whether a ping or a remove without a server token is refused. */
  readonly requireServerToken: boolean;
  /** Whether a broadcast may ask for an unlisted entry. */
  readonly allowUnlisted: boolean;
  /** The beacons whose distance game servers measure; undefined without any. */
  readonly beacons?: BeaconMap | undefined;
  readonly onImpossibleLatency?: () => void;
  /** The operator's rule for details, beyond their own rules. */
  readonly detailsRule?: DetailsRule | undefined;
}

const SUCCESS = { status: 'success' };
const KEEP_ID_NEEDS_TOKEN = {
  message:
    'keep_id needs the Server-Token of the entry, which alone can bring it back: send it with the remove',
};

export function createWrites(
  options: WritesOptions,
): Readonly<Record<'broadcast' | 'ping' | 'remove', Endpoint>> {
  const { registry, lifetime, letIn, tokens, verify, said, requireServerToken, allowUnlisted, beacons } =
    options;
  const lifetimeHeaders = {
    'Server-TTL': String(Math.floor(lifetime.ttlMs / 1000)),
    'Server-Ping-Interval': String(Math.floor(lifetime.pingIntervalMs / 1000)),
    ...(beacons && { 'Server-Beacons': markOf(beacons) }),
  };
  const pinged = jsonAnswer(SUCCESS, lifetimeHeaders);
  const { checkGameServer, checkSource, addressesRule } = createSourceRules(options);
  const detailsRule = bothRules(options.detailsRule, addressesRule);
  const parsePing = createPingParser(detailsRule, (id) => registry.known(id), options.countryOf);

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

  /** The answer, with a header on whether the game server could be reached. */
  function verified(answer: Answer, ...about: Parameters<Verify>): Answer {
    return verify === undefined ? answer : withHeaders(answer, { 'Server-Verification': verify(...about) });
  }

  /** The caller of a request about this entry. Throws a ServiceError `server_token_required`. */
  function callerOf(id: GameServerId, { headers, client }: EndpointRequest): Caller {
    const proof = tokens.proofFor(id, headers);
    if (proof === 'none' && requireServerToken) throw new ServiceError('server_token_required');
    return { address: client.address, proof };
  }

  function unlistedIdOf(key: string | undefined, gameServer: GameServer): GameServerId {
    if (key === undefined) return createUnlistedId();
    const secret = registry.secret.text;
    if (secret === undefined) throw new ServiceError('registry_unavailable');
    return deriveUnlistedId(key, gameServer, secret);
  }

  /** Notes what a game server says anew. */
  function noteSaid(before: ListedGameServer | undefined, gameServer: GameServer): void {
    said?.note(before, gameServer);
    const { details } = gameServer;
    if (beacons === undefined || details === undefined || details.text === before?.details.text) return;
    const point = details.fields.latency && beacons.pointOf(details.fields.latency);
    if (point !== undefined && !beacons.isPossible(point)) options.onImpossibleLatency?.();
  }

  function refuseBanned(id: GameServerId, gameServer: GameServer, client: string): void {
    const { ip, host, name, details } = gameServer;
    const ban = registry.moderation.findBan({ id, client, ip, host, name, ...(details && { details }) });
    if (ban?.mode === 'refuse') throw new ServiceError('banned', { message: `banned: ${ban.reason}` });
  }

  /** Takes the game server off the list. Throws a ServiceError `server_token_required`. */
  function leave({ id, ip, keepsId }: Remove, caller: Caller): Promise<RemoveOutcome> {
    const { proof } = caller;
    if (keepsId && proof === 'none') throw new ServiceError('server_token_required', KEEP_ID_NEEDS_TOKEN);
    const parks = keepsId && proof !== 'none' && lifetime.keepIdMs > 0;
    return parks ? registry.park(id, ip, { proof }) : registry.remove(id, ip, caller);
  }

  return {
    async broadcast(request) {
      const { headers, client } = request;
      const { address } = client;
      const { gameServer, unlisted } = parseBroadcast(resolveAuto(request), detailsRule, options.countryOf);
      if (unlisted === true && !allowUnlisted) throw unlistedNotAllowed();
      checkGameServer(gameServer.ip, request);
      const decision = decideBroadcast(tokens.intentOf(headers), unlisted);
      const { goOnWith, inPlaceOf } = decision;
      const former = goOnWith ?? inPlaceOf;
      if (former !== undefined) refuseBanned(former.id, gameServer, address);
      if (goOnWith !== undefined) {
        const { id, proof } = goOnWith;
        const before = registry.known(id);
        const outcome = await registry.rebroadcast(id, gameServer, { address, proof });
        if (outcome !== 'unknown') {
          requireSuccess(outcome, proof);
          noteSaid(before, gameServer);
          return verified(broadcasted(id), id, gameServer, client, true);
        }
      }
      const key = parseIdempotencyKey(headers);
      const proof = decision.isClaimed ? 'token' : 'none';
      const id = decision.isUnlisted ? unlistedIdOf(key, gameServer) : listedIdOf(key, gameServer);
      refuseBanned(id, gameServer, address);
      const refusal = former === undefined && registry.known(id) === undefined ? await letIn?.() : undefined;
      if (refusal !== undefined) requireSuccess(refusal, proof);
      // A replica that does not know the secret yet must not list an entry for which it can issue no token.
      const answer = broadcasted(id);
      requireSuccess(
        await registry.broadcast(id, gameServer, { address, proof }, inPlaceOf),
        former?.proof ?? proof,
      );
      noteSaid(undefined, gameServer);
      return verified(answer, id, gameServer, client, true);
    },

    async ping(request) {
      const { id, gameServer } = parsePing(resolveAuto(request));
      checkGameServer(gameServer.ip, request);
      const caller = callerOf(id, request);
      refuseBanned(id, gameServer, caller.address);
      const before = registry.known(id);
      requireSuccess(await registry.ping(id, gameServer, caller), caller.proof);
      noteSaid(before, gameServer);
      return verified(pinged, id, gameServer, request.client, false);
    },

    async remove(request) {
      const removal = parseRemove(resolveAuto(request));
      checkSource(removal.ip, request);
      const caller = callerOf(removal.id, request);
      requireSuccess(await leave(removal, caller), caller.proof);
      return jsonAnswer(SUCCESS);
    },
  };
}

function listedIdOf(key: string | undefined, gameServer: GameServer): GameServerId {
  return key === undefined ? createGameServerId() : deriveGameServerId(key, gameServer);
}

function bothRules(one: DetailsRule | undefined, other: DetailsRule | undefined): DetailsRule | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (details) => [...one(details), ...other(details)];
}

function unlistedNotAllowed(): ServiceError {
  const message = 'must be false or absent: this service lists every game server';
  return new ServiceError('invalid_request', {
    message: `unlisted ${message}`,
    details: [{ field: 'unlisted', message }],
  });
}
