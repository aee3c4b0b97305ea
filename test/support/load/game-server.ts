/** A game server that behaves as docs/game-servers.md asks: one connection, a ping each interval, patience with a 503. */

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Checker } from './checker.ts';
import { now, type GameServerHistory, type Operation, type Recorder } from './recorder.ts';
import { ask, type Address } from '../ask.ts';

/** What all game servers of a load share. */
export interface GameServerSetup {
  readonly front: Address;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly recorder: Recorder;
  readonly checker: Checker;
  readonly pingIntervalMs: number;
  readonly giveUpAfterMs: number;
  /** The share of game servers that claim their entry and show its token with each request. */
  readonly shareOfTokens: number;
  /** While true, no client changes what the list shows. */
  hushed: boolean;
  /** Once true, no client tries anything again. */
  ended: boolean;
}

/** The share of pings that bring another number of players. */
const SHARE_OF_CHANGES = 0.1;

export class GameServer {
  readonly history: GameServerHistory;
  readonly #setup: GameServerSetup;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #key = randomUUID();
  readonly #usesToken: boolean;
  /** As the answer to the broadcast had it. A release before 0.4 gives none. */
  #token: string | undefined;
  #players = 0;
  #pingDueAt = now();
  #failures = 0;
  /** Its pings get nowhere, though it sends them. */
  cutOff = false;

  constructor(setup: GameServerSetup, name: string) {
    this.#setup = setup;
    this.#usesToken = Math.random() < setup.shareOfTokens;
    this.history = setup.recorder.begin(name);
  }

  /** Asks to be listed, again and again until `givesUpAt`. Resolves with whether it is. */
  async broadcast(givesUpAt = Infinity): Promise<boolean> {
    const { history } = this;
    for (;;) {
      const claim = this.#usesToken ? { 'Server-Token': 'claim' } : {};
      const done = await this.#renew('broadcast', { 'Idempotency-Key': this.#key, ...claim });
      if (done.outcome === '200') {
        if (this.#usesToken) this.#token = done.answer!.headers['server-token'] as string | undefined;
        history.id = (JSON.parse(done.answer!.text) as { server_id: string }).server_id;
        history.listedSince = done.answeredAt;
        this.#setup.recorder.listed.add(history);
        return true;
      }
      if (now() > givesUpAt || this.#setup.ended) {
        history.keepsPinging = false;
        return false;
      }
      await this.#pause();
    }
  }

  /**
   * Pings once when a ping is due, unless the game server has left by then. After a failure the next ping is due sooner.
   * Resolves with false once its id is unknown.
   */
  async ping(): Promise<boolean> {
    await delay(Math.max(0, this.#pingDueAt - now()));
    if (!this.history.keepsPinging) return true;
    this.#pingDueAt = now() + this.#setup.pingIntervalMs * (0.9 + 0.2 * Math.random());
    if (!this.#setup.hushed && Math.random() < SHARE_OF_CHANGES) this.#players += 1;
    if (this.cutOff) return true;
    const done = await this.#renew('ping', {});
    if (done.outcome === '200') return true;
    if (done.outcome === '404') {
      this.history.lostAt = done.answeredAt;
      this.history.keepsPinging = false;
      this.#setup.checker.noteLost(this.history, 'ping');
      return false;
    }
    this.#pingDueAt = now() + this.#pauseMs();
    return true;
  }

  /** Repeats the removal until it is acknowledged. */
  async remove(): Promise<void> {
    const { history } = this;
    const fields = { server_id: history.id, server_ip: '203.0.113.7' };
    history.keepsPinging = false;
    history.removeSentAt = now();
    for (let attempt = 1; !this.#setup.ended; attempt += 1) {
      const done = await this.#send('remove', fields, {});
      // After an attempt without an answer, 404 says that it was carried out.
      if (done.outcome === '200' || (done.outcome === '404' && attempt > 1)) {
        history.removedAt = done.answeredAt;
        return;
      }
      if (done.outcome === '404') {
        this.#setup.checker.noteLost(history, 'remove');
        return;
      }
      await this.#pause();
    }
  }

  /** Stops without a removal. */
  fallSilent(): void {
    this.history.keepsPinging = false;
  }

  hangUp(): void {
    this.#agent.destroy();
  }

  async #renew(kind: 'broadcast' | 'ping', headers: Readonly<Record<string, string>>): Promise<Operation> {
    const { id, name } = this.history;
    const renewal = this.history.renewing(this.#players, now());
    const fields = {
      ...(id !== undefined && { server_id: id }),
      server_host: 'game.example.com',
      server_name: name,
      server_port: 7777,
      server_ip: '203.0.113.7',
      players: this.#players,
      max_players: 1000,
    };
    const done = await this.#send(kind, fields, headers);
    this.history.renewed(renewal, done);
    return done;
  }

  async #send(
    kind: 'broadcast' | 'ping' | 'remove',
    fields: object,
    more: Readonly<Record<string, string>>,
  ): Promise<Operation> {
    const { front, headers: common, recorder, giveUpAfterMs } = this.#setup;
    const proof = this.#token === undefined ? {} : { 'Server-Token': this.#token };
    const headers = { ...common, ...proof, ...more };
    const options = { agent: this.#agent, body: fields, headers, giveUpAfterMs };
    const done = await recorder.operation(kind, 'haproxy', () => ask(front, `POST /${kind}`, options));
    this.#failures = done.outcome === '200' ? 0 : this.#failures + 1;
    return done;
  }

  #pause(): Promise<void> {
    return delay(this.#pauseMs());
  }

  /** Growing up to the ping interval, and shortened at random: 1 s, 2 s, … for an interval of 20 s. */
  #pauseMs(): number {
    const { pingIntervalMs } = this.#setup;
    const longest = Math.min(pingIntervalMs, (pingIntervalMs / 20) * 2 ** (this.#failures - 1));
    return longest * (0.5 + 0.5 * Math.random());
  }
}
