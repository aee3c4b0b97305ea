/**
 * What one service serves, and to whom: the options of the process, its registries with their places, and the keys.
 * Without a configuration file, or with one that names no registries, there is one registry, at the root.
 */

import type { Key } from '../../api/http/key-ring.ts';
import { compile, ConfigError, type Config, type ConfigSources } from '../config/config.ts';
import type { ConfigFile } from './config-file.ts';
import { keysFor, readKeys } from './keys-in-file.ts';
import { layerOfFlags, layerOfEnvironment, type OptionLayer } from '../config/layers.ts';
import { readOptionFile } from '../config/option-files.ts';
import { contradictionsAmong, placed, type PlacedRegistry } from './placed-registry.ts';

export interface Deployment {
  /** The options of the process. */
  readonly config: Config;
  readonly registries: readonly PlacedRegistry[];
  /** Whether the file names the registries. Then the root of the service belongs to the process. */
  readonly isNamed: boolean;
  /** The keys of the file. */
  readonly keys: readonly Key[];
  /** What an operator should know, a line each. */
  readonly warnings: readonly string[];
}

/** What a service without a file serves: one registry, at the root. */
export function soleDeployment(config: Config): Deployment {
  return {
    config,
    registries: [sole(config, [])],
    isNamed: false,
    keys: [],
    warnings: [],
  };
}

function sole(config: Config, keys: readonly Key[]): PlacedRegistry {
  const { registry: name } = config;
  return { name, path: '', hosts: [], config, keys: keysFor(keys, name, config) };
}

/** Reads the configuration. Rejects with a ConfigError that has all that is wrong, or another UsageError. */
export async function loadDeployment(sources: ConfigSources): Promise<Deployment> {
  const { layers, file } = await readLayers(sources);
  return deploymentOf(layers, file, sources);
}

/** The options of the process alone, for a command that serves nothing. Rejects likewise. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { layers, file } = await readLayers(sources);
  if (file !== undefined && file.problems.length > 0) throw new ConfigError(file.problems);
  const keys = readKeys(file?.keys ?? [], namesIn(file), sources.readFile).keys;
  return compile(layers, sources.readFile, { keysOfFile: keysFor(keys, '') });
}

interface ReadLayers {
  readonly layers: readonly OptionLayer[];
  readonly file: ConfigFile | undefined;
}

async function readLayers({ flags, environment, readFile }: ConfigSources): Promise<ReadLayers> {
  const given = [layerOfFlags(flags), layerOfEnvironment(environment)];
  const { texts } = given.find(({ config }) => config !== undefined)?.config ?? {};
  if (texts === undefined || texts === true) return { layers: given, file: undefined };
  // The parser of YAML takes a tenth of the start of a service that has no such file.
  const { parseConfigFile } = await import('./config-file.ts');
  const path = texts.at(-1)!;
  const file = parseConfigFile(path, readOptionFile('configuration file', path, readFile));
  return { layers: [...given, file.top], file };
}

function deploymentOf(
  layers: readonly OptionLayer[],
  file: ConfigFile | undefined,
  { readFile }: ConfigSources,
): Deployment {
  const names = namesIn(file);
  const { keys, warnings, problems: wrongKeys } = readKeys(file?.keys ?? [], names, readFile);
  const problems = new Set([...(file?.problems ?? []), ...wrongKeys]);
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      error.problems.forEach((problem) => problems.add(problem));
      return undefined;
    }
  };
  const keysOfFile = names === undefined ? keysFor(keys, '') : anyOf(keys);
  const config = attempt(() => compile(layers, readFile, { keysOfFile, isShared: names !== undefined }));
  const isShaky = config === undefined;
  const shared = config ?? compile([], readFile);
  const registries =
    file?.registries === undefined
      ? [sole(shared, keys)]
      : file.registries.flatMap(
          (registry) => attempt(() => placed(registry, { shared, isShaky, keys, readFile })) ?? [],
        );
  for (const problem of contradictionsAmong(file?.registries ?? [], registries, config))
    problems.add(problem);
  if (problems.size > 0 || config === undefined) throw new ConfigError([...problems]);
  return { config, registries, isNamed: names !== undefined, keys, warnings };
}

function namesIn(file: ConfigFile | undefined): readonly string[] | undefined {
  return file?.registries?.map(({ name }) => name.value);
}

function anyOf(keys: readonly Key[]): ReturnType<typeof keysFor> {
  return { areNeeded: keys.length > 0, mayAnnounce: false, mayModerate: false };
}
