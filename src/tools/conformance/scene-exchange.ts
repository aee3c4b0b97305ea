/** The part that all acts of a scene share: the requests that come in their time, and the answers to them. */

import { randomBytes } from 'node:crypto';
import { answer } from './answers.ts';
import { Beacons } from './beacons.ts';
import { Names, type Known } from './expectations.ts';
import type { Act, AnswerScript, Scene, Span } from './scene.ts';
import { describeRequest, type ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';
import { isWithin } from './span.ts';
import type { Stage, StagedRequest } from './stage.ts';

/** The time within which a request must come, where a scene sets none. ms. */
export const USUAL_SPAN: Span = [0, 40_000];
/** A stop takes 2 s at the most; the rest is for a busy machine. */
export const LONGEST_STOP_MS = 2000 + 1500;
/** A process that ends does so within 2 s too, and a busy machine needs more for the rest of it. */
export const LONGEST_END_MS = 2000 + 4000;
/** The most requests of a client in ten seconds, whatever the service answers. */
const MOST_IN_A_WINDOW = 10;
const WINDOW_MS = 10_000;
/** 2026-11-22, when the clock of a scene shows 0. */
const EPOCH_MS = 1_795_305_600_000;

export class SceneExchange {
  readonly scene: Scene;
  readonly stage: Stage;
  readonly known: Known;
  readonly beacons: Beacons;
  /** Plays an act in the middle of another one. */
  readonly play: (act: Act) => Promise<void>;
  /** When the client received something last: the answer to a request, or a command. ms. */
  #toldAt = 0;
  #sentAt: number[] = [];

  constructor(scene: Scene, stage: Stage, play: (act: Act) => Promise<void>) {
    this.scene = scene;
    this.stage = stage;
    this.play = play;
    this.known = {
      ids: new Names(() => randomBytes(16).toString('base64url')),
      tokens: new Names(
        () => `${randomBytes(8).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
      ),
      tags: new Names(() => `${randomBytes(8).toString('hex')}.${randomBytes(5).toString('hex')}`),
      idempotencyKey: undefined,
      usedKeys: new Set(),
      key: scene.key,
      query: '',
      near: {},
    };
    this.beacons = new Beacons(this.known);
  }

  /** The path of the service behind its address, such as `/lists/eu`. */
  get path(): string {
    return this.scene.path ?? '';
  }

  get toldAt(): number {
    return this.#toldAt;
  }

  /** The members that every command to the client has. */
  get options(): object {
    const { key, timeoutMs } = this.scene;
    return {
      url: this.stage.service.url,
      ...this.stage.clock,
      ...(key !== undefined && { key }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    };
  }

  /** Measures times from now. `isNew`: the client begins, and has sent nothing yet. */
  told(isNew = false): void {
    this.#toldAt = this.stage.now;
    if (isNew) this.#sentAt = [];
  }

  /** The next request, at its time. */
  async nextRequest(expected: string, span: Span, isWoken = false): Promise<StagedRequest> {
    const { stage } = this;
    const [, most] = span;
    const within = Math.max(0, this.#toldAt + most - stage.now);
    const staged = await stage.nextRequest(expected, within, isWoken);
    const pausedMs = staged.at - this.#toldAt;
    if (!isWithin(pausedMs, span, stage.isReal))
      throw new SceneFailure(
        `${expected} from ${span[0]} to ${most} ms after what was before`,
        `${describeRequest(staged.request)} after ${Math.round(pausedMs)} ms`,
      );
    this.#sentAt = [...this.#sentAt.filter((at) => at > staged.at - WINDOW_MS), staged.at];
    if (this.#sentAt.length > MOST_IN_A_WINDOW)
      throw new SceneFailure(`at most ${MOST_IN_A_WINDOW} requests in ${WINDOW_MS / 1000} s`, 'more');
    return staged;
  }

  /** Returns a request that came too soon for the act: the next act receives it. */
  giveBack(staged: StagedRequest): void {
    this.stage.giveBack(staged);
    this.#sentAt.pop();
  }

  /** Resolves once the client has the answer, or has given up. */
  async answer(request: ScriptedRequest, script: AnswerScript): Promise<void> {
    const told = 'beacons' in script ? await this.beacons.replace(script) : script;
    await answer(request, told, this.known, EPOCH_MS + this.stage.now);
    this.told();
  }
}
