/**
 * The listing of game servers: a heartbeat is answered with a challenge, and the game server's answer to that proves
 * its address and describes it. A game server that says farewell and answers no more (questions.ts) is removed once its
 * machine says that nobody listens at its port any more (closed-port.ts).
 */

import { ServiceError } from '../../model/service-error.ts';
import type { GameServerId } from '../../model/game-server.ts';
import { networkOf } from '../../model/net/ip.ts';
import type { Clock } from '../../registry/registry.ts';
import { entryIdOf } from '../identity.ts';
import type { ProtocolContext } from '../protocol.ts';
import { AddressChallenges } from './address-challenges.ts';
import { isPortClosed } from './closed-port.ts';
import { describeGameServer, dpmasterLinkOf, PROTOCOL, strangerAt, type Peer } from './game-server.ts';
import type { Games } from './games.ts';
import type { Infostring } from './infostring.ts';
import type { Limits } from './limits.ts';
import { Questions, TICK_MS, type Asked } from './questions.ts';

/** Three heartbeats of 300 s. dpmaster: TIMEOUT_INFORESPONSE. */
export const DPMASTER_LIFETIME = { ttlMs: 900_000, silentBelowMs: 300_000 };

/** How many ports are examined at once. Each takes eight sockets, for a second. */
const MOST_EXAMINED = 32;

export interface HeartbeatsOptions {
  readonly context: ProtocolContext;
  readonly games: Games;
  readonly limits: Limits;
  readonly clock: Pick<Clock, 'every'>;
}

/** The reason why a heartbeat gets no answer. */
type NoQuestion = 'invalid' | 'refused' | 'limited';

export class Heartbeats {
  readonly #context: ProtocolContext;
  readonly #games: Games;
  readonly #limits: Limits;
  readonly #challenges: AddressChallenges;
  readonly #questions = new Questions();
  readonly #clock: HeartbeatsOptions['clock'];
  readonly #closing = new AbortController();
  #examined = 0;

  constructor({ context, games, limits, clock }: HeartbeatsOptions) {
    this.#context = context;
    this.#games = games;
    this.#limits = limits;
    this.#challenges = new AddressChallenges(context);
    this.#clock = clock;
    this.#closing.signal.addEventListener(
      'abort',
      clock.every(TICK_MS, () => this.#tick()),
    );
  }

  /** The challenge that answers a heartbeat. Throws as ProtocolContext.admit() does. */
  heartbeat(text: string, peer: Peer): { readonly challenge: string } | NoQuestion {
    const tag = this.#games.tag(text);
    if (tag === undefined) return 'invalid';
    if (tag.game !== undefined && !this.#games.takes(tag.game)) return 'refused';
    const asked = this.#questions.get(peer) ?? this.#beginAsking(peer);
    if (typeof asked === 'string') return asked;
    if (!this.#questions.ask(asked, tag.isFlatline)) return 'limited';
    return { challenge: this.#challenges.issue(tag.index, peer) };
  }

  /** Lists or refreshes the game server, if it answers a question of ours. Rejects as publish() does. */
  async infoResponse(info: Infostring, peer: Peer): Promise<void> {
    const { publish, count } = this.#context;
    const index = this.#challenges.read(info.get('challenge') ?? '', peer);
    const tag = index === undefined ? undefined : this.#games.tagAt(index);
    if (tag === undefined) return count('invalid');
    const asked = this.#questions.get(peer);
    if (asked !== undefined) this.#questions.answered(asked);
    if (!this.#limits.mayAnswer(peer.address)) return count('limited');
    const gameServer = describeGameServer(info, peer, tag, this.#games);
    if (gameServer === undefined) return count('invalid');
    const announcement = {
      protocol: PROTOCOL,
      lifetime: DPMASTER_LIFETIME,
      link: dpmasterLinkOf(peer),
      describe: () => gameServer,
      // The challenge differs each time: with it the entry would change with each heartbeat.
      document: info.without('challenge'),
    };
    await publish(asked?.id ?? this.#idOf(peer), announcement, peer.address);
  }

  close(): void {
    this.#closing.abort();
  }

  #idOf({ address, port }: Peer): GameServerId {
    return entryIdOf(this.#context.secret(), PROTOCOL, address, String(port));
  }

  #beginAsking(peer: Peer): ReturnType<Questions['begin']> | NoQuestion {
    const { registry, admit } = this.#context;
    const id = this.#idOf(peer);
    const listed = registry.known(id);
    if (listed === undefined && !this.#mayAskStranger(peer)) return 'limited';
    if (admit(id, listed ?? strangerAt(peer), peer.address) !== undefined) return 'refused';
    return this.#questions.begin(id, peer, listed === undefined);
  }

  /** Whether a stranger may be asked: only if it could still be listed, should all strangers asked so far answer. */
  #mayAskStranger({ address }: Peer): boolean {
    const { maxServers, maxServersPerAddress, isExempt } = this.#context.options.dpmaster.quotas;
    const { strangers } = this.#limits;
    if (!strangers.isLeft) return false;
    strangers.take(1);
    if (isExempt(address)) return true;
    const ofNetwork = this.#questions.strangersOf(networkOf(address));
    return this.#questions.strangersOf() < maxServers && ofNetwork < maxServersPerAddress;
  }

  async #tick(): Promise<void> {
    for (const asked of this.#questions.tick(MOST_EXAMINED - this.#examined)) void this.#examine(asked);
  }

  /** Takes the game server off the list if it has ended. Never rejects. */
  async #examine({ id, peer }: Asked): Promise<void> {
    const { registry, stopping, withdraw, logger } = this.#context;
    this.#examined += 1;
    try {
      if (registry.known(id) === undefined) return;
      const isClosed = await isPortClosed(peer, this.#clock, this.#closing.signal);
      // A heartbeat meanwhile may be the first one of a new start.
      const isAskedAgain = this.#questions.get(peer) !== undefined;
      // The answers may have gone to another worker that replaces this one.
      if (isClosed && !isAskedAgain && stopping?.aborted !== true) await withdraw(id, dpmasterLinkOf(peer));
    } catch (error) {
      // While the registry is away the entry stays, and expires.
      if (!(error instanceof ServiceError))
        logger.error({ err: error }, 'a game server of dpmaster could not be taken off the list');
    } finally {
      this.#examined -= 1;
    }
  }
}
