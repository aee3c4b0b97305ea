/**
 * The query of Quake III and its family (ioquake3, OpenArena, Xonotic, Urban Terror, Enemy Territory), over UDP. As
 * SVC_Info() and SVC_Status() in code/server/sv_main.c of ioquake/ioq3, and netconn.c of DarkPlaces, have it:
 *
 *   query  ff ff ff ff "getinfo " challenge      reply  ff ff ff ff "infoResponse" 0a infostring
 *   query  ff ff ff ff "getstatus " challenge    reply  ff ff ff ff "statusResponse" 0a infostring
 *                                                       { 0a score " " ping " " '"' name '"' }
 *
 * An infostring is `\key\value\key\value`. The info counts people, and leaves private slots out; the status alone has
 * the version. Both are asked for: what comes of one of them is enough where the other does not come.
 */

import { withoutColours } from '../../../../protocols/clean-text.ts';
import { Infostring } from '../../../../protocols/dpmaster/infostring.ts';
import type { GameState } from '../game-state.ts';
import { peopleAmong } from '../../../../model/game-server.ts';
import { stateOf } from '../state-of.ts';
import { NOTHING, type Dialogue, type RandomBytes, type DialogueStep } from './dialogue.ts';

const HEAD = '\u00ff\u00ff\u00ff\u00ff';
const INFO = `${HEAD}infoResponse\n`;
const STATUS = `${HEAD}statusResponse\n`;

/** The end of a version of an engine: its date. */
const BUILT_ON = / +[A-Z][a-z]{2} [ \d]\d \d{4}$/;

/** A line of a status: one player. */
const PLAYER = /^-?\d+ -?\d+ "/;

/** The gametypes of Quake III, and what Team Arena and OpenArena have added; other games number theirs otherwise. */
const MODES = [
  'ffa,tourney,single player,team,ctf,one flag ctf,overload,harvester',
  'elimination,ctf elimination,last man standing,double domination,domination',
].flatMap((each) => each.split(','));
const GAMES_OF_MODES: ReadonlySet<string> = new Set(['baseq3', 'missionpack', 'baseoa', 'Quake3Arena', '']);

export class Quake3 implements Dialogue {
  readonly question: readonly Buffer[];
  readonly #challenge: string;
  #info = new Infostring('');
  #status = new Infostring('');
  readonly #heard = new Set<string>();
  #lines = 0;

  constructor(random: RandomBytes) {
    this.#challenge = random(6).toString('hex');
    this.question = ['getinfo', 'getstatus'].map((each) =>
      Buffer.from(`${HEAD}${each} ${this.#challenge}`, 'latin1'),
    );
  }

  hear(bytes: Buffer): DialogueStep {
    const text = bytes.toString('latin1');
    const kind = [INFO, STATUS].find((each) => text.startsWith(each));
    if (kind === undefined) return NOTHING;
    const [first = '', ...lines] = text.slice(kind.length).split('\n');
    const said = new Infostring(first);
    // Some games leave the challenge out. A reply with another one is not to our query.
    if ((said.get('challenge') ?? this.#challenge) !== this.#challenge) return NOTHING;
    if (said.get('mapname') === undefined && said.get('sv_maxclients') === undefined) return NOTHING;
    if (kind === INFO) this.#info = said;
    else {
      this.#status = said;
      this.#lines = lines.filter((line) => PLAYER.test(line)).length;
    }
    this.#heard.add(kind);
    const state = this.#state();
    return this.#heard.size === 2 ? { is: 'told', state } : { is: 'enough', state };
  }

  #state(): GameState {
    const [info, status] = [this.#info, this.#status];
    /** The value in the info, else in the status. */
    const get = (...keys: readonly string[]): string | undefined =>
      [info, status].flatMap((said) => keys.map((key) => said.get(key))).find((value) => value !== undefined);
    const read = (...keys: readonly string[]): string =>
      withoutColours(
        [info, status].flatMap((said) => keys.map((key) => said.read(key))).find((text) => text !== '') ?? '',
      );
    const humans = get('g_humanplayers', 'humans');
    const [clients, bots] = [countIn(get('clients')), countIn(get('bots'))];
    const players = humans === undefined ? peopleAmong(clients, bots) : countIn(humans);
    const password = get('g_needpass', 'needpass', 'pswrd');
    const [game, mode] = [
      status.get('gamename') ?? info.get('game') ?? info.get('gamename') ?? '',
      read('gametype', 'g_gametype'),
    ];
    return stateOf({
      name: read('hostname', 'sv_hostname'),
      players: Number.isNaN(players) && this.#heard.has(STATUS) ? this.#lines : players,
      maxPlayers: this.#maxPlayers(),
      map: read('mapname'),
      mode:
        mode === ''
          ? ofDarkPlaces(read('qcstatus'))
          : (GAMES_OF_MODES.has(game) && MODES[countIn(mode)]) || mode,
      version: read('version', 'gameversion', 'shortversion').replace(BUILT_ON, ''),
      password: password === undefined ? undefined : password !== '0' && password !== '',
      meta: bots > 0 && bots <= 1000 ? { bots } : undefined,
    });
  }

  /** The most players: an info has taken the private slots off; a status has not. */
  #maxPlayers(): number {
    const ofInfo = countIn(this.#info.get('sv_maxclients'));
    if (!Number.isNaN(ofInfo)) return ofInfo;
    return countIn(this.#status.get('sv_maxclients')) - (countIn(this.#status.get('sv_privateclients')) || 0);
  }
}

/** DarkPlaces says `gametype:version:…`. */
function ofDarkPlaces(status: string): string {
  return status.split(':', 1)[0]!;
}

/** NaN for what is no count. */
function countIn(text = ''): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}
