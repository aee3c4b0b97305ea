/**
 * Parses the headers of a Teeworlds server's heartbeat (ddnet/ddnet, src/engine/server/register.cpp). They are checked
 * as the master server of DDNet checks them (src/mastersrv/src/main.rs), and refused in its words. This file knows
 * nothing of the registry.
 */

import type { EndpointRequest } from '../../api/http/route.ts';
import { parseRegisteredAddress, type RegisteredAddress } from './address.ts';

/** An error that the master server answers with, instead of doing what the request wants. */
export class RegisterError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = 'RegisterError';
    this.status = status;
  }

  /** Whether it is about the content of the request, and not about its sender. */
  get isMistake(): boolean {
    return this.status !== 403 && this.status !== 429;
  }
}

type Headers = EndpointRequest['headers'];

interface Registered {
  readonly address: RegisteredAddress;
  /** The secret that the game server made up for this run: a request that has it may act for the game server. */
  readonly secret: string;
}

export interface Deletion extends Registered {
  readonly action: 'delete';
}

export interface Registration extends Registered {
  readonly action: 'register';
  /** A token of 4 bytes. A server of 0.7 reads only packets with it. */
  readonly connlessToken: Buffer | undefined;
  /** The beginning of a challenge that the game server accepts. */
  readonly challengeSecret: string;
  readonly challengeToken: string | undefined;
  /** The serial of the info, which grows with each change. */
  readonly infoSerial: number;
  readonly isJson: boolean;
}

/** The longest text of a header, in bytes. */
const LONGEST_TEXT = 64;
const VISIBLE_ASCII = /^[\t -~]*$/;

/** Throws a RegisterError. */
export function parseRegistration(headers: Headers): Registration | Deletion {
  const action = headers['action'];
  if (action !== undefined && action !== 'delete')
    throw new RegisterError(
      `Unknown Action header value ${JSON.stringify(action)} (must either not be present or have value "delete")`,
    );
  const address = parseAddress(required(headers, 'Address'));
  const secret = shortText(headers, 'Secret');
  if (action === 'delete') return { action, address, secret };
  return {
    action: 'register',
    address,
    secret,
    connlessToken: parseConnlessToken(address, headers),
    challengeSecret: shortText(headers, 'Challenge-Secret'),
    challengeToken: optional(headers, 'Challenge-Token') && shortText(headers, 'Challenge-Token'),
    infoSerial: parseSerial(required(headers, 'Info-Serial')),
    isJson: /^application\/json\s*(?:;|$)/i.test(headers['content-type']?.trim() ?? ''),
  };
}

function optional(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !VISIBLE_ASCII.test(value))
    throw invalid(name, 'failed to convert header to a str');
  return value;
}

function required(headers: Headers, name: string): string {
  const value = optional(headers, name);
  if (value === undefined) throw new RegisterError(`missing required header ${name}`);
  return value;
}

function shortText(headers: Headers, name: string): string {
  const value = required(headers, name);
  if (value.length > LONGEST_TEXT) throw invalid(name, 'insufficient capacity');
  return value;
}

function parseAddress(text: string): RegisteredAddress {
  const address = parseRegisteredAddress(text);
  if (typeof address === 'string') throw invalid('Address', address);
  return address;
}

function parseConnlessToken({ scheme }: RegisteredAddress, headers: Headers): Buffer | undefined {
  const text = optional(headers, 'Connless-Token');
  if (scheme !== 'tw-0.7+udp') return undefined;
  if (text === undefined)
    throw new RegisterError('registering with tw-0.7+udp:// requires header Connless-Token');
  if (!/^[\da-f]{8}$/i.test(text))
    throw new RegisterError('invalid hex in Connless-Request-Token: 8 hexadecimal digits are needed');
  return Buffer.from(text, 'hex');
}

/** Parses a whole number. Servers count from -1 on, in 32 bits; the original accepts 64. */
function parseSerial(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw invalid(
      'Info-Serial',
      text === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string',
    );
  const serial = Number(text);
  if (!Number.isSafeInteger(serial))
    throw invalid('Info-Serial', `number too ${serial < 0 ? 'small' : 'large'} to fit in target type`);
  return serial;
}

function invalid(name: string, why: string): RegisterError {
  return new RegisterError(`invalid header ${name}: ${why}`);
}
