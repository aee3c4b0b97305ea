/** `POST /doctor`, from request to answer. Of an entry, the answer has the fields that the list shows, and times. */

import { ServiceError } from '../../model/service-error.ts';
import { jsonAnswer } from '../http/answer.ts';
import type { ExpiredEntry } from '../../registry/backend.ts';
import type { Context } from '../http/context.ts';
import type { Endpoint } from '../http/route.ts';
import type { ProbeOwnAddress } from '../reachability/own-address-probe.ts';
import { createWhyNotReached, type VerifyOptions } from '../reachability/verification.ts';
import type { Networks } from '../../model/net/networks.ts';
import { isUnlisted } from '../../model/game-server.ts';
import { joinCodeOf } from '../../model/join-code.ts';
import { createExaminer } from './examine.ts';
import { FINDINGS, sentenceOf, type Cause } from '../../model/findings.ts';
import { timeText } from '../http/time-text.ts';
import { isOwnAddress } from './known-entries.ts';
import { createLook, ownedId, type Seen, type TokenReader } from './look.ts';
import { parseQuestion } from './question.ts';
import type { RefusedWrites } from './refusals.ts';

export interface DoctorRoomOptions {
  /** Whether game servers must have addresses that the internet reaches. */
  readonly publicAddressesOnly: boolean;
  readonly verify: VerifyOptions;
  readonly trustedProxies: Networks | undefined;
}

export interface DoctorContext extends Context {
  readonly options: DoctorRoomOptions;
  readonly tokens: TokenReader;
  readonly refusals: RefusedWrites;
  /** Called for each answer. */
  readonly onDoctor: (cause: Cause) => void;
}

export function createDoctor(context: DoctorContext & { readonly probe: ProbeOwnAddress }): Endpoint {
  const { options, registry, lifetime, turns, tokens, refusals, probe, whyRefused, now, onDoctor } = context;
  const { verify, publicAddressesOnly, trustedProxies } = options;
  const whyNotReached = createWhyNotReached(verify);
  const examiner = createExaminer({
    moderation: registry.moderation,
    hidesUnreached: verify.hidesUnreached,
    whyNotReached,
    isNamed: verify.isNamed,
    wantsPublic: publicAddressesOnly,
    probe,
    refusals,
    whyRefused,
    ttlMs: lifetime.ttlMs,
    now,
  });
  const look = createLook({
    registry,
    turns,
    isTold: examiner.isTold,
    isReached: (entry) => whyNotReached(entry) === undefined,
    isOwnAddress: (client) => isOwnAddress(client, trustedProxies),
  });

  return async (request) => {
    const { client, headers, fields } = request;
    const owned = ownedId(headers, tokens);
    const question = parseQuestion(fields, owned !== undefined);
    const proven = question.id === undefined || question.id === owned ? owned : undefined;
    const own = client.doubt === undefined ? client.address : undefined;
    let seen = NOTHING;
    try {
      seen = await look(request, question, proven, own);
    } catch (error) {
      if (!isOfOutage(error)) throw error;
    }
    const { cause, about, listed, checks } = await examiner.examine(client, question, seen);
    onDoctor(cause);
    return jsonAnswer({
      status: 'success',
      client_address: client.address,
      listed,
      cause,
      says: sentenceOf(cause, about),
      next_step: FINDINGS[cause].nextStep,
      entry: entryOf(seen),
      checks,
    });
  };
}

/** The state of a replica that has not reached its registry yet: it does not even know the bans. */
const NOTHING: Seen = {
  entry: undefined,
  by: undefined,
  expiresAt: undefined,
  expired: undefined,
  removedAt: undefined,
  known: [],
  isCurrent: false,
};

function isOfOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'registry_unavailable';
}

/** The entry as the answer has it; undefined if there is none that the asker may know of. */
function entryOf({ entry, by, expiresAt, expired }: Seen): object | undefined {
  const told = entry ?? expired;
  if (told === undefined) return undefined;
  const { id, name, host, ip, port, registeredVersion } = told;
  return {
    id,
    name,
    host,
    ip,
    port,
    registered_at: timeText(Math.floor(registeredVersion / 1000)),
    ...(expiresAt !== undefined && { expires_at: timeText(expiresAt) }),
    ...(entry === undefined && whenLeft(expired!)),
    ...(by === 'owner' && isUnlisted(id) && { join_code: joinCodeOf(id) }),
  };
}

function whenLeft({ expiredAt, parkedUntil }: ExpiredEntry): object {
  return parkedUntil === undefined
    ? { expires_at: timeText(expiredAt) }
    : { kept_until: timeText(parkedUntil) };
}
