/**
 * `POST /ddnet/15/register`: the heartbeats of Teeworlds servers, handled as the master server of DDNet does
 * (handle_register() and handle_delete() in src/mastersrv/src/main.rs of ddnet/ddnet). A stranger must answer a
 * challenge before its info is read.
 */

import { jsonAnswer, type Answer } from '../../api/http/answer.ts';
import type { EndpointRequest } from '../../api/http/route.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { IpAddress } from '../../model/net/ip.ts';
import { createChallenges } from '../challenges.ts';
import { entryIdOf } from '../identity.ts';
import { describeRefusal, type ProtocolContext, type Refusal } from '../protocol.ts';
import { linkOf, type GameAddress } from './address.ts';
import type { ChallengeSender } from './challenge-sender.ts';
import { DDNET, LinkOwners, linksOf } from './link-owners.ts';
import { parseRegistration, RegisterError, type Registration } from './registration.ts';
import { describerOf, isReadable, parseInfo } from './server-info.ts';

/** A heartbeat comes every 15 s, and at each change: an entry with less than 10 s left has missed one. */
const LIFETIME = { ttlMs: 30_000, silentBelowMs: 10_000 };

type Status = 'success' | 'need_challenge' | 'need_info';

/** The handler of a request. Rejects with an error that refuseRegister() renders, of either type. */
export function createRegister(
  context: ProtocolContext,
  sender: ChallengeSender,
): (request: EndpointRequest) => Promise<Answer> {
  const { registry, secret, now } = context;
  const owners = new LinkOwners(context);
  const challenges = createChallenges({ protocol: DDNET, secret, now });

  async function register(registration: Registration, address: GameAddress, body: Buffer): Promise<Status> {
    const link = linkOf(address);
    const id = entryIdOf(secret(), DDNET, registration.secret);
    const entry = registry.known(id);
    if (entry === undefined) requireAdmitted(id, link, address.ip);
    const { challengeToken: token } = registration;
    const isProved = token !== undefined && challenges.isValid(token, link);
    const current = challenges.issue(link);
    // The token of the hour before still counts, and is then replaced, so that no game server has to prove itself anew.
    if (token !== current) challenge(registration, address, current);
    if (!isProved) return 'need_challenge';
    const said = saidBy(registration, body, entry);
    if (said === 'need_info') return said;
    if (!linksOf(entry).includes(link)) await takeFromOther(id, link);
    const describe = describerOf(said.document, said.serial);
    const outcome = await context.publish(
      id,
      { protocol: DDNET, lifetime: LIFETIME, link, describe, document: said.document },
      address.ip,
    );
    if (typeof outcome !== 'string') throw refused(outcome);
    return 'success';
  }

  /** Refuses strangers that could not be listed, so that they are not challenged. */
  function requireAdmitted(id: GameServerId, link: string, client: IpAddress): void {
    const refusal = context.admit(id, describerOf('{}', 0)([link]), client);
    if (refusal === undefined) return;
    context.count('refused');
    throw refused(refusal);
  }

  function challenge({ challengeSecret, connlessToken }: Registration, to: GameAddress, token: string): void {
    const isSent = sender.send(to, { secret: challengeSecret, token, connlessToken });
    context.count(isSent ? 'challenged' : 'limited');
    if (!isSent) throw new RegisterError('too many challenges for this address, try again later', 429);
  }

  /** The valid info: the one with the highest serial. The body is not parsed if its serial is not higher. */
  function saidBy(
    { infoSerial, isJson }: Registration,
    body: Buffer,
    entry: ListedGameServer | undefined,
  ): { readonly document: string; readonly serial: number } | 'need_info' {
    const known = entry && registry.nativeEntries.documentOf(entry);
    const serial = Number(entry?.details.fields.kept?.['serial']);
    if (known !== undefined && infoSerial <= serial && isReadable(known)) return { document: known, serial };
    if (body.length === 0) return 'need_info';
    if (!isJson) throw new RegisterError("The request's Content-Type is not supported", 415);
    return { document: parseInfo(body), serial: infoSerial };
  }

  /** Gives the address to this game server: the one that has proved it last has it. */
  async function takeFromOther(id: GameServerId, link: string): Promise<void> {
    const other = await owners.hand(link, id);
    if (other !== undefined) await context.withdraw(other, link);
  }

  return async ({ headers, body, client }) => {
    const registration = parseRegistration(headers);
    // Otherwise the proxy would be challenged.
    if (client.doubt !== undefined)
      throw new RegisterError(
        'the address of the game server is hidden by a proxy that --trust-proxy does not name',
      );
    const address = { ...registration.address, ip: client.address };
    if (registration.action === 'register')
      return told(await register(registration, address, body ?? Buffer.alloc(0)));
    const id = entryIdOf(secret(), DDNET, registration.secret);
    if ((await context.withdraw(id, linkOf(address))) === 'unknown')
      throw new RegisterError('could not find registered server');
    return told('success');
  };
}

function told(status: Status): Answer {
  return answerWith({ status }, 200);
}

function refused(refusal: Refusal): RegisterError {
  return new RegisterError(describeRefusal(refusal), refusal.is === 'quota_exceeded' ? 429 : 403);
}

/** An error in the form that a game server reads: it logs the message for the person who runs it. */
export function refuseRegister(error: RegisterError | ServiceError): Answer {
  const isTooLarge = error instanceof ServiceError && error.code === 'body_too_large';
  const message = isTooLarge ? 'The request payload is too large' : error.message;
  return answerWith({ status: 'error', message }, error.status);
}

function answerWith(body: object, status: number): Answer {
  const answer = jsonAnswer({}, {}, status);
  return { ...answer, body: `${JSON.stringify(body)}\n` };
}
