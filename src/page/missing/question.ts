/** Makes a question of what a person has typed. */

import { addressOf } from '../parts/connect.ts';
import type { Question } from './asking.ts';
import { parseServerAddress } from './server-address.ts';

/** Longer than the longest name, with what may be pasted around it. */
export const LONGEST_ADDRESS = 400;
export const LONGEST_ID = 64;

const EXAMPLE_HOST = 'play.example.com';
const EXAMPLE_PORT = 7777;

/** Undefined if there is no port in it, nor an id that would do, or no address at all. */
export function questionOf(address: string, id: string): Question | undefined {
  const { host, port } = parseServerAddress(address) ?? {};
  const ownId = id.replaceAll(/\p{Cf}/gu, '').trim();
  // An address that cannot be read is not to be left out.
  const isClear = port !== undefined || host !== undefined || address.trim() === '';
  if (!isClear || (port === undefined && ownId === '')) return undefined;
  return {
    ...(host !== undefined && { server_host: host }),
    ...(port !== undefined && { server_port: port }),
    ...(ownId !== '' && { server_id: ownId }),
  };
}

/** How it could be written. */
export function exampleOf(address: string): string {
  const { host = EXAMPLE_HOST, port = EXAMPLE_PORT } = parseServerAddress(address) ?? {};
  return addressOf(host, port);
}
