/**
 * `gsls simulate`: the invented game servers of the demo before a service that runs already. It takes them away again,
 * and sends them to nobody who did not ask for them.
 */

import { UsageError } from '../../runtime/usage-error.ts';
import { printable } from '../../model/printable.ts';
import type { WorldCounts } from './world.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';
import { createCommand } from '../../service/commands/create-command.ts';

const DEFAULT_SERVERS = 100;
const MOST_SERVERS = 10_000;
const DEFAULT_SEED = 1;
const MOST_SEED = 2 ** 32 - 1;
const STATUS_EVERY_MS = 1000;
/** The time for the removes at the end. */
const LEAVING_LIMIT_MS = 10_000;
/** A ping comes three times in a TTL. */
const PINGS_A_TTL = 3;

const EXAMPLES = `
Their addresses are those kept for documentation, at which nothing answers: a
service that verifies game servers (--verify) lists them, and does not show
them. All of them come from the address of this machine: quotas and rate
limits of the service hold, unless --quota-exempt lets it in.

Examples:
  gsls simulate http://localhost:53600
  gsls simulate http://localhost:53600 --servers 500
  gsls simulate http://192.168.1.20:53600 --servers 50 --seed 7
  gsls simulate https://test.example.com --host-is test.example.com
`;

interface SimulateFlags {
  readonly servers?: string;
  readonly seed?: string;
  readonly hostIs?: string;
  readonly key?: string;
}

type Run = typeof run;

/** Its words and its exit code are those of a ClientCommand. `act`: what it does once its words are understood. */
export const createSimulateCommand =
  (act: Run): ClientCommand =>
  async (args, context) => {
    let code = 0;
    const command = createCommand(
      'gsls simulate',
      'let invented game servers live before a service; Ctrl-C removes them',
    )
      .argument('<url>', 'of the service')
      .argument('[words...]')
      .usage('[options] <url>')
      .option('--servers <count>', `how many, 1 to ${MOST_SERVERS} (default: ${DEFAULT_SERVERS})`)
      .option('--seed <number>', `another one is another world (default: ${DEFAULT_SEED})`)
      .option('--host-is <name>', 'the host of the URL once more, where that is not private')
      .option('--key <key>', 'the key of the service, better as GSLS_KEY')
      .addHelpText('after', EXAMPLES)
      .configureHelp({ ...createCommand('', '').configureHelp(), visibleArguments: () => [] })
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action(async (url: string, words: readonly string[], flags: SimulateFlags) => {
        if (words.length > 0)
          throw new UsageError(`gsls simulate takes options only behind its URL, and not "${words[0]}"`);
        code = await act(url, flags, context);
      });
    await command.parseAsync(args, { from: 'user' });
    return code;
  };

export const simulate = createSimulateCommand(run);

async function run(urlText: string, flags: SimulateFlags, context: CommandContext): Promise<number> {
  const { environment, stderr } = context;
  const servers = integerOf('--servers', flags.servers, DEFAULT_SERVERS, 1, MOST_SERVERS);
  const seed = integerOf('--seed', flags.seed, DEFAULT_SEED, 0, MOST_SEED);
  const { keyOf, parseServiceUrl } = await import('../asked-service.ts');
  const parsed = parseServiceUrl(urlText);
  await refuseStrangers(parsed.hostname.replace(/^\[(.*)\]$/, '$1'), flags.hostIs);
  const url = parsed.href.replace(/\/$/, '');

  const { inventServers } = await import('./invent-servers.ts');
  const { createRandom } = await import('./random.ts');
  const { MOST_PINGS_A_SECOND, startWorld } = await import('./world.ts');
  const { Progress } = await import('../terminal/progress.ts');
  const isRewriting = stderr.isTTY === true && environment['TERM'] !== 'dumb';
  const progress = new Progress({ output: stderr, now: Date.now, canRewrite: isRewriting });

  const begun = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (isStopping) {
          progress.end();
          stderr.write(`gsls: those that are still listed leave when their TTL is over\n`);
          process.exit(1);
        }
        isStopping = true;
        begun.abort();
        resolve();
      });
  });

  const random = createRandom(seed);
  let count: (() => WorldCounts) | undefined;
  let hasBegun = false;
  const world = await startWorld({
    url,
    key: keyOf(flags, environment),
    servers: inventServers({ count: servers, now: Date.now(), random }),
    random,
    signal: begun.signal,
    admit: (pingIntervalMs) => {
      const most = Math.floor((MOST_PINGS_A_SECOND * pingIntervalMs) / 1000);
      if (servers <= most) return undefined;
      return new UsageError(
        `${servers} game servers that ping every ${pingIntervalMs / 1000} s are too many for one program: give --servers ${most} or fewer, or the service a longer --ttl`,
      );
    },
    onTurn: (counted) => {
      count = counted;
      if (!hasBegun) progress.tell(() => describe(counted(), servers));
    },
  }).finally(() => progress.end());
  hasBegun = true;

  const describeNow = (): string => describe(count!(), servers);
  if (!begun.signal.aborted) {
    progress.say(`${describeNow()} at ${url}; Ctrl-C removes them`);
    progress.end();
    const advice = adviceFor(count!());
    if (advice !== undefined) stderr.write(`gsls: ${advice}\n`);
  }
  // The timers of the world do not keep the process alive.
  const status = setInterval(() => {
    if (isRewriting || count!().refused > 0) progress.tell(describeNow);
  }, STATUS_EVERY_MS);
  await stopped;
  clearInterval(status);
  progress.end();

  const left = await world.close(LEAVING_LIMIT_MS, (still) =>
    progress.tell(() => `removing the game servers: ${still} of ${servers} are left`),
  );
  progress.say(
    left === 0
      ? 'all game servers are removed'
      : `${left} game servers could not be removed: they leave when their TTL is over, after ${(PINGS_A_TTL * world.pingIntervalMs) / 1000} s`,
  );
  progress.end();
  return left === 0 ? 0 : 1;
}

function describe({ listed, refused, hidden, refusal }: WorldCounts, servers: number): string {
  const parts = [`listed ${listed} of ${servers} game servers`];
  if (hidden > 0) parts.push(`${hidden} are not shown: the service verifies them`);
  if (refused > 0)
    parts.push(
      `${refused} are refused: ${printable(refusal!.reason)}${refusal!.code === undefined ? '' : ` (${refusal!.code})`}`,
    );
  return parts.join(', ');
}

/** Returns advice for the operator of the service, if there is any. */
function adviceFor({ refused, refusal }: WorldCounts): string | undefined {
  if (refused === 0 || refusal?.status !== 429) return undefined;
  return `all of them come from one address, and ${refused} were refused: --quota-exempt of the service lets it list more of them, and --rate-limit is for each address`;
}

/** Throws a UsageError if the host of the URL is not this machine, nor private, nor confirmed. */
async function refuseStrangers(host: string, confirmed: string | undefined): Promise<void> {
  if (confirmed !== undefined) {
    if (confirmed.toLowerCase() === host) return;
    throw new UsageError(`--host-is names ${printable(confirmed)}, and the URL ${host}`);
  }
  const { isPrivateHost } = await import('./private-host.ts');
  if (await isPrivateHost(host)) return;
  throw new UsageError(
    `${host} is neither this machine nor in a private network: if the service is yours, repeat its name by --host-is ${host}`,
  );
}

function integerOf(
  flag: string,
  text: string | undefined,
  initial: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return initial;
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${flag} must be an integer from ${least} to ${most}, not "${text}"`);
}
