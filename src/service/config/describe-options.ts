/**
 * The options in force, for operators: each with its value and where that comes from. A secret is never in it, only how
 * many there are.
 */

import type { Config } from './config.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { PlacedRegistry } from '../deployment/placed-registry.ts';
import { OPTION_NAMES, type OptionName } from './layers.ts';
import { HIDDEN, type OptionDefinition } from './option.ts';
import { OPTIONS } from './options.ts';

export interface OptionInForce {
  readonly flag: string;
  readonly variable: string;
  /** The default may be in words. */
  readonly value: unknown;
  /** How many secrets there are. */
  readonly count?: number;
  /** `flag`, `variable`, `file` (of the option that names one) or `default`; keys may come from two of them. */
  readonly from: string;
}

/** How many secrets of an option are in force, where they can change or be several. */
export type SecretCounts = Readonly<Partial<Record<OptionName, number>>>;

export function describeOptions(config: Config, counts: SecretCounts): readonly OptionInForce[] {
  return OPTION_NAMES.map((name) => {
    const definition: OptionDefinition<unknown> = OPTIONS[name];
    const { flag, variable, secret } = definition;
    const sources = [config.given[name]?.by, secret && isInFile(config, name) ? 'file' : undefined];
    const from = sources.filter((source) => source !== undefined).join(', ') || 'default';
    const isCounted = secret && from !== 'default' && definition.describe === undefined;
    return {
      flag,
      variable,
      value: from === 'default' ? (definition.defaultText ?? definition.default) : shown(config, name),
      ...(isCounted && { count: counts[name] ?? 1 }),
      from,
    };
  });
}

export interface DescribedService {
  readonly facts: { readonly version?: string; readonly nodeVersion?: string };
  /** What is served now. */
  readonly deployment: () => Deployment;
}

/**
 * Renders the answer of /debug/config: the version of the program, its start, and the options in force at each call,
 * with the registries and the keys of a file.
 */
export function createDescription({ facts, deployment }: DescribedService): () => object {
  const startedAt = new Date().toISOString();
  return () => {
    const now = deployment();
    return {
      version: facts.version,
      node: facts.nodeVersion,
      started_at: startedAt,
      options: describeOptions(now.config, countsOf(now.config)),
      ...describePlaces(now),
    };
  };
}

/** The registries of a file that names them, with their places and their own options, and the keys by their names. */
export function describePlaces({ config, registries, isNamed, keys }: Deployment): object {
  return {
    ...(isNamed && { registries: registries.map((placed) => describeRegistry(placed, config)) }),
    ...(keys.length > 0 && {
      keys: keys.map(({ name, may, registries: at, until }) => ({
        name,
        may,
        ...(at && { registries: at }),
        ...(until !== undefined && { until: new Date(until).toISOString() }),
      })),
    }),
  };
}

export interface DescribedRegistry extends Pick<PlacedRegistry, 'name' | 'hosts'> {
  readonly path?: string;
  readonly options: readonly OptionInForce[];
}

/** A registry with its place, and the options that are its own. */
export function describeRegistry(
  { name, path, hosts, config }: PlacedRegistry,
  shared: Config,
): DescribedRegistry {
  const own = describeOptions(config, countsOf(config)).filter((_, index) => {
    const option = OPTION_NAMES[index]!;
    return config.given[option] !== shared.given[option];
  });
  return { name, ...(path !== undefined && { path: path || '/' }), hosts, options: own };
}

function countsOf({ authKeys, adminKeys, tokenSecrets }: Config): SecretCounts {
  return { key: authKeys.length, adminKey: adminKeys.length, tokenSecret: tokenSecrets.length };
}

function isInFile({ given }: Config, name: OptionName): boolean {
  return given[`${name}File` as OptionName] !== undefined;
}

/** Numbers and switches as they are, all else as the texts that were given. */
function shown(config: Config, name: OptionName): unknown {
  const { secret, describe }: OptionDefinition<unknown> = OPTIONS[name];
  const value = config[name];
  if (secret) return describe?.(value) ?? HIDDEN;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const { texts } = config.given[name]!;
  return texts === true ? true : texts.at(-1);
}
