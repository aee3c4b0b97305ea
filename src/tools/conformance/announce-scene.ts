/** Plays the acts of a scene with a client that announces. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONGEST_END_MS, LONGEST_STOP_MS, USUAL_SPAN, type SceneExchange } from './scene-exchange.ts';
import { checkWrite } from './expectations.ts';
import { checkRead } from './read-expectations.ts';
import type { Act, AnswerScript, Span, StartScript, StopScript, WriteExpected } from './scene.ts';
import { SceneFailure } from './scene-failure.ts';
import { describeRequest } from './scripted-service.ts';
import { isWithin } from './span.ts';

/** The fields of every game server in a scene. */
const FIELDS = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
};

export class AnnounceScene {
  readonly exchange: SceneExchange;
  readonly #directory = mkdtempSync(join(tmpdir(), 'gsls-scene-'));
  #connectionsBefore = 0;
  /** Whether the client has a token file that it can read and write; undefined: it can do neither. */
  #keepsToken: boolean | undefined;

  constructor(exchange: SceneExchange) {
    this.exchange = exchange;
  }

  get #tokenFilePath(): string {
    return join(this.#directory, 'gsls.token');
  }

  /** Tells the client to announce. With `failsFor` no request may come meanwhile. */
  async start({ fields, tokenFile, insecure, failsFor }: StartScript): Promise<void> {
    const { stage } = this.exchange;
    if (tokenFile !== undefined) this.#prepareTokenFile(tokenFile);
    this.#keepsToken = tokenFile === 'folder' ? undefined : tokenFile !== undefined;
    this.#connectionsBefore = stage.service.connections;
    this.exchange.told(true);
    stage.program.tell({
      start: {
        ...this.exchange.options,
        fields: { ...FIELDS, ...fields },
        ...(tokenFile !== undefined && { token_file: this.#tokenFilePath }),
        ...(insecure && { insecure }),
      },
    });
    if (failsFor !== undefined) await this.quiet(failsFor, true);
  }

  #prepareTokenFile(content: NonNullable<StartScript['tokenFile']>): void {
    const path = this.#tokenFilePath;
    if (content === 'folder') mkdirSync(path);
    else if (content !== 'none' && content !== 'kept')
      writeFileSync(
        path,
        'token' in content ? `${this.exchange.known.tokens.of(content.token)}\n` : content.bytes,
        {
          mode: 0o600,
        },
      );
  }

  /** Expects this write as the next request, and answers it. Throws a SceneFailure. */
  async write(expected: WriteExpected): Promise<void> {
    const { request: kind, after = USUAL_SPAN } = expected;
    // A remove follows a stop.
    const { request } = await this.exchange.nextRequest(`a ${kind}`, after, kind === 'remove');
    checkWrite(request, this.exchange.path, expected, this.exchange.known);
    if (expected.latency !== undefined) this.exchange.beacons.check();
    const { meanwhile = [] } = expected;
    for (const act of meanwhile) await this.exchange.play(act);
    if (request.isGivenUp && meanwhile.length > 0 && meanwhile.every((act) => 'players' in act))
      throw new SceneFailure('that the client waits for its answer meanwhile', 'it gave up');
    await this.exchange.answer(request, expected.answer);
  }

  /** Accepts what is sent until the client has asked for the beacons. Throws a SceneFailure. */
  async takeBeacons(script: Extract<Act, { readonly mark: string }>): Promise<void> {
    const { known, path, toldAt: from } = this.exchange;
    const { beacons: span, mark, anew } = script;
    const accepted: AnswerScript = { accept: { id: 'A', token: 'A', headers: { 'Server-Beacons': mark } } };
    for (let isListed = !anew, isAsked = false; !isListed || !isAsked;) {
      const { request, at } = await this.exchange.nextRequest('a GET of /beacons', [0, span[1]]);
      const isAsking = request.url.pathname === `${path}/beacons`;
      if (isAsking) checkRead(request, path, { get: '/beacons' }, known);
      const ms = at - from;
      if (isAsking ? isAsked || !isWithin(ms, span, false) : !isAsked && ms > span[1])
        throw new SceneFailure(
          `one GET of /beacons after ${span.join(' to ')} ms`,
          `${describeRequest(request)} after ${ms} ms`,
        );
      isAsked ||= isAsking;
      isListed ||= request.url.pathname === `${path}/broadcast`;
      await this.exchange.answer(request, isAsking ? script.answer : accepted);
    }
  }

  /** Expects a ping at its time while a beacon does not answer. Throws a SceneFailure. */
  async pingMeanwhile({ hangs, answer }: Extract<Act, { readonly hangs: number }>): Promise<void> {
    await this.exchange.beacons.silence;
    const beganAt = performance.now();
    this.exchange.stage.advance(hangs);
    await this.write({ request: 'ping', answer });
    if (performance.now() - beganAt > LONGEST_STOP_MS)
      throw new SceneFailure('a ping while a beacon is silent', 'one behind it');
  }

  /** Tells the client to stop, and waits until it has. Throws a SceneFailure. */
  async stop({ remove, forGood }: StopScript): Promise<void> {
    const { stage } = this.exchange;
    const beganAt = performance.now();
    stage.program.tell({ stop: forGood ? { keep_id: false } : true });
    await this.#remove(remove, forGood ? false : this.#keepsToken);
    await stage.nextSaid('stopped', 2000);
    const tookMs = performance.now() - beganAt;
    if (tookMs > LONGEST_STOP_MS)
      throw new SceneFailure('that the stop is over within 2 s', `it took ${(tookMs / 1000).toFixed(1)} s`);
  }

  /** Sends SIGTERM to the process of the client, and waits until it has ended. Throws a SceneFailure. */
  async terminate({ remove }: StopScript): Promise<void> {
    const { program } = this.exchange.stage;
    const beganAt = performance.now();
    program.terminate();
    await this.#remove(remove, this.#keepsToken);
    if (!(await program.isGoneWithin(beganAt + LONGEST_END_MS - performance.now())))
      throw new SceneFailure('that its process ends within 2 s', 'it goes on');
  }

  /** Expects this remove, if there is to be one. The answer may be silence, which ends when the client gives up. */
  async #remove(expected: StopScript['remove'], keepsId: boolean | undefined): Promise<void> {
    this.exchange.told();
    if (expected === undefined) return;
    const rule = keepsId === undefined ? {} : { keepsId };
    await this.write({ ...rule, ...expected, request: 'remove', after: [0, 0] });
  }

  /** Keeps the service away until the client has waited this long after each failure. Throws a SceneFailure. */
  async down(spans: readonly Span[]): Promise<void> {
    const { stage } = this.exchange;
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
    this.exchange.told();
  }

  /** Expects that nothing is sent for `ms`. `mayTry`: but for connections without a request. Throws a SceneFailure. */
  async quiet(ms: number, mayTry = false): Promise<void> {
    const { stage } = this.exchange;
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

  /** Checks the token file once the client has done what it does after an answer. */
  async checkTokenFile(name: string | undefined): Promise<void> {
    await this.exchange.stage.nextWait('that it sleeps');
    const path = this.#tokenFilePath;
    let text: string | undefined;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch {
      // The file is not there.
    }
    const wanted = name === undefined ? undefined : this.exchange.known.tokens.of(name);
    if (text !== wanted)
      throw new SceneFailure(
        name === undefined ? 'no token file' : `the token ${name} in the token file`,
        text === undefined ? 'no token file' : (this.exchange.known.tokens.nameOf(text) ?? 'something else'),
      );
    if (name !== undefined && platform() !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new SceneFailure('a token file that other users cannot read', 'one that they can');
  }

  /** Throws a SceneFailure if more connections were opened since the start. */
  checkConnections(most: number): void {
    const count = this.exchange.stage.service.connections - this.#connectionsBefore;
    if (count > most) throw new SceneFailure(`at most ${most} connections`, String(count));
  }

  /** Removes its files. */
  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
