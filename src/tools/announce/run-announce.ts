/** `gsls announce` once its words are understood: its log, its port, its signals and its end. */

import { lookup } from 'node:dns/promises';
import { createAnnouncing, type Sidecar } from './announcing.ts';
import { openSource } from './open-source.ts';
import { createTokenFile } from './token-file.ts';
import { systemEnvironment } from '../../../clients/typescript/src/environment.ts';
import type { AnnounceConfig } from './config/announce-config.ts';
import { createLog, type Log } from '../../runtime/log/log.ts';
import { parseIp } from '../../model/net/ip.ts';
import { printable, printableJson } from '../../model/printable.ts';
import type { CommandContext } from '../client-command.ts';
import { keepHeapSmall } from '../small-heap.ts';
import type { AnnouncedServer } from './announced-server.ts';
import type { BroadcastBody } from './composed-body.ts';

/** The time for the removes at the end. */
const CLOSING_LIMIT_MS = 2000;

/** Resolves with the exit code. Rejects with an Error of one line. */
export async function runAnnounce(
  config: AnnounceConfig,
  tokenFolder: string | undefined,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  // The output is for the next program: the log goes elsewhere.
  const isShort = config.once || config.dryRun;
  const output = isShort ? process.stderr : process.stdout;
  const log = await createLog({
    level: config.dryRun ? 'silent' : config.logLevel,
    format: config.logFormat ?? (output.isTTY || isShort ? 'pretty' : 'json'),
    output,
  });
  // Keys of services are no business of a program that looks at a game server.
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GSLS_')));
  const announcing = createAnnouncing({
    gameServers: config.gameServers,
    openSource: (settings) => openSource(settings, env),
    tokenFileOf: (url, identity) =>
      tokenFolder === undefined
        ? undefined
        : createTokenFile(tokenFolder, url, identity, process.platform === 'win32'),
    keepsIds: !config.removeForGood,
    measures: !config.noMeasure,
    addressesOf,
    environment: systemEnvironment,
    logger: log.logger,
  });
  if (config.dryRun) return dryRun(announcing, stdout, stderr);
  if (config.once) {
    const code = await once(config, announcing, stdout);
    await log.flush();
    return code;
  }
  if (tokenFolder === undefined)
    log.logger.warn({}, 'tokens are not kept, and ids change with each start: give --token-dir');
  return keep(config, announcing, log);
}

async function addressesOf(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => parseIp(address) ?? address);
}

async function dryRun(
  { servers }: Sidecar,
  stdout: CommandContext['stdout'],
  stderr: CommandContext['stderr'],
): Promise<number> {
  const looks = await lookAtAll(servers);
  const bodies = looks.filter((look) => typeof look !== 'string');
  for (const why of looks)
    if (typeof why === 'string') stderr.write(`gsls: nothing would be sent: ${printable(why)}\n`);
  const text = JSON.stringify(servers.length === 1 ? bodies[0] : bodies, undefined, stdout.isTTY ? 2 : 0);
  if (bodies.length > 0) stdout.write(text.split('\n').map(printableJson).join(''));
  return bodies.length === servers.length ? 0 : 1;
}

async function once(
  { gameServers }: AnnounceConfig,
  { servers }: Sidecar,
  stdout: CommandContext['stdout'],
): Promise<number> {
  const results = await broadcastAll(servers);
  const isOne = results.length === 1 && results[0]!.length === 1;
  for (const [at, each] of results.entries())
    for (const { url, id, why } of each)
      if (id !== undefined)
        stdout.write(printable(isOne ? id : `${id} ${url} ${gameServers[at]!.identity}`) + '\n');
      else process.stderr.write(`gsls: ${printable(`not listed at ${url}: ${why}`)}\n`);
  return results.flat().every(({ id }) => id !== undefined) ? 0 : 1;
}

async function keep(
  { gameServers, opsPort, opsHost }: AnnounceConfig,
  announcing: Sidecar,
  { logger, flush }: Log,
): Promise<number> {
  keepHeapSmall();
  if (opsPort !== undefined) {
    const { startOpsServer } = await import('./ops-server.ts');
    const { url } = await startOpsServer({ host: opsHost, port: opsPort, announcing }).catch(
      async (error: unknown) => {
        throw await explainOpsError(error, opsHost, opsPort);
      },
    );
    logger.info({ url }, `operations on ${url}: /readyz, /livez and /metrics`);
  }
  const services = new Set(gameServers.flatMap((each) => each.services.map(({ url }) => url)));
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    let isStopping = false;
    const stop = (name: NodeJS.Signals): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(name);
    };
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, stop);
    logger.info(
      { gameServers: gameServers.length, services: [...services] },
      `keeps ${gameServers.length === 1 ? 'a game server' : `${gameServers.length} game servers`} listed`,
    );
    announcing.start();
  });
  logger.info({ signal }, 'takes its entries off the list; a second signal exits at once');
  const left = await announcing.close(CLOSING_LIMIT_MS);
  if (left > 0) logger.warn({ left }, 'entries are left to their TTL');
  logger.info({}, 'stopped');
  await flush();
  process.exit(0);
}

/** Explains the error in the words of the service, whose code is loaded for this alone. */
async function explainOpsError(error: unknown, host: string, port: number): Promise<Error> {
  const { explainListenError } = await import('../../service/commands/listen-error.ts');
  const { OpsPortError } = await import('../../api/ops/ops-port.ts');
  const cause = new OpsPortError((error as Error).message, { cause: error });
  const config = { host, port, opsHost: host, opsPort: port, beaconPort: undefined };
  return explainListenError(cause, { config, registries: [] });
}

/** The result of one broadcast: of one game server to one service. */
interface Broadcasted {
  readonly url: string;
  /** Undefined: it is not listed there, and `why`. */
  readonly id: string | undefined;
  readonly why: string;
}

/** The most programs and queries that run at the same time. */
const AT_ONCE = 32;

/** The body that would be sent of each game server, or a sentence why none would, in their order. */
function lookAtAll(servers: readonly AnnouncedServer[]): Promise<readonly (BroadcastBody | string)[]> {
  return eachOf(servers, (server) => server.look());
}

/** The results for each game server, in their order, and for each of its services. */
function broadcastAll(servers: readonly AnnouncedServer[]): Promise<readonly (readonly Broadcasted[])[]> {
  return eachOf(servers, async (server) => {
    const body = await server.look();
    return Promise.all(
      server.listings.map(async ({ url, listing }) => {
        if (typeof body === 'string') return { url, id: undefined, why: body };
        const { answer } = await listing.announceOnce(body);
        return { url, id: listing.id, why: answer.reason };
      }),
    );
  });
}

async function eachOf<In, Out>(
  all: readonly In[],
  work: (each: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return results;
}
