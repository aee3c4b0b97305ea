/**
 * One game server that is kept listed: its state goes to its listings, one at each of its services, which know nothing
 * of each other. It reports to the person who runs it when the game server goes away, and when it is back.
 */

import type { ServiceAnswer } from '../../../clients/typescript/src/ask.ts';
import { Announcer } from '../../../clients/typescript/src/announcer.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { ListingLoop } from '../../../clients/typescript/src/listing-loop.ts';
import { ListingLog } from '../../../clients/typescript/src/listing-log.ts';
import type { GameServerSettings } from './config/announce-config.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { bodyOf, type BroadcastBody } from './composed-body.ts';
import type { Counts } from './counts.ts';
import { GameWatch, type GamePresence } from './game-watch.ts';
import type { ServiceLink } from './service-link.ts';
import type { Reading, Source } from './sources/game-state.ts';
import { KeptToken } from '../../../clients/typescript/src/kept-token.ts';
import type { TokenFile } from '../../../clients/typescript/src/token-file.ts';

export interface AnnouncedServerOptions {
  readonly settings: GameServerSettings;
  readonly source: Source;
  readonly linkOf: (settings: GameServerSettings['services'][number]) => ServiceLink;
  /** Undefined where tokens are not kept. */
  readonly tokenFileOf: (url: string, identity: string) => TokenFile | undefined;
  /** Whether the next start gets the ids again that are removed. */
  readonly keepsIds: boolean;
  readonly environment: Omit<Environment, 'fetch'>;
  readonly logger: Logger;
  readonly counts: Counts;
}

/** A listing with its log. */
export interface ToldListing {
  readonly url: string;
  readonly listing: ListingLoop;
  readonly log: ListingLog;
  readonly token: KeptToken;
}

export class AnnouncedServer {
  readonly listings: readonly ToldListing[];
  readonly #options: AnnouncedServerOptions;
  #watch: GameWatch | undefined;
  /** The `what` of the last line about the game server itself. */
  #told = '';

  constructor(options: AnnouncedServerOptions) {
    this.#options = options;
    this.listings = options.settings.services.map((service) => openListing(service, options));
  }

  /** The state of the game server, for the probes and the metrics. */
  get standing(): GamePresence {
    return this.#watch?.standing ?? 'unknown';
  }

  /** Whether the game is there, and at least one of its services has it. */
  get isListed(): boolean {
    return this.standing === 'up' && this.listings.some(({ listing }) => listing.isListed);
  }

  start(firstAfterMs: number): void {
    const { source, settings, environment } = this.#options;
    this.#watch = new GameWatch({
      source,
      environment,
      intervalMs: settings.queryIntervalMs,
      firstAfterMs,
      onReading: (reading, standing) => this.#take(reading, standing),
    });
  }

  /** Ends all reads and all announcements. */
  stop(): void {
    this.#watch?.close();
    for (const { listing } of this.listings) listing.stop();
  }

  /** Removes the entries after stop(). Resolves with how many are left to their TTL. */
  async remove(): Promise<number> {
    const { keepsIds } = this.#options;
    const left = await Promise.all(
      this.listings.map(async ({ listing, log, token }) => {
        const keepsId = keepsIds && token.isInFile;
        const answer = await listing.remove(keepsId);
        log.noteRemoval(answer, keepsId);
        return answer === undefined || answer.status === 200 || answer.code === 'unknown_server' ? 0 : 1;
      }),
    );
    return left.reduce<number>((sum, each) => sum + each, 0);
  }

  /** Looks once. Resolves with what would be sent, or why nothing would. */
  async look(): Promise<BroadcastBody | string> {
    const { source, settings, counts } = this.#options;
    const reading = await source.read(new AbortController().signal);
    counts.addReading(reading.is);
    if (reading.is !== 'told') return reading.why;
    const body = bodyOf(settings, reading.state);
    return body.is === 'whole' ? body.body : body.why;
  }

  #take(reading: Reading, standing: GamePresence): void {
    const { settings, counts } = this.#options;
    counts.addReading(reading.is);
    if (reading.is === 'told') {
      const body = bodyOf(settings, reading.state);
      if (body.is === 'whole') {
        this.#tell('up', 'info', 'The game server answers.');
        for (const { listing } of this.listings) listing.update(body.body);
      } else {
        this.#tell(body.why, 'warn', `The game server is not listed: ${body.why}.`);
        this.#pause();
      }
    } else if (standing === 'away') {
      const { is, why } = reading;
      this.#tell(
        `away ${is}`,
        'warn',
        `The game server is away, and its entry stays until it expires: ${why}.`,
      );
      this.#pause();
    } else if (standing === 'unknown')
      this.#tell(reading.is, 'warn', `The game server does not answer yet: ${reading.why}.`);
  }

  #pause(): void {
    for (const { listing, log } of this.listings) {
      listing.pause();
      log.noteAbsence();
    }
  }

  /** `what`: the same for lines that need not follow each other. */
  #tell(what: string, level: 'info' | 'warn', text: string): void {
    if (this.#told === what) return;
    this.#told = what;
    this.#options.logger[level](nameOf(this.#options.settings), text);
  }
}

function openListing(
  service: GameServerSettings['services'][number],
  { settings, linkOf, tokenFileOf, environment, logger }: AnnouncedServerOptions,
): ToldListing {
  const link = linkOf(service);
  const name = { ...nameOf(settings), service: service.url };
  const log = new ListingLog({
    tell: (level, text, fields) => logger[level]({ ...name, ...fields }, text),
    hintFor,
  });
  const token = new KeptToken(tokenFileOf(service.url, settings.identity), log);
  const announcer = new Announcer({
    ask: settings.isHostOfMachine
      ? link.machineHost.askFor(settings, (text) => log.noteHost(text))
      : link.ask,
    beacons: link.beacons,
    random: () => environment.random(),
    now: () => environment.now(),
    token: token.first,
    onToken: (next) => token.replace(next),
  });
  const listing: ListingLoop = new ListingLoop({
    announcer,
    environment,
    onTurn: (turn) => log.noteTurn(turn, listing.id),
  });
  return { url: service.url, listing, log, token };
}

/** The fields of a line that tell this game server from others. */
function nameOf({ name, identity, port }: GameServerSettings): object {
  return { gameServer: name ?? (identity.startsWith(':') ? `port ${port}` : identity) };
}

/** The option of `gsls` by which the operator of the service can help after a refusal, in a sentence; or ''. */
function hintFor({ code, status }: ServiceAnswer): string {
  if (code === 'quota_exceeded')
    return 'The operator of the service can list more from here with --quota-exempt.';
  if (status === 429) return 'The operator of the service can allow more with --rate-limit.';
  if (code === 'unauthorized') return 'Give its key with GSLS_KEY or --key-file.';
  return '';
}
