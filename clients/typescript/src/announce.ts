/** Keeps one game server listed, in the background. */

import { Announcer } from './announcer.ts';
import type { Details } from './details.d.ts';
import { createAsk, type Ask } from './ask.ts';
import { ListingLoop } from './listing-loop.ts';
import { ListingLog } from './listing-log.ts';
import { openTokenFile, type FileSystem, type TokenFile } from './token-file.ts';
import { openService, readable } from './service.ts';
import type { ServiceOptions } from './service-options.ts';

/** The fields of a game server as players see them, in the words of the API (docs/api.md). */
export interface GameServerFields extends Details {
  /** The name of its host, which is shown: 1 to 253 characters. */
  readonly server_host: string;
  /** The name that players see: 1 to 128 characters. */
  readonly server_name: string;
  /** The port by which players reach it. */
  readonly server_port: number;
  /** The address by which players reach it; `auto`: the one that its requests come from. */
  readonly server_ip: string;
  /** How many players there are. */
  readonly players: number;
  /** How many players it takes. */
  readonly max_players: number;
  /** In no list, and found by its join code alone, where the service allows it. */
  readonly unlisted?: boolean | undefined;
}

/** How a game server is announced. */
export interface AnnounceOptions extends ServiceOptions {
  /**
   * The path of a file of this game server alone, where its token outlives it: a game server that crashed and starts
   * again keeps its id. Only its user may read it: it is made with mode 0600; on Windows choose a folder of that user.
   * In Node alone: there is none in a browser.
   */
  readonly tokenFile?: string | undefined;
  /**
   * Called with one line for each change: that the game server is listed, or what goes wrong. No line has a token or a
   * key. Without it lines go to `console.warn`.
   */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * `starting` before the first answer, `listed` while the service has the entry, `failing` while it does not or does not
 * answer, `stopped` after `stop()`.
 */
export type AnnouncementState = 'starting' | 'listed' | 'failing' | 'stopped';

/** A game server that is kept listed. */
export interface Announcement {
  /** The state of the announcement. */
  readonly state: AnnouncementState;
  /** The id of the entry. Undefined while there is none. */
  readonly id: string | undefined;
  /** The reason of the last failure, in words. Undefined while all is well. */
  readonly problem: string | undefined;
  /** The last header `Server-Verification` of the service, where it verifies game servers. */
  readonly verification: string | undefined;
  /** The join code by which players find an unlisted entry, as the service has sent it last. */
  readonly joinCode: string | undefined;
  /**
   * Takes over these fields, and keeps the others; the next ping sends them. Undefined takes a field away. Returns at
   * once, and never throws.
   */
  update(fields: Partial<GameServerFields>): void;
  /** Takes the entry off the list. Resolves within two seconds, whatever the service does, and never rejects. */
  stop(): Promise<void>;
}

/** Two seconds for all of the stop, of which the rest of it needs some. */
const STOP_MS = 1900;

/**
 * Keeps a game server listed until it is stopped, in the background, by the rules of docs/game-servers.md. Never throws
 * into the game: what goes wrong is logged when it changes, and it goes on. While it is not stopped it keeps a process
 * of Node running.
 *
 *     const announcement = announce('https://list.example.com', fields);
 *     announcement.update({ players: 5 });
 *     await announcement.stop();
 *
 * Throws a TypeError for a URL or a key that cannot be right.
 */
export function announce(
  url: string | URL,
  fields: GameServerFields,
  options: AnnounceOptions = {},
): Announcement {
  const { environment, timeoutMs, ...service } = openService(url, options);
  const askOnce = createAsk({ ...service, fetch: environment.fetch });
  const over = new AbortController();
  const ask: Ask = (question) =>
    askOnce(
      question.path === '/remove'
        ? { ...question, timeoutMs: Math.min(timeoutMs ?? STOP_MS, STOP_MS) }
        : { ...question, ...(timeoutMs !== undefined && { timeoutMs }), signal: over.signal },
    );
  const log = new ListingLog({
    tell(_level, text, { againInMs }) {
      const pause = againInMs === undefined ? '' : `; again in ${Math.ceil(againInMs / 1000)} s`;
      tellSafely(options.log ?? toConsole, readable(text) + pause);
    },
  });
  const { file, token } = tokenOf(options.tokenFile, log);
  const announcer = new Announcer({
    ask,
    random: environment.random,
    now: environment.now,
    token,
    onToken(next) {
      // The file keeps an old token until there is a new one: another service may accept it.
      const failure = next === undefined ? undefined : file?.write(next);
      if (failure !== undefined) log.noteToken(`the token is not kept: ${failure}`);
      else if (next === undefined)
        log.noteToken(`the token ${whose(file)} is not valid: a new entry is claimed`);
      else log.noteToken(undefined);
    },
  });
  const listing: ListingLoop = new ListingLoop({
    announcer,
    environment,
    onTurn: (turn) => log.noteTurn(turn, announcer.id),
  });
  let current = { ...fields };
  let stopped: Promise<void> | undefined;
  listing.update(current);

  async function stop(): Promise<void> {
    listing.stop();
    over.abort();
    await listing.settle();
    log.noteRemoval(await listing.remove());
  }

  return {
    get state() {
      if (stopped !== undefined) return 'stopped';
      if (log.problem !== undefined) return 'failing';
      return announcer.id === undefined ? 'starting' : 'listed';
    },
    get id() {
      return announcer.id;
    },
    get problem() {
      return log.problem === undefined ? undefined : readable(log.problem);
    },
    get verification() {
      return announcer.verification;
    },
    get joinCode() {
      return announcer.joinCode;
    },
    update(changes) {
      current = { ...current, ...changes };
      listing.update(current);
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Reads the kept token. A file that cannot be used is reported, and does no more harm. */
function tokenOf(
  path: string | undefined,
  log: ListingLog,
): { readonly file?: TokenFile; readonly token?: string | undefined } {
  if (path === undefined || path === '') return {};
  const { process } = globalThis as { readonly process?: NodeProcess };
  const fs = process?.getBuiltinModule?.('node:fs');
  if (fs === undefined) {
    log.noteToken('the token is not kept: there are no files here');
    return {};
  }
  const file = openTokenFile({ path, fs, isWindows: process?.platform === 'win32' });
  const { token, problem } = file.read();
  if (problem !== undefined)
    log.noteToken(token === undefined ? `${problem}: a new entry is claimed` : problem);
  return { file, token };
}

/** The part of Node's `process` that is used, without an import: bundlers for browsers stumble over those of Node. */
interface NodeProcess {
  readonly platform: string;
  readonly getBuiltinModule?: (name: 'node:fs') => FileSystem;
}

function whose(file: TokenFile | undefined): string {
  return file === undefined ? 'of the entry' : `in ${file.path}`;
}

function toConsole(line: string): void {
  // oxlint-disable-next-line no-console
  console.warn(`GSLS: ${line}`);
}

/** A log that fails must not end the listing. */
function tellSafely(log: (line: string) => void, line: string): void {
  try {
    log(line);
  } catch {
    // There is nobody else to tell.
  }
}
