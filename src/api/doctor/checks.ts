/** The checks of a diagnosis, a line for each: fine, wrong or unknown. They reveal no more than the cause does. */

import type { Client } from '../http/client.ts';
import type { WriteOutage } from '../../registry/backend.ts';
import type { OwnProbeOutcome } from '../reachability/own-address-probe.ts';
import { addressKindOf, isOtherFamily } from '../../model/net/address-kind.ts';
import { FINDINGS, sentenceOf, type Cause } from '../../model/findings.ts';
import { agoText, textOfKnown } from './known-entries.ts';
import type { Seen } from './look.ts';
import type { DoctorQuestion } from './question.ts';
import { causeOfRefusal, type WriteRefusal } from './refusals.ts';

export const CHECK_CODES = [
  'your_address',
  'asked_address',
  'entry',
  'from_your_address',
  'ban',
  'verified',
  'port',
  'refusals',
  'registry',
] as const;

export type CheckCode = (typeof CHECK_CODES)[number];

export const CHECK_RESULTS = ['fine', 'wrong', 'unknown'] as const;

export interface DoctorCheck {
  readonly code: CheckCode;
  readonly result: (typeof CHECK_RESULTS)[number];
  readonly says: string;
}

export interface Looked {
  readonly client: Client;
  readonly question: DoctorQuestion;
  readonly seen: Seen;
  readonly cause: Cause;
  readonly listed: boolean;
  /** Undefined if there is nothing to probe. */
  readonly probed: OwnProbeOutcome | undefined;
  /** The reason of a ban, if it is one that the game server may know of. */
  readonly reason: string | undefined;
  readonly whyNotReached: string | undefined;
  /** Whether the list shows only game servers that were reached. */
  readonly verifies: boolean;
  readonly latest: WriteRefusal | undefined;
  /** Why the registry refuses writes now; undefined while it accepts them. */
  readonly refusal: WriteOutage | undefined;
  /** ms since the epoch. */
  readonly now: number;
}

type Told = Pick<DoctorCheck, 'result' | 'says'>;

const fine = (says: string): Told => ({ result: 'fine', says });
const wrong = (says: string): Told => ({ result: 'wrong', says });
const unknown = (says: string): Told => ({ result: 'unknown', says });

export function checksOf(looked: Looked): readonly DoctorCheck[] {
  const told: Readonly<Record<CheckCode, Told | undefined>> = {
    your_address: yourAddress(looked),
    asked_address: askedAddress(looked),
    entry: entryOf(looked),
    from_your_address: fromYourAddress(looked),
    ban: ban(looked),
    verified: verified(looked),
    port: port(looked),
    refusals: refusalsOf(looked),
    registry: registryOf(looked),
  };
  return CHECK_CODES.flatMap((code) => (told[code] === undefined ? [] : [{ code, ...told[code] }]));
}

function registryOf({ seen, refusal }: Looked): Told {
  if (refusal === undefined)
    return seen.isCurrent
      ? fine('the list is current')
      : wrong('the list is not current: the service cannot reach its registry now');
  return seen.isCurrent
    ? wrong(`the list is current, but the registry refuses writes: ${refusal.says}`)
    : wrong(`the list is not current, as the registry cannot be used: ${refusal.says}`);
}

function yourAddress({ client }: Looked): Told {
  const { address, doubt } = client;
  if (doubt !== undefined) return wrong(`the service sees a proxy at ${address}, and not you`);
  const kind = addressKindOf(address);
  return kind === undefined
    ? fine(`the service sees you at ${address}`)
    : unknown(`the service sees you at ${address}, and ${FINDINGS[kind].says}`);
}

function askedAddress({ client, question, seen }: Looked): Told | undefined {
  const ip = seen.entry?.ip ?? question.ip;
  if (ip === undefined)
    return question.host === undefined
      ? undefined
      : unknown('the service looks up no names: the address that you ask from was looked at');
  if (client.doubt !== undefined) return unknown(`${ip} was not compared with your address`);
  if (ip === client.address) return fine(`${ip} is the address that you ask from`);
  const says = `${ip} is not the address that you ask from, ${client.address}`;
  return isOtherFamily(ip, client.address) ? wrong(`${says}: one is IPv4, the other IPv6`) : unknown(says);
}

function entryOf({ seen, listed }: Looked): Told {
  const { entry, expired, removedAt, isCurrent } = seen;
  if (listed) return fine('there is an entry, and the list shows it');
  if (entry !== undefined) return wrong('there is an entry, and the list does not show it');
  if (expired?.parkedUntil !== undefined) return wrong('the game server has left, and keeps its id');
  if (expired !== undefined) return wrong('the entry has expired');
  if (removedAt !== undefined) return wrong('the entry was removed');
  return isCurrent
    ? wrong('no entry that you may know of was found')
    : unknown('no entry was found in the last list that is known');
}

function fromYourAddress({ seen, now }: Looked): Told | undefined {
  const { known } = seen;
  return known.length === 0
    ? undefined
    : unknown(`from your address these are known: ${textOfKnown(known, now)}`);
}

function ban({ cause, reason }: Looked): Told {
  return reason !== undefined || cause === 'banned'
    ? wrong('a moderator has banned it')
    : fine('nothing tells of a ban');
}

function verified({ verifies, seen, whyNotReached }: Looked): Told | undefined {
  if (!verifies || seen.entry === undefined) return undefined;
  return whyNotReached === undefined
    ? fine('the game server was reached')
    : wrong(`not reached until now: ${whyNotReached}`);
}

function port({ probed }: Looked): Told | undefined {
  if (probed === undefined) return undefined;
  switch (probed.is) {
    case 'off':
      return unknown('this service does not check whether ports answer (--verify)');
    case 'busy':
      return unknown('the port was not tried: ask again in half a minute');
    case 'refused':
      return unknown(probed.words);
    default: {
      const { outcome, words } = probed.result;
      return outcome === 'answered' ? fine('the port answers from outside') : wrong(words);
    }
  }
}

function refusalsOf({ client, question, latest, now }: Looked): Told {
  if (client.doubt !== undefined)
    return unknown('what was refused to you is not known, because of the proxy');
  if (latest === undefined) return fine('nothing that came from your address was refused of late');
  const { at, about } = latest;
  const isOther = latest.port !== undefined && latest.port !== question.port;
  const which = isOther ? `, of port ${latest.port}` : '';
  return wrong(`${sentenceOf(causeOfRefusal(latest), about)} (refused ${agoText(now - at)}${which})`);
}
