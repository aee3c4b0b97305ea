/**
 * A client that keeps a list by GET /changes, by polls or by a stream, and turns to the next address when a connection
 * or an answer is lost. It knows nothing but what it was told.
 */

import { request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { EventParser } from './event-parser.ts';

/** A server as GET /changes and GET /servers show it. */
export interface ShownServer {
  readonly id: string;
  readonly name: string;
  readonly players: number;
  readonly [field: string]: unknown;
}

export interface ToldChanges {
  readonly servers: readonly ShownServer[];
  readonly removed: readonly string[];
  readonly full: boolean;
  readonly tag: string;
}

export interface FollowOptions {
  /** Of the replicas, or of what is in front of them: the next one is asked when one fails. */
  readonly urls: readonly string[];
  readonly by: 'polls' | 'stream';
  /** Whether each poll goes to the next address, and not only that after a failure. A stream always does. */
  readonly goesRound?: boolean;
  /** A query of filters, such as `map=de_*`. */
  readonly filters?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly isGzip?: boolean;
  /**
   * How long to wait before the next poll or connection. Default: 50 ms; a stream tells other times, for real clients.
   */
  readonly pauseMs?: number;
}

export class ChangesFollower {
  readonly servers = new Map<string, ShownServer>();
  /** Of the list that the client has; undefined before the first answer. */
  tag: string | undefined;
  /** What it was told so far, without the empty answers to polls. */
  readonly told: ToldChanges[] = [];
  /** How often a connection or an answer was lost. */
  failures = 0;
  /** What no service should say, in sentences. */
  readonly complaints: string[] = [];
  readonly #options: FollowOptions;
  #isStopped = false;
  #asked: ClientRequest | undefined;
  #following: Promise<void> | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  start(): this {
    this.#following = this.#follow();
    return this;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#asked?.destroy();
    await this.#following;
  }

  /** How often the whole list was told. */
  get fulls(): number {
    return this.told.filter(({ full }) => full).length;
  }

  async #follow(): Promise<void> {
    const { urls, by, goesRound = false, pauseMs = 50 } = this.#options;
    for (let next = 0; !this.#isStopped;) {
      const url = urls[next % urls.length]!;
      try {
        await (by === 'polls' ? this.#poll(url) : this.#listen(url));
        if (by === 'stream' || goesRound) next += 1;
      } catch {
        if (!this.#isStopped) this.failures += 1;
        next += 1;
      }
      if (!this.#isStopped) await delay(pauseMs);
    }
  }

  async #poll(url: string): Promise<void> {
    const answer = await this.#ask(url, {}, this.tag);
    const parts: Buffer[] = [];
    for await (const part of bytesOf(answer)) parts.push(part);
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
    const { status, ...changes } = JSON.parse(Buffer.concat(parts).toString()) as ToldChanges & {
      readonly status: string;
    };
    if (status !== 'success') this.complaints.push(`the status of an answer is ${status}`);
    this.#apply(changes);
  }

  /** Resolves when the stream has ended properly, and rejects when it was cut off. */
  async #listen(url: string): Promise<void> {
    const headers = {
      Accept: 'text/event-stream',
      ...(this.tag !== undefined && { 'Last-Event-ID': this.tag }),
    };
    const answer = await this.#ask(url, headers);
    if (answer.statusCode !== 200) {
      answer.resume();
      throw new Error(`status ${answer.statusCode}`);
    }
    const parser = new EventParser(({ type, data, id }) => {
      if (type === 'state') return;
      const changes = JSON.parse(data) as ToldChanges;
      if (type !== 'changes') this.complaints.push(`an event is of the type ${type}`);
      if (changes.tag !== id) this.complaints.push(`the tag ${changes.tag} came with the id ${id}`);
      this.#apply(changes);
    });
    const decoder = new TextDecoder();
    for await (const part of bytesOf(answer)) {
      parser.push(decoder.decode(part, { stream: true }));
      if (parser.lastEventId !== '') this.tag = parser.lastEventId;
    }
  }

  #ask(url: string, headers: OutgoingHttpHeaders, since?: string): Promise<IncomingMessage> {
    const { filters = '', isGzip = false } = this.#options;
    const query = [...(since === undefined ? [] : [`since=${since}`]), ...(filters === '' ? [] : [filters])];
    return new Promise((resolve, reject) => {
      const asked = request(`${url}/changes?${query.join('&')}`, {
        agent: false,
        headers: { ...this.#options.headers, ...headers, ...(isGzip && { 'Accept-Encoding': 'gzip' }) },
      });
      this.#asked = asked;
      asked.on('error', reject);
      asked.once('response', resolve);
      asked.end();
      if (this.#isStopped) asked.destroy();
    });
  }

  #apply(changes: ToldChanges): void {
    const { servers, removed, full, tag } = changes;
    this.tag = tag;
    if (servers.length === 0 && removed.length === 0 && !full) return;
    this.told.push(changes);
    if (full) this.servers.clear();
    const ids = new Set(servers.map(({ id }) => id));
    for (const id of removed) {
      if (ids.has(id)) this.complaints.push(`${id} is both removed and shown`);
      this.servers.delete(id);
    }
    for (const server of servers) this.servers.set(server.id, server);
  }
}

/** The body, decompressed. A body that is cut off rejects. */
function bytesOf(answer: IncomingMessage): AsyncIterable<Buffer> {
  if (answer.headers['content-encoding'] !== 'gzip') return answer;
  const gunzip = createGunzip();
  answer.once('error', (error) => gunzip.destroy(error));
  return answer.pipe(gunzip);
}
