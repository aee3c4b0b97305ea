/**
 * The last list in a file, for the time when no service answers. Whoever reads the file finds a whole list; a file that
 * cannot be used is no reason to fail. It is loaded where a file is named.
 */

import type { Environment } from '../environment.ts';
import type { ContactState } from '../feed/contact-state.ts';
import type { ServiceError } from '../service-error.ts';
import { codeOf, filesHere, replaceFile } from '../token-file.ts';
import type { ListedServer, ListServer, ToldChanges } from '../../../../src/model/view/listed-server.ts';

/** The pause between two looks at a list that is followed, ms: it is written no more often than that. */
const LOOK_MS = 5000;
/** A list that has not changed is written again after this time, in ms: the file says when it was current. */
const REWRITE_MS = 60_000;

/** Whether a value is a server with the fields that the reader needs. */
type IsOne<T> = (value: unknown) => value is T;

interface Listed {
  readonly servers: readonly ListServer[];
  readonly staleSince: Date | undefined;
  readonly etag: string | undefined;
}

/** Resolves as `listed`, and writes that list; if no service answers, with the list in the file, if there is one. */
export async function keepListed(
  path: string,
  isOne: IsOne<ListServer>,
  listed: Promise<Listed>,
  { now }: Pick<Environment, 'now'>,
  signal: AbortSignal | undefined,
): Promise<Listed> {
  try {
    const list = await listed;
    write(path, list.servers, list.staleSince?.getTime() ?? now());
    return list;
  } catch (error) {
    const { status, code } = error as ServiceError;
    const isRefused = code !== undefined && [400, 401, 403].includes(status);
    const { kept } = signal?.aborted || isRefused ? {} : read(path, isOne);
    if (kept === undefined) throw error;
    return { servers: kept.servers, staleSince: new Date(kept.asOf), etag: undefined };
  }
}

/** The list of a watch, and its file. */
export interface WatchedFile {
  /** A service has told the list, or a change of it. */
  heard(): void;
  /** What the state is to those who see the list of the file meanwhile: they get it once nothing answers. */
  stateOf(state: ContactState): ContactState;
  /** Writes the list once more. */
  stop(): void;
}

interface Known {
  readonly all: readonly ListedServer[];
  takeChanges(changes: ToldChanges): void;
}

/** `log`: is told what is wrong with the file. */
export function keepWatched(
  path: string,
  isOne: IsOne<ListedServer>,
  known: Known,
  { now, after }: Pick<Environment, 'now' | 'after'>,
  // oxlint-disable-next-line no-console
  log: (line: string) => void = (line) => console.warn(`GSLS: ${line}`),
): WatchedFile {
  const { kept, problem } = read(path, isOne);
  let told = problem;
  if (problem !== undefined) log(problem);
  let isTold = false;
  let isShown = false;
  let isChanged = false;
  let writtenAt = 0;
  let last: ContactState = { is: 'connecting' };
  const save = (): void => {
    isChanged = false;
    writtenAt = now();
    const asOf = (last.is === 'stale' || last.is === 'away' ? last.asOf : undefined) ?? now();
    const failure = write(path, known.all, asOf);
    if (failure !== undefined && failure !== told) log(failure);
    told = failure;
  };
  let cancel = after(LOOK_MS, function look() {
    if (isChanged || (isTold && now() - writtenAt >= REWRITE_MS)) save();
    cancel = after(LOOK_MS, look);
  });
  return {
    heard() {
      isTold = true;
      isChanged = true;
    },
    stateOf(state) {
      last = state;
      if (isTold || kept === undefined || state.is !== 'away') return state;
      if (!isShown) known.takeChanges({ full: true, servers: kept.servers, removed: [] });
      isShown = true;
      return { ...state, asOf: kept.asOf };
    },
    stop() {
      cancel();
      if (isTold) save();
    },
  };
}

interface ReadList<T> {
  /** `asOf`: when the servers were current. ms. */
  readonly kept?: { readonly servers: readonly T[]; readonly asOf: number };
  /** Why there is no list, as a sentence; undefined, too, where there is no file yet. */
  readonly problem?: string;
}

function read<T>(path: string, isOne: IsOne<T>): ReadList<T> {
  try {
    const text = filesHere()?.readFileSync(path, 'utf8');
    return text === undefined
      ? { problem: 'There are no files here, and the list is not kept.' }
      : (parse(text, isOne) ?? { problem: `The file ${path} holds no list.` });
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? {} : { problem: `The file ${path} cannot be read: ${code}.` };
  }
}

function parse<T>(text: string, isOne: IsOne<T>): ReadList<T> | undefined {
  try {
    const { servers, as_of: told } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const asOf = Date.parse(String(told));
    return Array.isArray(servers) && servers.every(isOne) && asOf > 0
      ? { kept: { servers, asOf } }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a sentence on why it failed, or undefined. */
function write(path: string, servers: readonly object[], asOf: number): string | undefined {
  try {
    const fs = filesHere();
    if (fs !== undefined)
      replaceFile(fs, path, JSON.stringify({ as_of: new Date(asOf).toISOString(), servers }));
    return undefined;
  } catch (error) {
    return `The list cannot be kept in ${path}: ${codeOf(error)}.`;
  }
}
