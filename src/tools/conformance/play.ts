/** Plays one scene: act by act, and against what holds in every scene. */

import { AnnounceScene } from './announce-scene.ts';
import { SceneExchange } from './scene-exchange.ts';
import { playHours } from './hours.ts';
import { checkFailed, checkServers } from './read-expectations.ts';
import { ReadScene } from './read-scene.ts';
import type { Act, Scene } from './scene.ts';
import { playSpread } from './spread.ts';
import { SceneFailure } from './scene-failure.ts';
import { Stage } from './stage.ts';

export interface PlayOptions {
  /** The program around the client, and its arguments. */
  readonly command: readonly string[];
  readonly isReal: boolean;
}

/** How a scene went. Without a failure it passed. */
export interface SceneOutcome {
  readonly failure?: { readonly act: number; readonly expected: string; readonly seen: string };
  /** The standard error of the client's program, where it failed. */
  readonly complaints: string;
  /** The lines of the client's log. */
  readonly log: readonly string[];
  readonly ms: number;
}

/** A line that begins and ends as sentences do. */
const SENTENCES = /^["“]?[\p{Lu}\p{N}].*[.?!…]["”]?$/u;

export async function playScene(scene: Scene, options: PlayOptions): Promise<SceneOutcome> {
  const beganAt = performance.now();
  const play = new Play(scene, options);
  try {
    const failure = await play.run();
    return {
      ...(failure !== undefined && { failure }),
      complaints: play.stage.program.complaints,
      log: play.stage.log,
      ms: performance.now() - beganAt,
    };
  } finally {
    await play.close();
  }
}

class Play {
  readonly stage: Stage;
  readonly #exchange: SceneExchange;
  readonly #announcing: AnnounceScene;
  readonly #reading: ReadScene;
  #act = 0;

  constructor(scene: Scene, { command, isReal }: PlayOptions) {
    this.stage = new Stage({ command, scene, isReal });
    this.#exchange = new SceneExchange(scene, this.stage, (act) => this.#play(act));
    this.#announcing = new AnnounceScene(this.#exchange);
    this.#reading = new ReadScene(this.#exchange);
  }

  async run(): Promise<SceneOutcome['failure']> {
    try {
      await this.stage.service.listen();
      await this.stage.nextSaid('ready');
      for (const act of this.#exchange.scene.acts) {
        this.#act += 1;
        await this.#play(act);
      }
      this.#act += 1;
      this.#checkLog();
      return undefined;
    } catch (error) {
      if (!(error instanceof SceneFailure)) throw error;
      return { act: this.#act, expected: error.expected, seen: error.seen };
    }
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.#exchange.beacons.close();
    this.#announcing.close();
    this.#reading.close();
  }

  async #play(act: Act): Promise<void> {
    const { stage } = this;
    const [announcing, reading] = [this.#announcing, this.#reading];
    if ('start' in act) await announcing.start(act.start);
    else if ('request' in act) await announcing.write(act);
    else if ('get' in act) await reading.read(act);
    else if ('polls' in act) await reading.polls(act.polls);
    else if ('stop' in act) {
      await announcing.stop(act.stop);
      await reading.seeStreamEnd();
    } else if ('terminate' in act) await announcing.terminate(act.terminate);
    else if ('restart' in act) await stage.restart();
    else if ('players' in act) {
      stage.program.tell({ players: act.players });
      await stage.nextSaid('did');
    } else if ('repeat' in act)
      for (let time = 0; time < act.repeat; time += 1) for (const each of act.acts) await this.#play(each);
    else if ('down' in act) await announcing.down(act.down);
    else if ('quiet' in act) await announcing.quiet(act.quiet);
    else if ('sleep' in act) {
      if (!reading.isStreaming) await stage.nextWait('that it sleeps');
      stage.advance(act.sleep);
      if (reading.isStreaming) this.#exchange.told();
    } else if ('spread' in act) await playSpread(announcing, reading, act.spread);
    else if ('mark' in act) await announcing.takeBeacons(act);
    else if ('hangs' in act) await announcing.pingMeanwhile(act);
    else if ('hours' in act) await playHours(announcing, act);
    else if ('tokenFile' in act) await announcing.checkTokenFile(act.tokenFile);
    else if ('connections' in act) announcing.checkConnections(act.connections);
    else if ('list' in act || 'find' in act || 'watch' in act || 'report' in act) reading.begin(act);
    else if ('post' in act) await reading.takeReport(act);
    else if ('reported' in act) await stage.nextSaid('reported');
    else if ('keptFile' in act) reading.writeKeptFile(act.keptFile);
    else if ('servers' in act)
      checkServers((await stage.nextSaid('servers'))['servers'], act, this.#exchange.known);
    else if ('failed' in act) checkFailed(String((await stage.nextSaid('failed'))['failed']), act.failed);
    else if ('logged' in act) this.#checkLogged(act.logged, `that says ${String(act.logged)}`);
    else if ('loggedId' in act)
      this.#checkLogged(this.#exchange.known.ids.of(act.loggedId), `with the id ${act.loggedId}`);
    else if ('send' in act) await reading.send(act.send, act.packets);
    else if ('nothing' in act) await stage.nothing(act.nothing);
    else reading.endStream(act.end);
  }

  #checkLogged(wanted: RegExp | string, what: string): void {
    const { log } = this.stage;
    const isThere = (line: string): boolean =>
      typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line);
    if (!log.some(isThere)) throw new SceneFailure(`a line of the log ${what}`, log.at(-1) ?? 'none');
  }

  /** Throws a SceneFailure for a secret, a control character or no sentence in the log, which no scene allows. */
  #checkLog(): void {
    const { stage } = this;
    const { known } = this.#exchange;
    const secrets = [...known.tokens.all, ...known.usedKeys, ...(known.key === undefined ? [] : [known.key])];
    const lines = [...stage.log, ...stage.noise, stage.program.complaints];
    if (secrets.some((secret) => lines.some((line) => line.includes(secret))))
      throw new SceneFailure('no token and no key in the log', 'one of them');
    if (lines.some((line) => /[^\P{Cc}\t\n\r]/u.test(line)))
      throw new SceneFailure('a log of printable characters', 'a control character');
    const fragment = stage.log.find((line) => !SENTENCES.test(line));
    if (fragment !== undefined) throw new SceneFailure('a log of whole sentences', fragment.slice(0, 200));
    const [noise] = stage.noise;
    if (noise !== undefined) throw new SceneFailure('lines of JSON alone', noise.slice(0, 200));
  }
}
