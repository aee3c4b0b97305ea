/**
 * What the address of the asker has broadcast, where that is not what was asked for. Neighbours may share the address:
 * only what the list shows is told, or showed until it expired, and at most MOST_KNOWN of it.
 */

import { addressOf } from '../../model/address-of.ts';
import type { Client } from '../http/client.ts';
import { addressKindOf, isOtherFamily } from '../../model/net/address-kind.ts';
import { parseNetworks, type Networks } from '../../model/net/networks.ts';
import type { DoctorQuestion } from './question.ts';

export const MOST_KNOWN = 5;

export interface KnownEntry {
  readonly ip: string;
  readonly port: number;
  /** ms since the epoch; undefined while it is listed. */
  readonly expiredAt: number | undefined;
  readonly isReached: boolean;
}

const LOOPBACK = parseNetworks('loopback');

/**
 * Whether the address of the client is one of its own. A private address may be that of an unknown proxy, through which
 * the internet comes; loopback alone is this machine.
 */
export function isOwnAddress({ address, doubt }: Client, trustedProxies: Networks | undefined): boolean {
  if (doubt !== undefined) return false;
  if (LOOPBACK.has(address)) return true;
  return addressKindOf(address) === undefined && trustedProxies?.has(address) !== true;
}

/** Whether the question is about this address and port; any address will do if it names none. */
export function isAskedFor(
  { ip, port }: Pick<DoctorQuestion, 'ip' | 'port'>,
  entry: Pick<KnownEntry, 'ip' | 'port'>,
): boolean {
  return port === entry.port && (ip === undefined || ip === entry.ip);
}

/** As in `203.0.113.7:7777, listed; 203.0.113.7:7778, expired 4 s ago`. `now`: ms since the epoch. */
export function textOfKnown(entries: readonly KnownEntry[], now: number): string {
  return entries
    .map(({ ip, port, expiredAt, isReached }) => {
      const state = expiredAt === undefined ? 'listed' : `expired ${agoText(now - expiredAt)}`;
      return `${addressOf(ip, port)}, ${state}${isReached ? '' : ', not reached'}`;
    })
    .join('; ');
}

/** As in `4 s ago`. A time that is still to come, by the clock of another machine, is now. */
export function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'just now';
  if (seconds < 120) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

/** Whether players who know the one address would miss the other: not where a machine has one of each family. */
export function isOther(ip: string, asked: string | undefined): boolean {
  return (
    asked !== undefined && asked !== ip && !isOtherFamily(ip, asked) && addressKindOf(asked) === undefined
  );
}
