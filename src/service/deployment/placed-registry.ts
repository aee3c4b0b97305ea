/** The registries of a configuration file, each with its place: judged for itself, and beside the others. */

import { join } from 'node:path';
import { Guard } from '../../api/http/guard.ts';
import type { Key, KeyRing } from '../../api/http/key-ring.ts';
import { compileOwn, type Config, type ConfigSources, type KeysThere } from '../config/config.ts';
import { parseName } from '../config/option-parsers.ts';
import { OPTIONS } from '../config/options.ts';
import type { RegistryInFile } from './config-file.ts';
import { keysFor } from './keys-in-file.ts';
import type { Placed } from './yaml-file.ts';

/** A registry, and how requests say that they are for it. */
export interface PlacedRegistry {
  readonly name: string;
  /** The path on every host that is not a registry's own, such as /racer; '' is the root. */
  readonly path: string | undefined;
  /** The hosts that are its own, in lower case. */
  readonly hosts: readonly string[];
  readonly config: Config;
  readonly keys: KeysThere;
}

/** What a registry of the file is judged with. */
export interface Around extends Pick<ConfigSources, 'readFile'> {
  readonly shared: Config;
  readonly isShaky: boolean;
  readonly keys: readonly Key[];
}

/** Throws a ConfigError with all that is wrong with the registry itself. */
export function placed(
  { name, path, hosts, redisName, options, detailsSchema }: RegistryInFile,
  { shared, isShaky, keys, readFile }: Around,
): PlacedRegistry {
  const problems: string[] = [];
  const isRight = <T>(said: Placed<T> | undefined, complaint: string, holds: (value: T) => boolean): void => {
    if (said !== undefined && !holds(said.value)) problems.push(`${said.source} ${complaint}`);
  };
  isRight(
    name,
    'is no name of a registry: it must be 1 to 64 letters, digits, dots, dashes or underscores',
    isName,
  );
  isRight(path, 'must be like /racer, and must not begin with a path of the service itself', isPath);
  isRight(redisName, 'must be a name in Redis, or empty', (text) => text === '' || isName(text));
  isRight(hosts, 'must be host names such as list.example.com, without a port', (all) => all.every(isHost));
  const own = compileOwn(shared, options, readFile, {
    keysOfFile: keysFor(keys, name.value),
    isShaky,
    problems,
    ...(detailsSchema !== undefined && { detailsSchema }),
  });
  const at = path === undefined ? (hosts === undefined ? `/${name.value}` : undefined) : path.value;
  const { dataFile, publicUrl } = own;
  return {
    name: name.value,
    path: at === '/' ? '' : at,
    hosts: (hosts?.value ?? []).map((host) => host.toLowerCase()),
    keys: keysFor(keys, name.value, shared),
    config: {
      ...own,
      registry: redisName?.value ?? name.value,
      pageTitle: own.given.pageTitle === undefined ? name.value : own.pageTitle,
      dataFile: dataFile && join(dataFile, `${name.value}.data`),
      // What all share is the address of the service, below which this registry has its path.
      publicUrl:
        options.publicUrl === undefined && publicUrl ? at && publicUrl.replace(/\/?$/, at) : publicUrl,
    },
  };
}

/** The guard of a registry: keys name it as the configuration file does, whatever its name in Redis. */
export function guardOf({ name: registry, config: { publicRead } }: PlacedRegistry, ring: KeyRing): Guard {
  return new Guard({ ring, registry, publicRead });
}

function isName(name: string): boolean {
  try {
    return parseName(name) === name && !/^\.+$/.test(name);
  } catch {
    return false;
  }
}

/** The first parts of the paths of every registry, and of the process: a test holds that all are here. */
export const OWN_PATHS: readonly string[] = (
  'admin badge.svg beacons broadcast browse changes ddnet debug desk docs doctor favicon.ico health history ' +
  'join livez luanti metrics openapi.json ping readyz remove report servers stats'
).split(' ');

function isPath(path: string): boolean {
  if (path === '/') return true;
  const parts = /^(?:\/[\w~-][\w.~-]*){1,8}$/.test(path) ? path.slice(1).split('/') : [];
  return parts.length > 0 && path.length <= 200 && !OWN_PATHS.includes(parts[0]!);
}

function isHost(host: string): boolean {
  return /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/i.test(host);
}

/** What is wrong with registries that are right each for itself. */
export function* contradictionsAmong(
  inFile: readonly RegistryInFile[],
  registries: readonly PlacedRegistry[],
  config: Config | undefined,
): Generator<string> {
  const needsSeveral = (['registryIndex', 'totalServers', 'totalStreams'] as const).flatMap(
    (name) => config?.given[name]?.source ?? [],
  );
  if (inFile.length === 0) {
    for (const source of needsSeveral) yield `${source} needs a configuration file that names registries`;
    return;
  }
  const index = config?.given.registryIndex?.source;
  if (index !== undefined && registries.some(({ path }) => path === ''))
    yield `${index} cannot be used with a registry at /: the index would be there`;
  const taken = new Map<string, string>();
  const sourceOf = new Map(
    inFile.map(({ name, path, hosts }) => [name.value, (path ?? hosts ?? name).source]),
  );
  for (const { name, path, hosts, config: own } of registries) {
    const udp = own.dpmasterPort === undefined ? [] : [`UDP port ${own.dpmasterPort}`];
    const store =
      own.dataFile === undefined ? `the name "${own.registry}" in Redis` : own.dataFile.toLowerCase();
    for (const place of [...(path === undefined ? [] : [path || '/']), ...hosts, ...udp, store]) {
      const other = taken.get(place);
      if (other === undefined) taken.set(place, name);
      else yield `${sourceOf.get(name)} is taken: ${other} has ${place} already`;
    }
  }
  const given = config?.given.registry?.source;
  if (given !== undefined)
    yield `${given} names one registry, and the configuration file names several: leave ${OPTIONS.registry.flag} out`;
}
