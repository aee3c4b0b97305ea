/** The lines of the log about a service that has just begun to listen. */

import type { Deployment } from '../deployment/deployment.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { REGISTER_PATHS } from '../../protocols/protocol.ts';
import type { Listening } from '../workers/messages.ts';

/** How many registries a line of the log names. */
const MOST_NAMED = 20;

/** An empty GSLS_KEY counts as none, and it may be a key that got lost. */
export function warnWithoutKey(
  logger: Logger,
  { registries, isNamed }: Deployment,
  { url }: Listening,
): void {
  const open = registries
    .filter(({ keys, config }) => !keys.areNeeded && config.mirrors.length === 0)
    .map(({ name }) => name);
  if (open.length === 0) return;
  const { port } = new URL(url);
  if (isNamed)
    logger.warn(
      { count: open.length, registries: open.slice(0, MOST_NAMED) },
      `some registries have no key: any client that can reach port ${port} may read and write there`,
    );
  else logger.warn({}, `no key is set: any client that can reach port ${port} may read and write; see --key`);
}

/** Says where the service is reached, and where games register that speak other protocols over HTTP. */
export function logListening(
  logger: Logger,
  { url, browseUrl, opsUrl }: Listening,
  { registries, isNamed }: Deployment,
  facts: Readonly<Record<string, string | number>>,
): void {
  const people = browseUrl === undefined ? '' : `, for people on ${browseUrl}`;
  const operations = opsUrl === undefined ? '' : `, for operators on ${opsUrl}`;
  logger.info(
    { url, ...(browseUrl && { browseUrl }), ...(opsUrl && { opsUrl }), ...facts },
    `listening on ${url}${people}${operations}`,
  );
  if (isNamed) logger.info({ registries: registries.length }, `serving ${registries.length} registries`);
  for (const { path, config } of registries)
    for (const name of path === undefined || config.mirrors.length > 0 ? [] : config.protocols) {
      const registerUrl = url + path + REGISTER_PATHS[name];
      logger.info({ registerUrl }, `games that speak the protocol of ${name} register at ${registerUrl}`);
    }
}
