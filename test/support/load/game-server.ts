/**
 * A game server that behaves as docs/game-servers.md asks: one connection, a ping each interval, patience with a 503.
 */

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
  /** Where the registry is; empty for the root. */
  readonly path: string;
  readonly recorder: Recorder;
  readonly checker: Checker;
  readonly pingIntervalMs: number;
  readonly giveUpAfterMs: number;
  /** The share of pings that bring another number of players. */
  readonly shareOfChanges: number;
  /** While true, no client changes what the list shows. */
  hushed: boolean;
  /** Once true, no client tries anything again. */
  ended: boolean;
}

/**
 * How a game server uses its token: half of them from birth, others with their first ping, and some know only the spec.
 */
const TOKEN_USES = ['from birth', 'from birth', 'with pings', 'never'] as const;

/** Those that use their token start anew at another port. */
const FIRST_PORT = 7777;

let begun = 0;

export class GameServer {
  readonly history: GameServerHistory;
  readonly #setup: GameServerSetup;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #key = randomUUID();
  #players = 0;
  #pingDueAt = now();
  #failures = 0;
  readonly #tokenUse: (typeof TOKEN_USES)[number];
  #token: string | undefined;
  #port = FIRST_PORT;
  /** How far a beacon of the name is, where the replicas have one: it never changes. */
  readonly #latency: { readonly here: number };
  #isRestarting = false;
  /** Its pings get nowhere, though it sends them. */
  cutOff = false;

  constructor(setup: GameServerSetup, name: string) {
    this.#setup = setup;
    this.history = setup.recorder.begin(name);
    begun += 1;
    this.#latency = { here: begun % 1000 };
    this.#tokenUse = TOKEN_USES[begun % TOKEN_USES.length]!;
  }

  /** Asks to be listed, again and again until `givesUpAt`. Resolves with whether it is. */
  async broadcast(givesUpAt = Infinity): Promise<boolean> {
    const { history } = this;
    for (;;) {
      const done = await this.#renew('broadcast', {
        'Idempotency-Key': this.#key,
        ...(this.#tokenUse === 'from birth' && { 'Server-Token': 'claim' }),
      });
      if (done.outcome === '200') {
        this.#noteToken(done);
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
   * Pings once when a ping is due, unless the game server has left by then. After a failure the next ping is due
   * sooner. Resolves with false once its id is unknown.
   */
  async ping(): Promise<boolean> {
    await delay(Math.max(0, this.#pingDueAt - now()));
    if (!this.history.keepsPinging) return true;
    this.#pingDueAt = now() + this.#setup.pingIntervalMs * (0.9 + 0.2 * Math.random());
    if (!this.#setup.hushed && Math.random() < this.#setup.shareOfChanges) this.#players += 1;
    if (this.cutOff) return true;
    const restarts = this.#isRestarting && this.#token !== undefined;
    const done = await this.#renew(restarts ? 'broadcast' : 'ping', this.#ownHeaders);
    if (done.outcome === '200') {
      if (this.#token !== undefined)
        this.history.claimedSince = Math.min(this.history.claimedSince, done.answeredAt);
      if (restarts) this.#noteRestarted(done);
      return true;
    }
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
      const done = await this.#send('remove', fields, this.#ownHeaders);
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

  /** With its next ping it starts anew at another port, if it uses its token. */
  restart(): void {
    if (this.#token === undefined) return;
    this.#port = FIRST_PORT + (this.#port === FIRST_PORT ? 1 : 0);
    this.#isRestarting = true;
  }

  /** Stops without a removal. */
  fallSilent(): void {
    this.history.keepsPinging = false;
  }

  hangUp(): void {
    this.#agent.destroy();
  }

  get #ownHeaders(): Readonly<Record<string, string>> {
    return this.#token === undefined ? {} : { 'Server-Token': this.#token };
  }

  #noteToken({ answer, answeredAt }: Operation): void {
    if (this.#tokenUse === 'never') return;
    this.#token = answer!.headers['server-token'] as string | undefined;
    if (this.#tokenUse === 'from birth') this.history.claimedSince = answeredAt;
  }

  #noteRestarted({ answer }: Operation): void {
    this.#isRestarting = false;
    const { server_id: id } = JSON.parse(answer!.text) as { server_id: string };
    if (id !== this.history.id) this.#setup.checker.noteLost(this.history, 'restart');
  }

  async #renew(kind: 'broadcast' | 'ping', headers: Readonly<Record<string, string>>): Promise<Operation> {
    const { id, name } = this.history;
    const renewal = this.history.renewing(this.#players, now());
    const fields = {
      ...(id !== undefined && { server_id: id }),
      // Where addresses are unique, each has its own.
      server_host: `${name.replace(' ', '-')}.example.com`,
      server_name: name,
      server_port: this.#port,
      server_ip: '203.0.113.7',
      players: this.#players,
      max_players: 1000,
      latency: this.#latency,
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
    const { front, headers: common, path, recorder, giveUpAfterMs } = this.#setup;
    const options = { agent: this.#agent, body: fields, headers: { ...common, ...more }, giveUpAfterMs };
    const done = await recorder.operation(kind, 'haproxy', () => ask(front, `POST ${path}/${kind}`, options));
    this.#failures = done.outcome === '200' ? 0 : this.#failures + 1;
    if (done.outcome === '403') this.#setup.checker.noteRefused(this.history, kind, done.answer!);
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
