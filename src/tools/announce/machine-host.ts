/**
 * The host of game servers for which nobody has named one, at one service: the name of this machine where it leads to
 * the address that the service sees, else that address. It is found anew before a broadcast, as addresses change.
 */

import type { Ask, ServiceAnswer } from '../../../clients/typescript/src/ask.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { parseIp } from '../../model/net/ip.ts';

export interface MachineHostOptions {
  readonly ask: Ask;
  /** Resolves with the addresses of a name in canonical form (parseIp); none if it is not known. */
  readonly addressesOf: (name: string) => Promise<readonly string[]>;
  readonly now: Environment['now'];
}

export interface HostedGameServer {
  /** The name of this machine. */
  readonly host: string;
  /** An address, or `auto`. */
  readonly ip: string;
}

/** How long game servers that broadcast one after the other share what the service has said, ms. */
const SHARED_MS = 30_000;
/** The id of no entry: with a port the service would try that. */
const NOBODY = 'A'.repeat(22);

export class MachineHost {
  readonly #options: MachineHostOptions;
  #seen: Promise<ServiceAnswer> | undefined;
  #seenAt = 0;

  constructor(options: MachineHostOptions) {
    this.#options = options;
  }

  /** Sends the requests of one game server, and says in them where it is. `warn` gets a sentence. */
  askFor({ host: name, ip }: HostedGameServer, warn: (text: string) => void): Ask {
    const { ask, addressesOf } = this.#options;
    let host = name;
    return async (question) => {
      const { path, body } = question;
      if (path === '/remove') return ask(question);
      if (path === '/broadcast') {
        const seen = ip === 'auto' ? await this.#askForAddress() : undefined;
        // A broadcast is repeated under its key, for which the host has to stay the same.
        if (seen !== undefined && isPassing(seen)) return seen;
        const address = seen === undefined ? parseIp(ip) : addressIn(seen);
        const isRight = address !== undefined && (await addressesOf(name)).includes(address);
        host = isRight ? name : (address ?? name);
        if (!isRight) warn(warningFor(name, address));
      }
      return ask({ ...question, body: { ...body, server_host: host } });
    };
  }

  async #askForAddress(): Promise<ServiceAnswer> {
    const { ask, now } = this.#options;
    if (Math.abs(now() - this.#seenAt) > SHARED_MS) this.#seen = undefined;
    this.#seenAt = this.#seen === undefined ? now() : this.#seenAt;
    this.#seen ??= ask({ method: 'POST', path: '/doctor', body: { server_id: NOBODY } });
    const seen = await this.#seen;
    if (seen.status !== 200) this.#seen = undefined;
    return seen;
  }
}

function isPassing({ status }: ServiceAnswer): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function addressIn({ body: { client_address: address } }: ServiceAnswer): string | undefined {
  return typeof address === 'string' ? parseIp(address) : undefined;
}

function warningFor(name: string, address: string | undefined): string {
  return address === undefined
    ? `Players are told the name of this machine, ${name}, as host, and the service does not say whether it leads here. --host names another.`
    : `The name of this machine, ${name}, does not lead to ${address}, the address that the service sees: that is listed as host. --host gives it a name.`;
}
