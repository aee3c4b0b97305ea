/** Asks a running replica how it is: for containers, which have no curl. */

import type { Config } from './config.ts';

const TIMEOUT_MS = 2000;

/** Resolves with what a healthy replica says, in words; rejects with an Error of one line. */
export async function checkHealth(config: Pick<Config, 'host' | 'port' | 'authKeys'>): Promise<string> {
  const everywhere = config.host === '::' || config.host === '0.0.0.0';
  const host = everywhere ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${config.port}/health`;
  const [key] = config.authKeys;
  let response: Response;
  try {
    response = await fetch(url, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(
      `${url} does not answer: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}`,
      { cause: error },
    );
  }
  const body = (await response.json()) as { server_count?: number; error?: string };
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${body.error ?? ''}`);
  return `healthy, ${body.server_count} servers listed`;
}
