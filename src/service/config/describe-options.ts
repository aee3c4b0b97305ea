/**
 * The options in force, for operators: each with its value and where that comes from. A secret is never in it, only how
 * many there are.
 */

import type { Config, OptionName } from './config.ts';
import { HIDDEN, type OptionDefinition } from './option.ts';
import { OPTIONS } from './options.ts';
import type { Guard } from '../../api/http/auth.ts';

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
  const names = Object.keys(OPTIONS) as OptionName[];
  return names.map((name) => {
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
  readonly config: Config;
  readonly facts: { readonly version?: string; readonly nodeVersion?: string };
  readonly guard: Pick<Guard, 'counts'>;
  /** The secrets of the operator that are in force. */
  readonly tokenSecrets: () => readonly string[];
}

/**
 * Renders the answer of /debug/config: the version of the program, its start, and the options in force at each call.
 */
export function createDescription({ config, facts, guard, tokenSecrets }: DescribedService): () => object {
  const startedAt = new Date().toISOString();
  return () => ({
    version: facts.version,
    node: facts.nodeVersion,
    started_at: startedAt,
    options: describeOptions(config, {
      key: guard.counts.authKeys,
      adminKey: guard.counts.adminKeys,
      tokenSecret: tokenSecrets().length,
    }),
  });
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
