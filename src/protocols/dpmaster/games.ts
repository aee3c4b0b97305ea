/**
 * The games that are accepted, and the facts about them that their servers do not send, as in src/games.c of dpmaster.
 * A game that nobody has described works as DarkPlaces does: its servers and its clients name it.
 */

/** Which games are taken: `only` those named, or all `but` them. */
export interface GamePolicy {
  readonly is: 'only' | 'but';
  readonly names: readonly string[];
}

export const EVERY_GAME: GamePolicy = { is: 'but', names: [] };

/** The properties of a game, as dpmaster's option -g has them. A property that is absent was not given. */
export interface GameProperties {
  readonly name: string;
  /** The tag of the heartbeats of its game servers, if it is not DarkPlaces. */
  readonly heartbeat?: string;
  /** The tag of the heartbeat that they send when they end. */
  readonly flatline?: string;
  /** The protocols that it is known by where a client names no game. */
  readonly protocols?: readonly number[];
  readonly sendsEmpty?: boolean;
  readonly sendsFull?: boolean;
}

/** The tag of the heartbeats of all games that name themselves. */
export const DARKPLACES = 'DarkPlaces';

/** The games of Game_InitProperties() in dpmaster, whose packets do not name the game. */
const KNOWN_GAMES: readonly GameProperties[] = [
  { name: 'Quake3Arena', heartbeat: 'QuakeArena-1', protocols: [66, 67, 68] },
  { name: 'wolfmp', heartbeat: 'Wolfenstein-1', flatline: 'WolfFlatline-1', protocols: [50, 59, 60] },
  {
    name: 'et',
    heartbeat: 'EnemyTerritory-1',
    flatline: 'ETFlatline-1',
    protocols: [72, 80, 83, 84],
    sendsEmpty: true,
    sendsFull: true,
  },
];

/** The meaning of the tag of a heartbeat. */
export interface HeartbeatTag {
  /** Among all tags: the same on every replica with these options. */
  readonly index: number;
  /** The name of the game; undefined for DarkPlaces, where the game names itself. */
  readonly game: string | undefined;
  /** Whether the tag announces the end of the game server. */
  readonly isFlatline: boolean;
}

export class Games {
  readonly #policy: GamePolicy;
  readonly #names: ReadonlySet<string>;
  readonly #games = new Map<string, GameProperties>();
  readonly #tags = new Map<string, HeartbeatTag>([
    [DARKPLACES, { index: 0, game: undefined, isFlatline: false }],
  ]);
  readonly #byIndex: HeartbeatTag[];
  readonly #byProtocol = new Map<number, string>();

  /** `properties`: those of further games, or of known games instead of their own. */
  constructor(policy: GamePolicy, properties: readonly GameProperties[]) {
    this.#policy = policy;
    this.#names = new Set(policy.names);
    for (const game of [...KNOWN_GAMES, ...properties])
      this.#games.set(game.name, { ...this.#games.get(game.name), ...game });
    for (const { name, heartbeat, flatline, protocols } of this.#games.values()) {
      if (heartbeat !== undefined) this.#addTag(heartbeat, name, false);
      if (flatline !== undefined) this.#addTag(flatline, name, true);
      for (const protocol of protocols ?? []) this.#byProtocol.set(protocol, name);
    }
    this.#byIndex = [...this.#tags.values()];
  }

  takes(game: string): boolean {
    return this.#names.has(game) === (this.#policy.is === 'only');
  }

  /** The tag of a heartbeat by its text; undefined if no game has it. */
  tag(text: string): HeartbeatTag | undefined {
    return this.#tags.get(text);
  }

  tagAt(index: number): HeartbeatTag | undefined {
    return this.#byIndex[index];
  }

  /** The game of a client that names none; undefined if it has to be guessed from the listed games. */
  ofProtocol(protocol: number): string | undefined {
    return this.#byProtocol.get(protocol);
  }

  /** Which servers of the game clients get without asking for them. */
  sends(game: string): Pick<GameProperties, 'sendsEmpty' | 'sendsFull'> {
    return this.#games.get(game) ?? {};
  }

  #addTag(text: string, game: string, isFlatline: boolean): void {
    if (!this.#tags.has(text)) this.#tags.set(text, { index: this.#tags.size, game, isFlatline });
  }
}
