/** Plays one scene: act by act, and against what holds in every scene. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { answer, eventText } from './answers.ts';
import { checkRead, checkWrite, isForStream, Names, type Known } from './expectations.ts';
import { playHours } from './hours.ts';
import type {
  Act,
  PollsScript,
  ReadExpected,
  Scene,
  Span,
  StartScript,
  StopScript,
  StreamEvent,
  WriteExpected,
} from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';
import { playSpread } from './spread.ts';
import { describeRequest, isWithin, SceneFailure, Stage, type StagedRequest } from './stage.ts';

export interface PlayOptions {
  /** The program around the client, and its arguments. */
  readonly command: readonly string[];
  readonly isReal: boolean;
}

/** How a scene went. Without a failure it passed. */
export interface Outcome {
  readonly failure?: { readonly act: number; readonly expected: string; readonly seen: string };
  /** Of the client's program, where it failed. */
  readonly complaints: string;
  readonly ms: number;
}

type BeginReading = Extract<
  Act,
  { readonly list: true } | { readonly find: string } | { readonly watch: string }
>;
type ServersSaid = Extract<Act, { readonly servers: readonly string[] }>;

/** What every game server says. */
export const FIELDS = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
};
/** No client may send more requests in ten seconds, whatever it is told. */
const MOST_IN_A_WINDOW = 10;
const WINDOW_MS = 10_000;
/** Where a scene does not say how long a request may be awaited. */
const USUAL_SPAN: Span = [0, 40_000];
/** Of polls; a client may spread them. */
const POLL_PAUSE: Span = [1800, 2200];
/** A stop takes 2 s at the most; the rest is for a busy machine. */
const LONGEST_STOP_MS = 2000 + 1500;
/** 2026-11-22, when the clock of a scene shows 0. */
const EPOCH_MS = 1_795_305_600_000;

export async function playScene(scene: Scene, options: PlayOptions): Promise<Outcome> {
  const beganAt = performance.now();
  const play = new Play(scene, options);
  try {
    const failure = await play.run();
    return {
      ...(failure !== undefined && { failure }),
      complaints: play.stage.program.complaints,
      ms: performance.now() - beganAt,
    };
  } finally {
    await play.close();
  }
}

/** What it knows while it plays. */
export class Play {
  readonly scene: Scene;
  readonly stage: Stage;
  readonly known: Known;
  readonly #directory = mkdtempSync(join(tmpdir(), 'gsls-scene-'));
  #act = 0;
  #answeredAt = 0;
  #sentAt: number[] = [];
  #connectionsBefore = 0;
  #open: ScriptedRequest | undefined;

  constructor(scene: Scene, { command, isReal }: PlayOptions) {
    this.scene = scene;
    this.stage = new Stage({ command, scene, isReal });
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
    };
  }

  async run(): Promise<Outcome['failure']> {
    try {
      await this.stage.service.listen();
      await this.stage.nextSaid('ready');
      for (const act of this.scene.acts) {
        this.#act += 1;
        await this.play(act);
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
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async play(act: Act): Promise<void> {
    const { stage } = this;
    if ('start' in act) await this.start(act.start);
    else if ('request' in act) await this.write(act);
    else if ('get' in act) await this.read(act);
    else if ('polls' in act) await this.#polls(act.polls);
    else if ('stop' in act) await this.stop(act.stop);
    else if ('players' in act) {
      stage.program.tell({ players: act.players });
      await stage.nextSaid('did');
    } else if ('repeat' in act)
      for (let time = 0; time < act.repeat; time += 1) for (const each of act.acts) await this.play(each);
    else if ('down' in act) await this.#down(act.down);
    else if ('quiet' in act) await this.#quiet(act.quiet);
    else if ('sleep' in act) {
      await stage.nextWait('that it sleeps');
      stage.advance(act.sleep);
    } else if ('spread' in act) await playSpread(this, act.spread);
    else if ('hours' in act) await playHours(this, act);
    else if ('tokenFile' in act) await this.#checkTokenFile(act.tokenFile);
    else if ('connections' in act) this.#checkConnections(act.connections);
    else if ('list' in act || 'find' in act || 'watch' in act) this.beginReading(act);
    else if ('servers' in act) await this.#hearServers(act);
    else if ('failed' in act) await this.#hearFailed(act.failed);
    else if ('logged' in act) this.#checkLogged(act.logged);
    else if ('send' in act) await this.#send(act.send, act.packets);
    else if ('nothing' in act) await stage.nothing(act.nothing);
    else this.#endStream(act.end);
  }

  get #path(): string {
    return this.scene.path ?? '';
  }

  get #tokenFilePath(): string {
    return join(this.#directory, 'gsls.token');
  }

  get #options(): object {
    const { key, timeoutMs } = this.scene;
    return {
      url: this.stage.service.url,
      ...this.stage.clock,
      ...(key !== undefined && { key }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    };
  }

  async start({ fields, tokenFile, insecure, failsFor }: StartScript): Promise<void> {
    const { stage } = this;
    if (tokenFile !== undefined) this.#prepareTokenFile(tokenFile);
    this.#connectionsBefore = stage.service.connections;
    this.#answeredAt = stage.now;
    this.#sentAt = [];
    stage.program.tell({
      start: {
        ...this.#options,
        fields: { ...FIELDS, ...fields },
        ...(tokenFile !== undefined && { token_file: this.#tokenFilePath }),
        ...(insecure && { insecure }),
      },
    });
    if (failsFor !== undefined) await this.#quiet(failsFor, true);
  }

  #prepareTokenFile(content: NonNullable<StartScript['tokenFile']>): void {
    const path = this.#tokenFilePath;
    if (content === 'folder') mkdirSync(path);
    else if (content !== 'none')
      writeFileSync(path, 'token' in content ? `${this.known.tokens.of(content.token)}\n` : content.bytes, {
        mode: 0o600,
      });
  }

  /** The next request, at its time. */
  async nextRequest(expected: string, span: Span, isWoken = false): Promise<StagedRequest> {
    const { stage } = this;
    const [, most] = span;
    const within = Math.max(0, this.#answeredAt + most - stage.now);
    const staged = await stage.nextRequest(expected, within, isWoken);
    const pausedMs = staged.at - this.#answeredAt;
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

  async write(expected: WriteExpected): Promise<void> {
    const { request: kind, after = USUAL_SPAN } = expected;
    // A stop brings a remove.
    const { request } = await this.nextRequest(`a ${kind}`, after, kind === 'remove');
    checkWrite(request, this.#path, expected, this.known);
    const { meanwhile = [] } = expected;
    for (const act of meanwhile) await this.play(act);
    if (request.isGivenUp && meanwhile.length > 0 && meanwhile.every((act) => 'players' in act))
      throw new SceneFailure('that the client waits for its answer meanwhile', 'it gave up');
    await this.answer(request, expected.answer);
  }

  async read(expected: ReadExpected): Promise<void> {
    const { get, after = USUAL_SPAN, meanwhile = [] } = expected;
    const { request } = await this.nextRequest(`a GET of ${get}`, after);
    checkRead(request, this.#path, expected, this.known);
    for (const act of meanwhile) await this.play(act);
    if ('stream' in expected.answer) this.#open = request;
    await this.answer(request, expected.answer);
  }

  /** The request for a stream that ends them is the next one. */
  async #polls({ at, until, answer: script }: PollsScript): Promise<void> {
    const { stage } = this;
    const from = this.#answeredAt;
    for (;;) {
      const staged = await this.nextRequest('a poll', [0, POLL_PAUSE[1]]);
      const { request } = staged;
      const isPoll = !isForStream(request);
      const [before, span] = isPoll ? [this.#answeredAt, POLL_PAUSE] : [from, until];
      const ms = staged.at - before;
      if (!isWithin(ms, span, stage.isReal))
        throw new SceneFailure(
          `${isPoll ? 'polls' : 'a request for a stream'} after ${span[0]} to ${span[1]} ms`,
          `one after ${Math.round(ms)} ms`,
        );
      if (!isPoll) {
        stage.giveBack(staged);
        this.#sentAt.pop();
        return;
      }
      checkRead(request, this.#path, { get: '/changes', at, accept: 'json' }, this.known);
      await this.answer(request, script);
    }
  }

  async answer(request: ScriptedRequest, script: WriteExpected['answer']): Promise<void> {
    await answer(request, script, this.known, EPOCH_MS + this.stage.now);
    this.#answeredAt = this.stage.now;
  }

  async stop({ remove }: StopScript): Promise<void> {
    const { stage } = this;
    const beganAt = performance.now();
    stage.program.tell({ stop: true });
    this.#answeredAt = stage.now;
    // The answer to it may be silence, which ends when the client gives up.
    if (remove !== undefined) await this.write({ ...remove, request: 'remove', after: [0, 0] });
    await stage.nextSaid('stopped', 2000);
    await this.#seeStreamEnd();
    const tookMs = performance.now() - beganAt;
    if (tookMs > LONGEST_STOP_MS)
      throw new SceneFailure('that the stop is over within 2 s', `it took ${(tookMs / 1000).toFixed(1)} s`);
  }

  /** A client lets go of the stream that is open. */
  async #seeStreamEnd(): Promise<void> {
    const stream = this.#open;
    this.#open = undefined;
    if (stream !== undefined && !(await stream.isOverWithin(LONGEST_STOP_MS)))
      throw new SceneFailure('that the stop lets go of the stream', 'it does not');
  }

  async #down(spans: readonly Span[]): Promise<void> {
    const { stage } = this;
    if (stage.isReal) throw new Error('a service that is down has no scene on the wall clock');
    await stage.service.close();
    const wakeUp = async (): Promise<void> => {
      const until = await stage.nextWait('that it sleeps');
      stage.advance(until - stage.now);
    };
    await wakeUp();
    for (const [index, span] of spans.entries()) {
      const pauseMs = (await stage.nextWait('that it waits before the next try')) - stage.now;
      if (!isWithin(pauseMs, span, false))
        throw new SceneFailure(
          `a pause from ${span[0]} to ${span[1]} ms after failure ${index + 1} in a row`,
          `one of ${Math.round(pauseMs)} ms`,
        );
      if (index === spans.length - 1) await stage.service.listen();
      await wakeUp();
    }
    this.#answeredAt = stage.now;
  }

  /** `mayTry`: with connections that lead to no request. */
  async #quiet(ms: number, mayTry = false): Promise<void> {
    const { stage } = this;
    const expected = `no request for ${ms} ms`;
    const endsAt = stage.now + ms;
    while (stage.now < endsAt) {
      const until = await stage.nextWait(expected);
      if (until >= endsAt) break;
      if (!mayTry) throw new SceneFailure(expected, `it waits for ${until - stage.now} ms`);
      stage.advance(until - stage.now);
    }
    if (!mayTry) stage.advance(endsAt - stage.now);
  }

  /** Once the client has done what it does after an answer. */
  async #checkTokenFile(name: string | undefined): Promise<void> {
    await this.stage.nextWait('that it sleeps');
    const path = this.#tokenFilePath;
    let text: string | undefined;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch {
      // There is none.
    }
    const wanted = name === undefined ? undefined : this.known.tokens.of(name);
    if (text !== wanted)
      throw new SceneFailure(
        name === undefined ? 'no token file' : `the token ${name} in the token file`,
        text === undefined ? 'no token file' : (this.known.tokens.nameOf(text) ?? 'something else'),
      );
    if (name !== undefined && platform() !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new SceneFailure('a token file that other users cannot read', 'one that they can');
  }

  #checkConnections(most: number): void {
    const count = this.stage.service.connections - this.#connectionsBefore;
    if (count > most) throw new SceneFailure(`at most ${most} connections`, String(count));
  }

  beginReading(act: BeginReading): void {
    const options = this.#options;
    this.#answeredAt = this.stage.now;
    this.#sentAt = [];
    this.stage.beginReading('watch' in act);
    this.known.query = 'find' in act ? act.find : 'watch' in act ? act.watch : '';
    if ('find' in act) this.stage.program.tell({ find: { ...options, query: act.find } });
    else if ('watch' in act) this.stage.program.tell({ watch: { ...options, query: act.watch } });
    else this.stage.program.tell({ list: options });
  }

  async #hearServers({ servers: names, called = {}, stale = false }: ServersSaid): Promise<void> {
    const { ids: known } = this.known;
    const line = (await this.stage.nextSaid('servers'))['servers'] as Readonly<Record<string, unknown>>;
    const [ids, calledNow] = [textsOf(line['ids']), textsOf(line['names'])];
    const wanted = names.map((name) => known.of(name));
    const short = (each: readonly string[]): string =>
      each.length > 10
        ? `${each.length} servers`
        : `[${each.map((id) => known.nameOf(id) ?? id).join(', ')}]`;
    const isSame = ids.length === wanted.length && new Set([...ids, ...wanted]).size === wanted.length;
    if (!isSame) throw new SceneFailure(`the servers ${short(wanted)}`, short(ids));
    for (const [name, wantedName] of Object.entries(called)) {
      const seen = calledNow[ids.indexOf(known.of(name))];
      if (seen !== wantedName)
        throw new SceneFailure(`the server ${name} to be called "${wantedName}"`, `"${String(seen)}"`);
    }
    if (Boolean(line['stale']) !== stale)
      throw new SceneFailure(stale ? 'a list that is stale' : 'a list that is current', 'the opposite');
  }

  async #hearFailed(pattern: RegExp): Promise<void> {
    const { failed } = await this.stage.nextSaid('failed');
    const text = String(failed);
    if (!pattern.test(text)) throw new SceneFailure(`a failure that says ${String(pattern)}`, text);
    if (/\p{Cc}/u.test(text)) throw new SceneFailure('words of printable characters', text);
  }

  #checkLogged(pattern: RegExp): void {
    const { log } = this.stage;
    if (!log.some((line) => pattern.test(line)))
      throw new SceneFailure(`a line of the log that says ${String(pattern)}`, log.at(-1) ?? 'none');
  }

  async #send(events: readonly StreamEvent[], packet = Infinity): Promise<void> {
    const bytes = Buffer.from(events.map((event) => eventText(event, this.known)).join(''));
    for (let from = 0; from < bytes.length; from += packet)
      await this.#open!.write(bytes.subarray(from, from + packet));
  }

  #endStream(how: 'well' | 'cut' | 'reset'): void {
    const stream = this.#open!;
    this.#open = undefined;
    this.#answeredAt = this.stage.now;
    if (how === 'well') stream.finish();
    else if (how === 'cut') stream.hangUp();
    else stream.reset();
  }

  /** What no scene allows. */
  #checkLog(): void {
    const { stage, known } = this;
    const secrets = [...known.tokens.all, ...known.usedKeys, ...(known.key === undefined ? [] : [known.key])];
    const lines = [...stage.log, ...stage.noise, stage.program.complaints];
    if (secrets.some((secret) => lines.some((line) => line.includes(secret))))
      throw new SceneFailure('no token and no key in the log', 'one of them');
    if (lines.some((line) => /[^\P{Cc}\t\n\r]/u.test(line)))
      throw new SceneFailure('a log of printable characters', 'a control character');
    const [noise] = stage.noise;
    if (noise !== undefined) throw new SceneFailure('lines of JSON alone', noise.slice(0, 200));
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
