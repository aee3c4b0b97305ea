/**
 * `gsls check`: what a service with this configuration would serve, and where each value comes from, without its keys;
 * or all that is wrong with it.
 */

import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config.ts';
import {
  describeOptions,
  describePlaces,
  describeRegistry,
  type OptionInForce,
} from '../config/describe-options.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { PlacedRegistry } from '../deployment/placed-registry.ts';
import { counted } from '../../model/counted.ts';
import { DEADLINES } from '../../runtime/deadlines.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { openRedis } from '../open-redis.ts';
import { explain } from '../redis-reasons.ts';

export interface CheckFlags {
  /** Whether to try whether Redis is reached. */
  readonly connect?: true;
  readonly json?: true;
}

/** What came of the check: the text to print, and the exit code. */
export interface CheckOutcome {
  readonly text: string;
  /** 0: all is right. 1: Redis is not reached. 2: something in the configuration is wrong. */
  readonly code: 0 | 1 | 2;
}

/** Rejects with what is no complaint about the configuration. */
export async function check(load: () => Promise<Deployment>, flags: CheckFlags): Promise<CheckOutcome> {
  let deployment: Deployment;
  try {
    deployment = await load();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problems = error instanceof ConfigError ? error.problems : [error.message];
    const text = flags.json ? `${JSON.stringify({ problems })}\n` : `${problems.join('\n')}\n`;
    return { text, code: 2 };
  }
  const unreached = flags.connect && (await whyNotReached(deployment.config));
  const code = unreached === undefined ? 0 : 1;
  return { text: flags.json ? jsonOf(deployment, unreached) : textOf(deployment, flags, unreached), code };
}

/** Why Redis cannot be used; undefined if it can, or is not needed. */
async function whyNotReached({ redisAddress: address }: Config): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const quiet = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const metrics = { redisConnection: undefined };
  const { connection, redis } = await openRedis({ address, logger: quiet, metrics, deadlines: DEADLINES });
  try {
    await connection.firstAttempt;
    const why = await connection.whyDown();
    return why && `Redis at ${redis} is not reached: ${explain(why)}`;
  } finally {
    await connection.close();
  }
}

function jsonOf(deployment: Deployment, unreached: string | undefined): string {
  const { config, warnings } = deployment;
  return `${JSON.stringify({
    options: givenOf(config),
    ...describePlaces(deployment),
    warnings,
    ...(unreached !== undefined && { unreached }),
  })}\n`;
}

function textOf(deployment: Deployment, { connect }: CheckFlags, unreached: string | undefined): string {
  const { config, registries, isNamed, keys, warnings } = deployment;
  const lines = [
    `serves ${isNamed ? counted(registries.length, 'registry', 'registries') : 'one registry'} at port ${config.port}, ${config.redisAddress === undefined ? 'in memory' : 'in Redis'}`,
    ...linesOf(givenOf(config)),
    ...(isNamed ? registries.flatMap((placed) => registryLines(placed, deployment)) : []),
    ...keys.map(
      ({ name, may, registries: at, until }) =>
        `key ${name}: ${may.join(', ')}${at ? ` in ${at.join(', ')}` : ''}${until === undefined ? '' : `, until ${new Date(until).toISOString()}`}`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(unreached === undefined ? [] : [unreached]),
    ...(connect && unreached === undefined && config.redisAddress !== undefined ? ['Redis is reached'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function registryLines(placed: PlacedRegistry, { config }: Deployment): readonly string[] {
  const { name, path, hosts, keys, config: own } = placed;
  const at = [...(path === undefined ? [] : [`${path}/`]), ...hosts].join(' and ');
  const who = !keys.areNeeded ? 'without keys' : own.publicRead ? 'writing needs a key' : 'with keys';
  const { options } = describeRegistry(placed, config);
  return [`registry ${name} at ${at}, ${who}`, ...linesOf(options)];
}

/** The options that are not as they are by default. */
function givenOf(config: Config): readonly OptionInForce[] {
  return describeOptions(config, {}).filter(({ from }) => from !== 'default');
}

function linesOf(options: readonly OptionInForce[]): readonly string[] {
  return options.map(({ flag, value, from }) => `  ${flag.slice(2)} = ${String(value)} (${from})`);
}
