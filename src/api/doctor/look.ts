/**
 * Finds what the registry has on a question, as far as this asker may know it. With a valid token of an entry, that is
 * the whole entry; without one, an entry at the address that the request comes from, or one that any list shows.
 * Without its token, an unlisted entry is not looked for: its id is treated as an unknown id.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import type { Client } from '../http/client.ts';
import type { EndpointRequest } from '../http/route.ts';
import type { Backend, ExpiredEntry, Fate } from '../../registry/backend.ts';
import { isUnlisted, type GameServerId, type ListedGameServer } from '../../model/game-server.ts';
import type { Turns } from '../work/turns.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import { isAskedFor, MOST_KNOWN, type KnownEntry } from './known-entries.ts';
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
  /** What else the asker's address has broadcast, if there is no entry. */
  readonly known: readonly KnownEntry[];
  /** Whether this replica is in touch with the registry. */
  readonly isCurrent: boolean;
}

export interface LookOptions {
  readonly registry: Pick<Backend, 'list' | 'entries' | 'known' | 'fates'>;
  readonly turns: Pick<Turns, 'run'>;
  /** Whether the entry is described as one that the list shows, or showed until it expired. */
  readonly isTold: (entry: ListedGameServer | ExpiredEntry) => boolean;
  /** Whether a listed entry counts as reached. */
  readonly isReached: (entry: ListedGameServer) => boolean;
  /** Whether the address of the client is one of its own. */
  readonly isOwnAddress: (client: Client) => boolean;
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
  /** The address whose other entries are told. */
  readonly toldTo: string | undefined;
}

interface Found extends Pick<Seen, 'entry' | 'by'> {
  /** The entries of the address whose other entries are told. */
  readonly others: readonly ListedGameServer[];
}

const UNKNOWN: Fate = { is: 'unknown' };

export function createLook({ registry, turns, isTold, isReached, isOwnAddress }: LookOptions): Look {
  function* find(entries: Iterable<ListedGameServer>, wanted: Wanted): Work<Found> {
    const { toldTo } = wanted;
    const others: ListedGameServer[] = [];
    let atAddress: ListedGameServer | undefined;
    let named: ListedGameServer | undefined;
    let seen = 0;
    for (const entry of entries) {
      if (isAtAddress(entry, wanted)) atAddress = better(atAddress, entry, wanted.id);
      else if (named === undefined && isNamed(entry, wanted) && isTold(entry)) named = entry;
      else if (entry.client === toldTo && others.length < MOST_KNOWN && isTold(entry)) others.push(entry);
      if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
    }
    if (atAddress !== undefined) return { entry: atAddress, by: 'address', others };
    return { entry: named, by: named && 'named', others };
  }

  /** The expired entries of this address that may be told. */
  async function findExpired(toldTo: string | undefined): Promise<readonly ExpiredEntry[]> {
    const all = toldTo === undefined ? [] : await orUndefined(registry.fates.expiredOf(toldTo));
    return (all ?? []).filter(isTold);
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
    const toldTo = isOwnAddress(request.client) ? own : undefined;
    const listing = await orUndefined(registry.list());
    const entries = await orUndefined(registry.entries());
    const ofOwner = owned === undefined ? undefined : registry.known(owned);
    const found =
      ofOwner === undefined
        ? await turns.run(request, () => find(entries ?? [], { ...question, own, toldTo }))
        : { entry: ofOwner, by: 'owner' as const, others: [] };
    const { entry, by, others } = found;
    const fate = await orUndefined(registry.fates.of(entry?.id ?? owned ?? withoutUnlisted(question.id)));
    const { is } = fate ?? UNKNOWN;
    const mayKnow = (expired: ExpiredEntry): boolean =>
      expired.id === owned ||
      (expired.ip === own && (question.port === undefined || question.port === expired.port));
    const ofClient = entry === undefined ? await findExpired(toldTo) : [];
    const expired =
      entry !== undefined
        ? undefined
        : fate?.is === 'expired' && mayKnow(fate.entry)
          ? fate.entry
          : ofClient.find((each) => isAskedFor(question, each));
    return {
      entry,
      by,
      expiresAt: fate?.is === 'listed' && by !== 'named' ? fate.expiresAt : undefined,
      expired,
      removedAt:
        entry !== undefined || owned === undefined || fate === undefined || is === 'expired'
          ? undefined
          : fate.is === 'removed'
            ? fate.at
            : 0,
      known:
        entry === undefined
          ? [...others, ...ofClient]
              .filter(({ id }) => id !== expired?.id)
              .toSorted((one, other) => hasPort(other, question) - hasPort(one, question))
              .slice(0, MOST_KNOWN)
              .map((each) => knownEntryOf(each, isReached))
          : [],
      isCurrent: listing !== undefined && listing.staleSince === undefined && fate !== undefined,
    };
  };
}

function hasPort(entry: { readonly port: number }, { port }: DoctorQuestion): 0 | 1 {
  return entry.port === port ? 1 : 0;
}

function knownEntryOf(
  entry: ListedGameServer | ExpiredEntry,
  isReached: LookOptions['isReached'],
): KnownEntry {
  const { ip, port } = entry;
  return 'expiredAt' in entry
    ? { ip, port, expiredAt: entry.expiredAt, isReached: true }
    : { ip, port, expiredAt: undefined, isReached: isReached(entry) };
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
