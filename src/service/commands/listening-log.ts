/** The lines of the log about a service that has just begun to listen. */

import type { Config } from '../config/config.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { REGISTER_PATHS } from '../../protocols/protocol.ts';
import type { Listening } from '../workers/messages.ts';

/** An empty GSLS_KEY counts as none, and it may be a key that got lost. */
export function warnWithoutKey(logger: Logger, { authKeys }: Config, { url }: Listening): void {
  if (authKeys.length === 0)
    logger.warn(
      {},
      `no key is set: any client that can reach port ${new URL(url).port} may read and write; see --key`,
    );
}

/** `protocols`: the names of the protocols of other games that are spoken over HTTP. */
export function logListening(
  logger: Logger,
  { url, browseUrl, opsUrl }: Listening,
  { protocols }: Pick<Config, 'protocols'>,
  facts: Readonly<Record<string, string | number>>,
): void {
  const people = browseUrl === undefined ? '' : `, for people on ${browseUrl}`;
  const operations = opsUrl === undefined ? '' : `, for operators on ${opsUrl}`;
  logger.info(
    { url, ...(browseUrl && { browseUrl }), ...(opsUrl && { opsUrl }), ...facts },
    `listening on ${url}${people}${operations}`,
  );
  for (const name of protocols) {
    const registerUrl = url + REGISTER_PATHS[name];
    logger.info({ registerUrl }, `games that speak the protocol of ${name} register at ${registerUrl}`);
  }
}
