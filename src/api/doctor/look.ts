/**
 * Finds what the registry has on a question, as far as this asker may know it. With a valid token of an entry, that is
 * the whole entry; without one, an entry at the address that the request comes from, or one that any list shows.
 * Without its token, an unlisted entry is not looked for: its id is treated as an unknown id.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import type { EndpointRequest } from '../http/route.ts';
import type { Backend, ExpiredEntry, Fate } from '../../registry/backend.ts';
import { isUnlisted, type GameServerId, type ListedGameServer } from '../../model/game-server.ts';
import type { Turns } from '../work/turns.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import type { DoctorQuestion } from './question.ts';

/** The server tokens of the writes, as far as the doctor needs them. */
export interface TokenReader {
  /** Throws a ServiceError for a text that is no token, or while no secret is known. */
  intentOf(
    headers: IncomingHttpHeaders,
  ): 'none' | 'claim' | { readonly id: GameServerId; readonly proof: 'token' | 'wrong' };
}

export interface Seen {
  /** The listed entry, shown or not. */
  readonly entry: ListedGameServer | undefined;
  /** `owner`: the asker has its token. `address`: it has the asker's address. `named`: any list shows it. */
  readonly by: 'owner' | 'address' | 'named' | undefined;
  /** The deadline of the entry, ms since the epoch; undefined if it is unknown, or not for this asker. */
  readonly expiresAt: number | undefined;
  /** The entry that has expired or is parked, if none is listed. */
  readonly expired: ExpiredEntry | undefined;
  /** When the entry of the token was removed, ms since the epoch, if none is listed; 0 if the time is forgotten. */
  readonly removedAt: number | undefined;
  /** Whether this replica is in touch with the registry. */
  readonly isCurrent: boolean;
}

export interface LookOptions {
  readonly registry: Pick<Backend, 'list' | 'entries' | 'known' | 'fates'>;
  readonly turns: Pick<Turns, 'run'>;
  /** Whether the entry is described as one that the list shows. */
  readonly isTold: (entry: ListedGameServer) => boolean;
}

/** The entry whose valid token the request has; undefined for a wrong token, as for none. */
export function ownedId(headers: IncomingHttpHeaders, tokens: TokenReader): GameServerId | undefined {
  try {
    const intent = tokens.intentOf(headers);
    return typeof intent === 'object' && intent.proof === 'token' ? intent.id : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** `own`: the address of the asker, in canonical form; undefined if a proxy hides it. */
export type Look = (
  request: EndpointRequest,
  question: DoctorQuestion,
  owned: GameServerId | undefined,
  own: string | undefined,
) => Promise<Seen>;

interface Wanted extends DoctorQuestion {
  readonly own: string | undefined;
}

const UNKNOWN: Fate = { is: 'unknown' };

export function createLook({ registry, turns, isTold }: LookOptions): Look {
  function* find(entries: Iterable<ListedGameServer>, wanted: Wanted): Work<Pick<Seen, 'entry' | 'by'>> {
    let atAddress: ListedGameServer | undefined;
    let named: ListedGameServer | undefined;
    let seen = 0;
    for (const entry of entries) {
      if (isAtAddress(entry, wanted)) atAddress = better(atAddress, entry, wanted.id);
      else if (named === undefined && isNamed(entry, wanted) && isTold(entry)) named = entry;
      if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
    }
    if (atAddress !== undefined) return { entry: atAddress, by: 'address' };
    return { entry: named, by: named && 'named' };
  }

  function better(
    one: ListedGameServer | undefined,
    other: ListedGameServer,
    id: GameServerId | undefined,
  ): ListedGameServer {
    if (one === undefined || other.id === id) return other;
    return one.id !== id && !isTold(one) && isTold(other) ? other : one;
  }

  return async (request, question, owned, own) => {
    const listing = await orUndefined(registry.list());
    const entries = await orUndefined(registry.entries());
    const ofOwner = owned === undefined ? undefined : registry.known(owned);
    const found =
      ofOwner === undefined
        ? await turns.run(request, () => find(entries ?? [], { ...question, own }))
        : { entry: ofOwner, by: 'owner' as const };
    const { entry, by } = found;
    const fate = await orUndefined(registry.fates.of(entry?.id ?? owned ?? withoutUnlisted(question.id)));
    const { is } = fate ?? UNKNOWN;
    const mayKnow = (expired: ExpiredEntry): boolean =>
      expired.id === owned ||
      (expired.ip === own && (question.port === undefined || question.port === expired.port));
    return {
      entry,
      by,
      expiresAt: fate?.is === 'listed' && by !== 'named' ? fate.expiresAt : undefined,
      expired: entry === undefined && fate?.is === 'expired' && mayKnow(fate.entry) ? fate.entry : undefined,
      removedAt:
        entry !== undefined || owned === undefined || fate === undefined || is === 'expired'
          ? undefined
          : fate.is === 'removed'
            ? fate.at
            : 0,
      isCurrent: listing !== undefined && listing.staleSince === undefined && fate !== undefined,
    };
  };
}

/** Resolves with undefined while the registry is unavailable. */
async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'registry_unavailable') return undefined;
    throw error;
  }
}

/** The id to look for. An unlisted id is replaced by one that no entry has. */
function withoutUnlisted(id: GameServerId = ''): GameServerId {
  return isUnlisted(id) ? `!${id}` : id;
}

/** Whether the entry concerns the address that the request comes from. */
function isAtAddress(entry: ListedGameServer, { ip, host, id, port, own }: Wanted): boolean {
  if (own === undefined || entry.ip !== own || isUnlisted(entry.id)) return false;
  if (ip !== undefined && ip !== own && host !== undefined) return false;
  return port === undefined ? entry.id === id : entry.port === port;
}

/** Whether the question names the entry by fields that a list shows, or the asker broadcast it from its own address. */
function isNamed(entry: ListedGameServer, { ip, host, port, own }: Wanted): boolean {
  if (port === undefined || entry.port !== port) return false;
  const isOwn = own !== undefined && entry.client === own && (ip === undefined || ip === own);
  return isOwn || entry.ip === ip || entry.host === host;
}
