/**
 * The rules for `server_ip` and the address that a request comes from. `server_ip` may be `auto`; options may require
 * that both are equal, or that `server_ip` can be reached from the internet.
 */

import { ServiceError } from '../../model/service-error.ts';
import { parseIp } from '../../model/net/ip.ts';
import type { Client } from '../http/client.ts';
import type { EndpointRequest } from '../http/route.ts';
import { whyUnreachable } from '../../model/net/public-address.ts';
import type { DetailsRule } from './validation.ts';

/** The value of `server_ip` that stands for the address of the client, in lower case only. */
export const AUTO = 'auto';

export interface SourceRulesOptions {
  /** Whether server_ip must be the address of the client. */
  readonly verifySource: boolean;
  /** Whether server_ip must be reachable from the internet. */
  readonly publicAddressesOnly: boolean;
}

type Check = (ip: string, request: EndpointRequest) => void;

export interface SourceRules {
  /** Checks the IP of a broadcast or a ping. Throws a ServiceError `invalid_request` or `source_mismatch`. */
  readonly checkGameServer: Check;
  /** Checks the IP of a remove. It throws alike, but accepts an address that cannot be reached from the internet. */
  readonly checkSource: Check;
  /** The rule for the further addresses in details; undefined where any are allowed. */
  readonly addressesRule: DetailsRule | undefined;
}

/** The fields of a request, in which a `server_ip` of `auto` is replaced by the address of the client. */
export function resolveAuto({ fields, client }: EndpointRequest): unknown {
  return isAuto(fields) ? { ...fields, server_ip: client.address } : fields;
}

export function createSourceRules({ verifySource, publicAddressesOnly }: SourceRulesOptions): SourceRules {
  const checkSource: Check = (ip, { fields, client }) => {
    if (client.doubt !== undefined && isAuto(fields))
      throw wrongIp(
        `cannot be "${AUTO}" here: ${DOUBTS[client.doubt](client)}; send the address itself, or ask the operator of the service`,
      );
    if (verifySource && ip !== client.address) throw sourceMismatch(ip, client);
  };

  return {
    checkSource,
    addressesRule: publicAddressesOnly ? requirePublicAddresses : undefined,
    checkGameServer(ip, request) {
      checkSource(ip, request);
      const why = publicAddressesOnly ? whyUnreachable(ip) : undefined;
      if (why !== undefined) throw wrongIp(mustBeReachable(why));
    },
  };
}

function mustBeReachable(why: string): string {
  return `must be reachable from the internet, but ${why}`;
}

const DOUBTS: Readonly<Record<NonNullable<Client['doubt']>, (client: Client) => string>> = {
  untrusted_proxy: ({ address }) =>
    `the request came through a proxy at ${address}, which is not in --trust-proxy`,
  unnamed_client: ({ address }) =>
    `the proxy at ${address} does not name your address in the header of --client-address-header`,
};

const requirePublicAddresses: DetailsRule = ({ addresses = [] }) => {
  const why = addresses.map(({ ip }) => whyUnreachable(parseIp(ip)!)).find((each) => each !== undefined);
  return why === undefined ? [] : [{ field: 'addresses', message: mustBeReachable(why) }];
};

function sourceMismatch(ip: string, client: Client): ServiceError {
  const doubt = client.doubt === undefined ? '' : ` (${DOUBTS[client.doubt](client)})`;
  return new ServiceError('source_mismatch', {
    about: `${ip}, and it sends from ${client.address}${doubt}`,
    message: `server_ip is ${ip}, but the request came from ${client.address}${doubt}: send the address you send from, or "${AUTO}"`,
  });
}

function wrongIp(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    message: `server_ip ${message}`,
    details: [{ field: 'server_ip', message }],
  });
}

function isAuto(fields: unknown): fields is object {
  return typeof fields === 'object' && fields !== null && 'server_ip' in fields && fields.server_ip === AUTO;
}
