/** `gsls healthcheck`: asks a running replica for its health, for containers, which have no curl. Prints nothing. */

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { keyHeaders } from '../../../clients/typescript/src/ask.ts';
import { parsePeer } from '../../api/http/client.ts';
import { OWN_HEADER } from '../../api/http/server/proxy-protocol.ts';
import type { Config } from '../config/config.ts';
import { counted } from '../../model/counted.ts';
import { parseJson } from '../../model/json.ts';
import { localAddressOf } from './local-address.ts';

/** How long a replica may take for its answer. */
const LIMIT_MS = 2000;

/**
 * Resolves with the health in words; rejects with an Error of one line when the replica is not healthy. It does not use
 * fetch, which refuses some ports (10080) and addresses (fe80::1%eth0) that the service can listen on.
 */
export async function checkHealth(
  config: Pick<Config, 'host' | 'port' | 'authKeys' | 'proxyProtocol' | 'trustProxy'>,
  limitMs = LIMIT_MS,
): Promise<string> {
  const { host, port, url: origin } = localAddressOf(config.host, config.port);
  const url = `${origin}/health`;
  const [key] = config.authKeys;
  const headers = keyHeaders(key);
  const signal = AbortSignal.timeout(limitMs);
  let status: number | undefined;
  let answer: string;
  try {
    const socket = await openConnection({ host, port, signal }, config);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host, port, path: '/health', headers, signal, createConnection: () => socket }, resolve)
        .on('error', reject)
        .end();
    });
    status = response.statusCode;
    answer = await text(response);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = signal.aborted ? `no answer within ${limitMs / 1000} s` : (code ?? message);
    throw new Error(`${url} does not answer: ${reason}`, { cause: error });
  }
  const { server_count: count, error: refusal } = bodyOf(answer);
  const reason = refusal ?? (count === undefined ? 'another program than GSLS listens there' : undefined);
  if (reason !== undefined) throw new Error(`${url} answers ${status}: ${reason}`);
  return `healthy, ${counted(count!, 'server')} listed`;
}

/** Opens a connection as a replica wants it that takes this machine for one of the proxies. */
async function openConnection(
  to: { readonly host: string; readonly port: number; readonly signal: AbortSignal },
  { proxyProtocol, trustProxy }: Pick<Config, 'proxyProtocol' | 'trustProxy'>,
): Promise<Socket> {
  const socket = connect(to);
  await once(socket, 'connect');
  const own = parsePeer(socket.localAddress);
  if (proxyProtocol && own !== undefined && trustProxy?.has(own)) socket.write(OWN_HEADER);
  return socket;
}

function bodyOf(answer: string): { readonly server_count?: number; readonly error?: string } {
  return (parseJson(answer) as object | null | undefined) ?? {};
}
