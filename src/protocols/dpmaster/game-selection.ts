/**
 * The lists that clients get: HandleGetServers() of dpmaster, over the current list. The list is read at most twice in
 * a second, and an answer is made once for all that want the same.
 */

import type { Context } from '../../api/http/context.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import { groupsOf } from '../../model/net/ip.ts';
import type { Listing } from '../../registry/registry.ts';
import { OWN, ROWS_AT_ONCE, type Work } from '../../api/work/work.ts';
import { keptOf, type KeptInfo } from './game-server.ts';
import type { Games } from './games.ts';
import { addressRecord, listPackets, type GetServers } from './packets.ts';

/** How long a list that may have changed is reused, in ms. */
const REUSED_MS = 500;

/** A game server, as far as clients choose by it. */
interface Choice {
  readonly kept: KeptInfo;
  readonly record: Buffer;
  readonly isIpv4: boolean;
  readonly isEmpty: boolean;
  readonly isFull: boolean;
}

type Answer = readonly Buffer[];

export class GameSelection {
  readonly #context: Pick<Context, 'currentList' | 'turns'>;
  readonly #games: Games;
  readonly #now: () => number;
  /** The choices by the state of an entry. */
  readonly #choices = new WeakMap<ListedGameServer, Choice>();
  #last: { readonly index: Index; readonly snapshot: Listing['snapshot']; readonly at: number } | undefined;
  #making: Promise<Index> | undefined;

  /** `now`: ms of a clock that cannot be set. */
  constructor(context: Pick<Context, 'currentList' | 'turns'>, games: Games, now: () => number) {
    this.#context = context;
    this.#games = games;
    this.#now = now;
  }

  /** The packets of the answer; undefined if the game is not accepted. Rejects as CurrentList.listing() does. */
  async answer(request: GetServers): Promise<Answer | undefined> {
    return (await this.#current()).answer(request, this.#games);
  }

  #current(): Index | Promise<Index> {
    const now = this.#now();
    const last = this.#last;
    if (last !== undefined && now - last.at < REUSED_MS) return last.index;
    this.#making ??= this.#make(now).finally(() => (this.#making = undefined));
    return this.#making;
  }

  async #make(at: number): Promise<Index> {
    const { currentList, turns } = this.#context;
    const { snapshot } = await currentList.listing();
    const isSame = this.#last?.snapshot === snapshot;
    const index = isSame ? this.#last!.index : await turns.run(OWN, () => this.#lookThrough(snapshot));
    this.#last = { index, snapshot, at };
    return index;
  }

  *#lookThrough(snapshot: Listing['snapshot']): Work<Index> {
    const index = new Index();
    let looked = 0;
    for (const { rows } of snapshot.chunks)
      for (const row of rows) {
        if ((looked += 1) % ROWS_AT_ONCE === 0) yield;
        const choice = this.#choices.get(row) ?? choiceOf(row);
        if (choice === undefined) continue;
        this.#choices.set(row, choice);
        index.add(choice);
      }
    return index;
  }
}

function choiceOf(row: ListedGameServer): Choice | undefined {
  const kept = keptOf(row);
  if (kept === undefined) return undefined;
  const groups = groupsOf(row.ip);
  return {
    kept,
    record: addressRecord(groups, row.port),
    isIpv4: groups.length === 2,
    isEmpty: row.players === 0,
    isFull: row.players > 0 && row.players === row.maxPlayers,
  };
}

/** The game servers of one list, by the fields that clients choose by first. */
class Index {
  /** The game servers by game and protocol, then by gametype. */
  readonly #groups = new Map<string, Map<string, Choice[]>>();
  /** The game of a protocol, if a client names no game and no option has one for the protocol. */
  readonly #guesses = new Map<number, string>();
  readonly #answers = new Map<string, Answer>();

  add(choice: Choice): void {
    const { game, protocol, gametype, isAnonymous } = choice.kept;
    if (isAnonymous && !this.#guesses.has(protocol)) this.#guesses.set(protocol, game);
    const key = keyOf(game, protocol);
    let ofGame = this.#groups.get(key);
    if (ofGame === undefined) this.#groups.set(key, (ofGame = new Map<string, Choice[]>()));
    const group = ofGame.get(gametype);
    if (group === undefined) ofGame.set(gametype, [choice]);
    else group.push(choice);
  }

  answer(request: GetServers, games: Games): Answer | undefined {
    const { protocol, gametype, isExtended, ipv4, ipv6 } = request;
    const game = request.game ?? games.ofProtocol(protocol) ?? this.#guesses.get(protocol);
    if (game === undefined) return EMPTY.get(isExtended);
    if (!games.takes(game)) return undefined;
    // An empty answer is not kept, so that invented names take no memory.
    const ofGame = this.#groups.get(keyOf(game, protocol));
    const groups = gametype === undefined ? [...(ofGame?.values() ?? [])] : [ofGame?.get(gametype) ?? []];
    if (groups.every(({ length }) => length === 0)) return EMPTY.get(isExtended);
    const { sendsEmpty = false, sendsFull = false } = games.sends(game);
    const empty = request.empty || sendsEmpty;
    const full = request.full || sendsFull;
    const wanted = JSON.stringify([game, protocol, gametype, isExtended, ipv4, ipv6, empty, full]);
    let answer = this.#answers.get(wanted);
    if (answer === undefined) {
      const chosen = groups
        .flat()
        .filter(
          ({ isIpv4, isEmpty, isFull }) => (isIpv4 ? ipv4 : ipv6) && (empty || !isEmpty) && (full || !isFull),
        );
      answer = listPackets(
        isExtended,
        chosen.map(({ record }) => record),
      );
      this.#answers.set(wanted, answer);
    }
    return answer;
  }
}

const EMPTY: ReadonlyMap<boolean, Answer> = new Map(
  [true, false].map((each) => [each, listPackets(each, [])]),
);

function keyOf(game: string, protocol: number): string {
  return `${protocol} ${game}`;
}
