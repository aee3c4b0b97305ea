/**
 * Hours of a game server's life before a service with faults at random: it is never delisted while it lives, and
 * listed once at most. The service is a model of one entry.
 */

import { randomUUID } from 'node:crypto';
import { idempotencyKeyOf } from '../../api/writes/idempotency-key.ts';
import { createRandom, pick, type Random } from '../demo/random.ts';
import type { AnnounceScene } from './announce-scene.ts';
import { checkForm } from './expectations.ts';
import type { AnswerScript } from './scene.ts';
import { describeRequest, type ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';
import type { StagedRequest } from './stage.ts';

interface HoursScript {
  readonly hours: number;
  readonly intervalS: number;
  readonly ttlS: number;
}

interface Entry {
  readonly name: string;
  readonly key: string;
  /** When it leaves the list, ms. */
  expiresAt: number;
}

/** The share of all requests that meet a fault. */
const FAULTY = 0.15;
const LOSES_ALL = 0.01;
const NEW_SECRET = 0.003;
/** The share of the faults in which the service has done its work, but its answer is lost. */
const DONE_UNHEARD = 0.3;
/** The most faults in a row: with these, a client that does all it has to is never late. */
const MOST_FAULTS = 3;
const LIFE_MS = 2 * 3_600_000;

const FAULTS: readonly AnswerScript[] = [
  { reset: 'before' },
  { reset: 'within' },
  { half: true },
  { refuse: 'registry_unavailable' },
  { refuse: 'overloaded', retryAfter: 2 },
  { refuse: 'rate_limited', retryAfter: 5 },
  { refuse: 'request_timeout' },
  { status: 500, body: '' },
  { status: 502 },
  { status: 200 },
  { status: 302, headers: { Location: '/elsewhere' } },
];
/** A fault that costs real time: the client has to give up. */
const SILENCE: AnswerScript = { silence: true };
const SILENT = 0.05;

export async function playHours(announcing: AnnounceScene, script: HoursScript): Promise<void> {
  const { stage } = announcing.exchange;
  const endsAt = stage.now + 3_600_000 * script.hours;
  const random = createRandom(29);
  while (stage.now < endsAt) {
    await announcing.start({});
    const life = new Life(announcing, script, random);
    await life.until(Math.min(endsAt, stage.now + LIFE_MS));
    await life.end();
    stage.advance(1000);
  }
}

/** One life of the client, from a start to the stop after it. */
class Life {
  readonly #announcing: AnnounceScene;
  readonly #script: HoursScript;
  readonly #random: Random;
  #entry: Entry | undefined;
  #faults = 0;
  /** Since when the list may lack it through no fault of the client, ms; undefined: it has to be there. */
  #missingSince: number | undefined;
  /** Whether a ping was accepted since its last claim: a client claims once, and then waits for a person. */
  #mayClaim = false;

  constructor(announcing: AnnounceScene, script: HoursScript, random: Random) {
    this.#announcing = announcing;
    this.#script = script;
    this.#random = random;
    this.#missingSince = announcing.exchange.stage.now;
  }

  async until(ms: number): Promise<void> {
    const { stage } = this.#announcing.exchange;
    while (stage.now < ms) {
      const { request, at } = await this.#nextRequest();
      this.#checkListed(at);
      await this.#announcing.exchange.answer(request, this.#take(request, at));
    }
  }

  /** The stop, with a remove. */
  async end(): Promise<void> {
    await this.#settle();
    const { name } = this.#entry!;
    await this.#announcing.stop({ remove: { id: name, token: name, answer: { accept: {} } } });
  }

  /** Serves requests until the client knows of its entry. */
  async #settle(): Promise<void> {
    while (this.#missingSince !== undefined) {
      const { request, at } = await this.#nextRequest();
      this.#faults = MOST_FAULTS;
      await this.#announcing.exchange.answer(request, this.#take(request, at));
    }
  }

  #nextRequest(): Promise<StagedRequest> {
    // The longest pause of a client that nobody has refused: an interval and what is added at random.
    const mostMs = 1100 * this.#script.intervalS + 1000;
    return this.#announcing.exchange.nextRequest('a request', [0, mostMs]);
  }

  #checkListed(at: number): void {
    const { intervalS, ttlS } = this.#script;
    if (this.#missingSince !== undefined) {
      // The client learns of it within an interval, broadcasts again within another, and faults cost some more.
      const mostMs = 1000 * (2.2 * intervalS + ttlS);
      if (at - this.#missingSince > mostMs)
        throw new SceneFailure(
          `to be listed within ${mostMs} ms`,
          `not listed after ${at - this.#missingSince} ms`,
        );
    } else if (this.#entry !== undefined && at > this.#entry.expiresAt)
      throw new SceneFailure('never to be delisted while it lives', 'its entry has expired');
  }

  #take(request: ScriptedRequest, at: number): AnswerScript {
    const random = this.#random();
    if (this.#faults < MOST_FAULTS && random < FAULTY) {
      this.#faults += 1;
      if (this.#random() < DONE_UNHEARD) this.#serve(request, at, false);
      if (this.#random() < SILENT) return SILENCE;
      return pick(FAULTS, this.#random);
    }
    this.#faults = 0;
    if (this.#entry !== undefined && this.#missingSince === undefined) {
      if (random > 1 - LOSES_ALL) this.#lose(at);
      else if (this.#mayClaim && random > 1 - LOSES_ALL - NEW_SECRET) {
        this.#lose(at);
        this.#mayClaim = false;
        return { refuse: 'not_owner' };
      }
    }
    return this.#serve(request, at, true);
  }

  #lose(at: number): void {
    this.#entry = undefined;
    this.#missingSince = at;
  }

  /** Serves a request as the service does. `isHeard`: whether the client gets the answer. */
  #serve(request: ScriptedRequest, at: number, isHeard: boolean): AnswerScript {
    const { known } = this.#announcing.exchange;
    const { intervalS, ttlS } = this.#script;
    const body = checkForm(request, known);
    const expiresAt = at + 1000 * ttlS;
    if (request.url.pathname === '/broadcast') {
      const key = idempotencyKeyOf(String(request.headers['idempotency-key']));
      known.usedKeys.add(key);
      if (this.#entry === undefined) this.#entry = { name: randomUUID(), key, expiresAt };
      else if (this.#entry.key !== key)
        throw new SceneFailure('one entry: a broadcast is repeated under the same key', 'another key');
      if (isHeard) this.#missingSince = undefined;
      const { name } = this.#entry;
      return { accept: { id: name, token: name, intervalS } };
    }
    if (request.url.pathname !== '/ping')
      throw new SceneFailure('a broadcast or a ping', describeRequest(request));
    if (this.#entry === undefined || body['server_id'] !== known.ids.of(this.#entry.name))
      return { refuse: 'unknown_server' };
    if (request.headers['server-token'] !== known.tokens.of(this.#entry.name)) return { refuse: 'not_owner' };
    this.#entry.expiresAt = expiresAt;
    this.#mayClaim ||= isHeard;
    return { accept: { token: this.#entry.name, intervalS } };
  }
}
