/** Plays the acts of a scene with a client that reads. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventText } from './answers.ts';
import { LONGEST_STOP_MS, USUAL_SPAN, type SceneExchange } from './scene-exchange.ts';
import { checkRead, checkReport, isForStream } from './read-expectations.ts';
import type { Act, PollsScript, ReadExpected, Span, StreamEvent } from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';
import { isWithin, type Spans } from './span.ts';

type BeginReading = Extract<
  Act,
  | { readonly list: true }
  | { readonly find: string; readonly nearest?: Spans }
  | { readonly watch: string }
  | { readonly report: string }
>;

/** The pause between two polls, ms; a client may spread them. */
const POLL_PAUSE: Span = [1800, 2200];

export class ReadScene {
  readonly exchange: SceneExchange;
  readonly #directory = mkdtempSync(join(tmpdir(), 'gsls-scene-'));
  /** The stream that is open. */
  #open: ScriptedRequest | undefined;
  /** What the client was told last to report. */
  #report: object | undefined;

  constructor(exchange: SceneExchange) {
    this.exchange = exchange;
  }

  get isStreaming(): boolean {
    return this.#open !== undefined;
  }

  get #keptFilePath(): string {
    return join(this.#directory, 'list.gsls');
  }

  writeKeptFile(text: string): void {
    writeFileSync(this.#keptFilePath, text);
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Tells the client to read, or to report. */
  begin(act: BeginReading): void {
    const { scene, stage } = this.exchange;
    const options = {
      ...this.exchange.options,
      ...(scene.paths && { urls: scene.paths.map((path) => stage.service.url + path), url: undefined }),
      ...(scene.keeps && { keep: this.#keptFilePath }),
    };
    this.exchange.told(true);
    this.exchange.stage.beginReading('watch' in act);
    this.exchange.known.query = 'find' in act ? act.find : 'watch' in act ? act.watch : '';
    this.exchange.known.near = ('find' in act && act.nearest) || {};
    if ('find' in act)
      stage.program.tell({ [act.nearest ? 'nearest' : 'find']: { ...options, query: act.find } });
    else if ('watch' in act) this.exchange.stage.program.tell({ watch: { ...options, query: act.watch } });
    else if ('report' in act) {
      const { report, ...more } = act;
      this.#report = { id: this.exchange.known.ids.of(report), ...more };
      this.exchange.stage.program.tell({ report: { ...options, ...this.#report } });
    } else this.exchange.stage.program.tell({ list: options });
  }

  /** Expects this read as the next request, and answers it. Throws a SceneFailure. */
  async read(expected: ReadExpected): Promise<void> {
    const { get, after = USUAL_SPAN, meanwhile = [] } = expected;
    const { request } = await this.exchange.nextRequest(`a GET of ${get}`, after);
    checkRead(request, this.exchange.path, expected, this.exchange.known);
    if (get === '/servers') this.exchange.beacons.check();
    await this.seeStreamEnd();
    for (const act of meanwhile) await this.exchange.play(act);
    if ('stream' in expected.answer) this.#open = request;
    await this.exchange.answer(request, expected.answer);
  }

  /** Expects the report as the next request, and answers it. Throws a SceneFailure. */
  async takeReport({ from, answer: script }: Extract<Act, { readonly post: string }>): Promise<void> {
    const { request } = await this.exchange.nextRequest('a report', USUAL_SPAN);
    checkReport(request, from ?? this.exchange.path, this.#report!, this.exchange.known);
    await this.exchange.answer(request, script);
  }

  /** Answers polls until the client asks for a stream; that request is left to the next act. */
  async polls({ at, until, answer: script }: PollsScript): Promise<void> {
    const { stage } = this.exchange;
    const from = this.exchange.toldAt;
    for (;;) {
      const staged = await this.exchange.nextRequest('a poll', [0, POLL_PAUSE[1]]);
      const { request } = staged;
      const isPoll = !isForStream(request);
      const [before, span] = isPoll ? [this.exchange.toldAt, POLL_PAUSE] : [from, until];
      const ms = staged.at - before;
      if (!isWithin(ms, span, stage.isReal))
        throw new SceneFailure(
          `${isPoll ? 'polls' : 'a request for a stream'} after ${span[0]} to ${span[1]} ms`,
          `one after ${Math.round(ms)} ms`,
        );
      if (!isPoll) {
        this.exchange.giveBack(staged);
        return;
      }
      checkRead(request, this.exchange.path, { get: '/changes', at, accept: 'json' }, this.exchange.known);
      await this.exchange.answer(request, script);
    }
  }

  /** Waits until the client lets go of the open stream, if there is one. */
  async seeStreamEnd(): Promise<void> {
    const stream = this.#open;
    this.#open = undefined;
    if (stream !== undefined && !(await stream.isOverWithin(LONGEST_STOP_MS)))
      throw new SceneFailure('that the client lets go of the stream before', 'it does not');
  }

  /** Sends the events on the open stream, in packets of `packet` bytes. */
  async send(events: readonly StreamEvent[], packet = Infinity): Promise<void> {
    const bytes = Buffer.from(events.map((event) => eventText(event, this.exchange.known)).join(''));
    for (let from = 0; from < bytes.length; from += packet)
      await this.#open!.write(bytes.subarray(from, from + packet));
  }

  /** Ends the open stream. */
  endStream(how: 'well' | 'cut' | 'reset'): void {
    const stream = this.#open!;
    this.#open = undefined;
    this.exchange.told();
    if (how === 'well') stream.finish();
    else if (how === 'cut') stream.hangUp();
    else stream.reset();
  }
}
