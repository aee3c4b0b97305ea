/** The keys of the configuration file: what each may do, where, and until when. No message repeats a key. */

import { SCOPES, sha256Of, type FlagKeys, type Key, type Scope } from '../../api/http/key-ring.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { KeyInFile } from './config-file.ts';
import type { KeysThere } from '../config/config.ts';
import { readLines, type ReadFile } from '../config/option-files.ts';

/** A key that is shorter can be guessed by trying. */
const SHORTEST_SAFE_KEY = 16;

/** A key of the file has a name. */
type NamedKey = Key & { readonly name: string };

export interface ReadKeys {
  readonly keys: readonly NamedKey[];
  /** What is wrong, a line each. */
  readonly problems: readonly string[];
  /** What an operator should know, a line each. */
  readonly warnings: readonly string[];
}

/** `registryNames`: those of the file; undefined where it names none. */
export function readKeys(
  keysInFile: readonly KeyInFile[],
  registryNames: readonly string[] | undefined,
  readFile: ReadFile,
): ReadKeys {
  const [keys, problems, warnings]: [NamedKey[], string[], string[]] = [[], [], []];
  const [byName, byDigest] = [new Map<string, NamedKey>(), new Map<string, NamedKey>()];
  for (const keyInFile of keysInFile)
    try {
      const { key, warning } = readKey(keyInFile, registryNames, readFile);
      const twin = byName.get(key.name) ?? byDigest.get(key.sha256);
      if (twin !== undefined)
        throw new UsageError(
          `${keyInFile.source} ${twin.name === key.name ? `has the name of another one, ${key.name}` : `is the same as ${twin.name}`}`,
        );
      keys.push(key);
      byName.set(key.name, key);
      byDigest.set(key.sha256, key);
      if (warning !== undefined) warnings.push(warning);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  return { keys, problems, warnings };
}

/** What the keys mean for requests to a registry: those of the file, and those of flags and variables. */
export function keysFor(keys: readonly Key[], registry: string, flags: FlagKeys = NO_FLAG_KEYS): KeysThere {
  const here = keys.filter(({ registries }) => registries === undefined || registries.includes(registry));
  const isAny = (scope: Scope): boolean => here.some(({ may }) => may.includes(scope));
  const hasKey = flags.authKeys.length > 0;
  return {
    areNeeded: hasKey || here.some(({ may }) => may.some((scope) => scope !== 'operate')),
    mayAnnounce: hasKey || isAny('announce'),
    mayModerate: flags.adminKeys.length > 0 || isAny('moderate'),
  };
}

const NO_FLAG_KEYS: FlagKeys = { authKeys: [], adminKeys: [] };

function readKey(
  { source, name, sha256, file, may, registries, until }: KeyInFile,
  registryNames: readonly string[] | undefined,
  readFile: ReadFile,
): { readonly key: NamedKey; readonly warning: string | undefined } {
  const named = oneOf(name, `${source} needs a name`);
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u.test(named))
    throw new UsageError(`${name!.source} must be 1 to 64 letters, digits, spaces, or . _ @ -`);
  if ((sha256 === undefined) === (file === undefined))
    throw new UsageError(`${source} ${named} needs a sha256 or a file, and not both`);
  const text = file && oneLine(file, readFile);
  const isShort = text !== undefined && text.length < SHORTEST_SAFE_KEY;
  return {
    key: {
      name: named,
      sha256: text === undefined ? digestOf(sha256!) : sha256Of(text),
      may: scopesOf(source, may),
      ...(registries && { registries: knownOf(registries, registryNames) }),
      ...(until && { until: timeOf(until) }),
    },
    warning: isShort
      ? `the key ${named} is shorter than ${SHORTEST_SAFE_KEY} characters, and may be guessed: gsls key new makes a better one`
      : undefined,
  };
}

type Said = KeyInFile['name'];

function oneOf(said: Said, complaint: string): string {
  if (said?.value.length !== 1) throw new UsageError(said ? `${said.source} must be one text` : complaint);
  return said.value[0]!;
}

function oneLine({ value: [path], source }: NonNullable<Said>, readFile: ReadFile): string {
  try {
    const [text, ...others] = readLines('key file', path!, readFile, 'nobody could use it');
    if (others.length === 0) return text!;
    throw new UsageError(`the key file ${path} holds several keys: here it must hold one`);
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`);
  }
}

function digestOf(sha256: NonNullable<Said>): string {
  const digest = sha256.value.join(' ').toLowerCase();
  if (digest === sha256Of(''))
    throw new UsageError(`${sha256.source} is that of an empty text, which is no key`);
  if (/^[\da-f]{64}$/.test(digest)) return digest;
  throw new UsageError(`${sha256.source} must be the SHA-256 of a key, 64 hexadecimal digits`);
}

function scopesOf(source: string, may: Said): readonly Scope[] {
  if (may === undefined || may.value.length === 0)
    throw new UsageError(`${may?.source ?? `${source} needs may:`} one or more of ${SCOPES.join(', ')}`);
  return may.value.map((word) => {
    const scope = SCOPES.find((each) => each === word);
    if (scope === undefined)
      throw new UsageError(
        `${may.source} must be of ${SCOPES.join(', ')}, not "${word}"${didYouMean(word, SCOPES)}`,
      );
    return scope;
  });
}

function knownOf({ value, source }: NonNullable<Said>, names: readonly string[] = []): readonly string[] {
  const unknown = value.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${source} there is no registry ${unknown}${didYouMean(unknown, names)}`);
  if (value.length === 0) throw new UsageError(`${source} must name a registry, or be left out for all`);
  return value;
}

/** A day begins at midnight UTC. */
function timeOf(until: NonNullable<Said>): number {
  const text = until.value.join(' ');
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(
    `${until.source} must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00Z`,
  );
}
