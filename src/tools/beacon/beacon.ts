/**
 * `gsls beacon`: a fixed point whose distance game servers and readers measure. With --measure it measures those of a
 * service from here instead, as the configuration file has it.
 */

import { PER_MINUTE } from '../../api/beacons/beacon.ts';
import { createCommand } from '../../service/commands/create-command.ts';
import { integer, one, parseHost } from '../../service/config/option-parsers.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { parseNetworks } from '../../model/net/networks.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';

const PORT = 53_601;

const EXAMPLES = `
Put it behind a proxy for https, or players' browsers cannot ask it, and name
it in the configuration file of the service:

  beacons:
    fra: { url: https://fra.example.com, place: Frankfurt, latency: { nyc: 82 } }
    nyc: { url: https://nyc.example.com, place: New York }

Examples:
  gsls beacon                                        on port 53601
  gsls beacon --host 127.0.0.1 --trust-proxy loopback
  gsls beacon --measure https://list.example.com     how far the beacons are
`;

interface BeaconFlags {
  readonly port: number;
  readonly host: string;
  readonly trustProxy?: ReturnType<typeof parseNetworks>;
  readonly perMinute: number;
  readonly measure?: string;
  readonly key?: string;
}

type Run = typeof beAPoint;

/** Its words and its exit code are those of a ClientCommand. `run`: what it does once its words are understood. */
export const createBeaconCommand =
  (run: Run): ClientCommand =>
  async (args, context) => {
    let code = 0;
    const command = createCommand('gsls beacon', 'be a point whose distance game servers and players measure')
      .option(
        '--port <port>',
        'the port to listen on (default: 53601)',
        read('port', integer(0, 65_535)),
        PORT,
      )
      .option(
        '--host <address>',
        'the address to listen on (default: all)',
        read('host', one(parseHost)),
        '::',
      )
      .option(
        '--trust-proxy <networks>',
        'the proxies that name its clients',
        read('trust-proxy', one(parseNetworks)),
      )
      .option(
        '--per-minute <count>',
        'how many requests an address may send (default: 600)',
        read('per-minute', integer(1, 1_000_000_000)),
        PER_MINUTE,
      )
      .option('--measure <url>', 'print how far the beacons of this service are, and end')
      .option('--key <key>', 'the key of the service, better as GSLS_KEY')
      .addHelpText('after', EXAMPLES)
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action(async (flags: BeaconFlags) => {
        code = await run(flags, context);
      });
    await command.parseAsync(args, { from: 'user' });
    return code;
  };

/** Runs until a signal ends it, unless it measures. */
export const beacon = createBeaconCommand(beAPoint);

async function beAPoint(flags: BeaconFlags, context: CommandContext): Promise<number> {
  return flags.measure === undefined ? serve(flags, context) : measure(flags.measure, flags, context);
}

/** A parser for commander, whose complaints name the flag. */
function read<T>(name: string, parse: (texts: readonly string[]) => T): (text: string) => T {
  return (text) => {
    try {
      return parse([text]);
    } catch (error) {
      throw new UsageError(`--${name} ${(error as Error).message}`);
    }
  };
}

async function serve(
  { host, port, trustProxy: trustedProxies, perMinute }: BeaconFlags,
  { stdout }: CommandContext,
): Promise<number> {
  const { startBeacon } = await import('../../api/beacons/beacon.ts');
  const open = await startBeacon({ host, port, trustedProxies, perMinute }).catch(async (error: unknown) => {
    const { explainListenError } = await import('../../service/commands/listen-error.ts');
    const config = { host, port, opsHost: host, opsPort: undefined, beaconPort: undefined };
    throw explainListenError((error as Error).cause, { config, registries: [] });
  });
  stdout.write(`gsls: a beacon on ${open.url}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await open.close();
  return 0;
}

async function measure(
  urlText: string,
  flags: BeaconFlags,
  { environment, stdout }: CommandContext,
): Promise<number> {
  const { keyOf, parseServiceUrl, whyNot } = await import('../asked-service.ts');
  const { createAsk } = await import('../../../clients/typescript/src/ask.ts');
  const { measureFromHere } = await import('../measure-from-here.ts');
  const { httpFetch } = await import('../../runtime/http-fetch.ts');
  const url = parseServiceUrl(urlText).href;
  const ask = createAsk({ url, key: keyOf(flags, environment), fetch: httpFetch });
  const answer = await ask({ method: 'GET', path: '/beacons' });
  if (answer.status === 404) throw new Error(`${url} names no beacons`);
  if (answer.status !== 200) throw whyNot(url, answer);
  const pairs = Object.entries(await measureFromHere(answer)).map(([id, ms]) => `${id}: ${ms}`);
  if (pairs.length === 0) throw new Error(`no beacon of ${url} answers`);
  stdout.write(`latency: { ${pairs.join(', ')} }\n`);
  return 0;
}
