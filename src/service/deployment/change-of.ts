/** What another configuration changes while the process runs, and what has to wait for its next start. */

import { isDeepStrictEqual } from 'node:util';
import { keysOfFlags, type Key } from '../../api/http/key-ring.ts';
import type { Config } from '../config/config.ts';
import type { Deployment } from './deployment.ts';
import type { PlacedRegistry } from './placed-registry.ts';
import { OPTION_NAMES, type OptionName } from '../config/layers.ts';
import { OPTIONS } from '../config/options.ts';

export interface ConfigChange {
  /** What is in force afterwards. */
  readonly deployment: Deployment;
  readonly keys: readonly Key[];
  readonly added: readonly PlacedRegistry[];
  readonly changed: readonly ChangedRegistry[];
  /** The names of those that are served no more. */
  readonly removed: readonly string[];
  /** What changes, in words for the log. */
  readonly words: readonly string[];
  /** What changes at the next start, likewise. */
  readonly atRestart: readonly string[];
}

export interface ChangedRegistry {
  readonly placed: PlacedRegistry;
  /** Whether something was made from what has changed. */
  readonly opensAnew: boolean;
}

/** The keys are in force as they are read. */
const KEYS: readonly OptionName[] = ['key', 'keyFile', 'adminKey', 'adminKeyFile'];
/** The process has them for all registries, and each registry one of its own, made from that. */
const OF_EACH: readonly OptionName[] = ['registry', 'dataFile'];
/** A registry reads them where they count. */
const READ_ANEW: readonly OptionName[] = ['tokenSecret', 'tokenSecretFile'];
/** A registry in memory is made from them, and stays when all around it is opened anew. */
const BUILT_IN: readonly OptionName[] = [
  'ttl',
  'keepId',
  'uniqueAddress',
  'serverHistoryMost',
  'noMassExpiryHold',
  'verify',
  'unverified',
  'verifySource',
  'maxProtocolBytesPerAddress',
];

export function changeOf(now: Deployment, next: Deployment, isInRedis: boolean): ConfigChange {
  const ofProcess = OPTION_NAMES.filter((name) => OPTIONS[name].scope === 'process' && !KEYS.includes(name));
  const stays = isInRedis ? ofProcess : [...ofProcess, ...BUILT_IN];
  const atRestart = changedOptions(now.config, next.config, ofProcess).map((name) => OPTIONS[name].flag);
  const sameKind = now.isNamed === next.isNamed;
  if (!sameKind) atRestart.push('registries');
  const before = new Map(now.registries.map((placed) => [placed.name, placed]));
  const registries = sameKind
    ? next.registries.map((placed) => {
        const known = before.get(placed.name) ?? { config: now.config };
        const kept = before.has(placed.name) ? stays : ofProcess.filter((name) => !OF_EACH.includes(name));
        if (now.isNamed && before.has(placed.name) && known.config.registry !== placed.config.registry)
          atRestart.push(`redis-name of ${placed.name}`);
        if (before.has(placed.name) && !isInRedis)
          for (const name of changedOptions(known.config, placed.config, BUILT_IN))
            atRestart.push(now.isNamed ? `${OPTIONS[name].flag} of ${placed.name}` : OPTIONS[name].flag);
        return { ...placed, config: keeping(kept, known.config, placed.config) };
      })
    : now.registries;
  const keys = [...keysOfFlags(next.config), ...next.keys];
  const changed = registries.flatMap((placed) => {
    const known = before.get(placed.name);
    return known === undefined ? [] : (changeOfRegistry(known, placed) ?? []);
  });
  const added = registries.filter(({ name }) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !registries.some((placed) => placed.name === name));
  const hasOtherKeys = !isDeepStrictEqual(keys, [...keysOfFlags(now.config), ...now.keys]);
  return {
    deployment: {
      ...next,
      isNamed: now.isNamed,
      config: keeping(ofProcess, now.config, next.config),
      registries,
    },
    keys,
    added,
    changed: changed.map(({ placed, opensAnew }) => ({ placed, opensAnew })),
    removed,
    words: [
      ...(hasOtherKeys ? ['keys'] : []),
      ...added.map(({ name }) => `${name} is new`),
      ...removed.map((name) => `${name} is gone`),
      ...changed.flatMap(({ placed: { name }, words }) =>
        words.map((word) => (now.isNamed ? `${word} of ${name}` : word)),
      ),
    ],
    atRestart: [...new Set(atRestart)],
  };
}

function changeOfRegistry(
  known: PlacedRegistry,
  placed: PlacedRegistry,
): (ChangedRegistry & { readonly words: readonly string[] }) | undefined {
  const names = changedOptions(known.config, placed.config, OPTION_NAMES);
  const hasOtherSecrets = !isDeepStrictEqual(known.config.tokenSecrets, placed.config.tokenSecrets);
  const hasOtherSchema = !isDeepStrictEqual(known.config.detailsSchemaJson, placed.config.detailsSchemaJson);
  const hasMoved = !isDeepStrictEqual([known.path, known.hosts], [placed.path, placed.hosts]);
  const opensAnew =
    names.some((name) => !KEYS.includes(name) && !READ_ANEW.includes(name)) ||
    hasOtherSchema ||
    known.path !== placed.path ||
    !isDeepStrictEqual(known.keys, placed.keys);
  const words = [
    ...names.filter((name) => !KEYS.includes(name)).map((name) => OPTIONS[name].flag.slice(2)),
    ...(hasOtherSecrets && !names.some((name) => READ_ANEW.includes(name)) ? ['token-secret'] : []),
    ...(hasOtherSchema && !names.includes('detailsSchema') ? ['details'] : []),
    ...(hasMoved ? ['place'] : []),
  ];
  if (!opensAnew && words.length === 0 && known.config.given === placed.config.given) return undefined;
  return { placed, opensAnew, words };
}

/** The options of these names that are given in another way. */
function changedOptions(one: Config, other: Config, names: readonly OptionName[]): OptionName[] {
  return names.filter((name) => !isDeepStrictEqual(one.given[name]?.texts, other.given[name]?.texts));
}

/** The other configuration, with what the first has of these options. */
function keeping(names: readonly OptionName[], first: Config, other: Config): Config {
  const [values, given] = [{ ...other } as Record<string, unknown>, { ...other.given }];
  for (const name of names) {
    values[name] = first[name];
    if (first.given[name] === undefined) delete given[name];
    else given[name] = first.given[name];
  }
  return { ...(values as unknown as Config), redisAddress: first.redisAddress, given };
}
