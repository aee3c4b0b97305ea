/** Explains why the service cannot start, in one line that says what to do. Reads no process. */

import type { Config } from '../config/config.ts';
import { BeaconPortError } from '../../api/beacons/beacon.ts';
import { OpsPortError } from '../../api/ops/ops-port.ts';
import { UdpPortError } from '../../protocols/protocol.ts';

/** The address of a server, and the prefix of the flags that set it. */
interface Listening {
  readonly host: string;
  readonly port: number | undefined;
  readonly flags: '--' | '--ops-' | '--dpmaster-' | '--beacon-';
}

/** What a process listens on: a part of a Deployment. */
interface Listeners {
  readonly config: Pick<Config, 'host' | 'port' | 'opsHost' | 'opsPort' | 'beaconPort'>;
  readonly registries: readonly { readonly config: Pick<Config, 'dpmasterHost' | 'dpmasterPort'> }[];
}

/** Gives any other error its own message. */
export function explainListenError(error: unknown, deployment: Listeners): Error {
  const isCause = [OpsPortError, UdpPortError, BeaconPortError].some((kind) => error instanceof kind);
  const reason = (isCause ? (error as Error).cause : error) as NodeJS.ErrnoException;
  return new Error(messageOf(reason, listeningOf(error, deployment)), { cause: error });
}

function listeningOf(error: unknown, { config, registries }: Listeners): Listening {
  const { host, port, opsHost, opsPort, beaconPort } = config;
  if (error instanceof OpsPortError) return { host: opsHost, port: opsPort, flags: '--ops-' };
  if (error instanceof BeaconPortError) return { host, port: beaconPort, flags: '--beacon-' };
  if (!(error instanceof UdpPortError)) return { host, port, flags: '--' };
  const udp = registries.find(({ config: own }) => own.dpmasterPort !== undefined)?.config;
  return { host: udp?.dpmasterHost.join(' or ') ?? host, port: udp?.dpmasterPort, flags: '--dpmaster-' };
}

function messageOf({ code, message }: NodeJS.ErrnoException, { host, port, flags }: Listening): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is already in use: stop the program that uses it, or choose another port with ${flags}port`;
    case 'EACCES':
      return `port ${port} is not allowed for this user: choose one above 1023 with ${flags}port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is not an address of this machine: choose another with ${flags}host`;
    default:
      return message;
  }
}
