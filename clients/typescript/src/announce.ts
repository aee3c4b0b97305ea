/** Keeps one game server listed, in the background. */

import { BeaconWatch } from './beacons/beacon-watch.ts';
import { Announcer } from './announcer.ts';
import type { Details } from './details.d.ts';
import { createAsk, type Ask } from './ask.ts';
import { KeptToken } from './kept-token.ts';
import { ListingLoop } from './listing-loop.ts';
import { ListingLog } from './listing-log.ts';
import { filesHere, openTokenFile, type TokenFile } from './token-file.ts';
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
  /** The address by which players reach it. `auto`, as unless it is said: the one that its requests come from. */
  readonly server_ip?: string | undefined;
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
   * The path of a file of this game server alone, where its token outlives it: a game server that starts again keeps
   * its id, after a stop and after a crash. Only its user may read it: it is made with mode 0600; on Windows choose a
   * folder of that user. In Node alone: there is none in a browser.
   */
  readonly tokenFile?: string | undefined;
  /** Whether the beacons that the service names are measured, by which players find what is near. It is the default. */
  readonly measure?: boolean | undefined;
  /**
   * Called with one line for each change: that the game server is listed, or what goes wrong. No line has a token or a
   * key. Without it lines go to `console.warn`, which is the standard error in Node.
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
  stop(options?: StopOptions): Promise<void>;
}

/** How an announcement is stopped. */
export interface StopOptions {
  /** Whether the next start with the same token file gets the id again: so it is unless it is said. */
  readonly keepId?: boolean | undefined;
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
    tell: (_level, text) => tellSafely(options.log ?? toConsole, readable(text)),
  });
  const token = new KeptToken(tokenFileAt(options.tokenFile, log), log);
  const beacons = options.measure === false ? undefined : new BeaconWatch({ ask, environment });
  const announcer = new Announcer({
    ask,
    beacons,
    random: environment.random,
    now: environment.now,
    token: token.first,
    onToken: (next) => token.replace(next),
  });
  const listing: ListingLoop = new ListingLoop({
    announcer,
    environment,
    onTurn: (turn) => log.noteTurn(turn, announcer.id),
  });
  let current = { ...fields };
  let stopped: Promise<void> | undefined;
  const update = (): void => listing.update({ ...current, server_ip: current.server_ip ?? 'auto' });
  update();

  async function stop({ keepId = true }: StopOptions = {}): Promise<void> {
    listing.stop();
    beacons?.stop();
    over.abort();
    await listing.settle();
    const keepsId = keepId && token.isInFile;
    log.noteRemoval(await listing.remove(keepsId), keepsId);
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
      update();
    },
    stop: (how) => (stopped ??= stop(how)),
  };
}

/** The file, where there is one and files can be written. */
function tokenFileAt(path: string | undefined, log: ListingLog): TokenFile | undefined {
  if (path === undefined || path === '') return undefined;
  const fs = filesHere();
  const { process } = globalThis as { readonly process?: { readonly platform: string } };
  if (fs !== undefined) return openTokenFile({ path, fs, isWindows: process?.platform === 'win32' });
  log.noteToken('There are no files here, and the token is not kept. The next start gets another id.');
  return undefined;
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
