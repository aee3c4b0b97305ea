/**
 * Readers of the list: launchers with gzip and the ETag of their last list, some that read all of it as plain JSON, and
 * dashboards that read the metrics of each replica once a second.
 */

import { addDuration, createCounts, type Counts } from '../support/histogram.ts';
import { headerOf, HttpConnection, type Answer } from '../support/http-connection.ts';

export interface ReadersOptions {
  readonly host: string;
  readonly port: number;
  readonly readers: number;
  /** Between an answer and the next request of the same reader. */
  readonly pauseMs: number;
  /** The ports of the replicas, for their metrics. */
  readonly replicaPorts: readonly number[];
}

export interface ReadersReport {
  readonly gzip: Counts;
  readonly plain: Counts;
  readonly notModified: Counts;
  /** Answers without success by status; 0 for none. */
  readonly failures: ReadonlyMap<number, number>;
  readonly bytesReceived: number;
  /** Of the last whole list. */
  readonly gzipBytes: number;
  readonly plainBytes: number;
}

const DASHBOARD_PAUSE_MS = 1000;
/** Every so many readers one reads plain JSON. */
const PLAIN_EVERY = 4;
/** A list may take a while on a slow line; a request that takes longer is given up. */
const LONGEST_ANSWER_MS = 60_000;

export class Readers {
  readonly #counts = { gzip: createCounts(), plain: createCounts(), notModified: createCounts() };
  readonly #failures = new Map<number, number>();
  readonly #connections: HttpConnection[] = [];
  #gzipBytes = 0;
  #plainBytes = 0;

  constructor({ host, port, readers, pauseMs, replicaPorts }: ReadersOptions) {
    for (let i = 0; i < readers; i += 1) this.#startReader(host, port, i % PLAIN_EVERY === 3, pauseMs);
    for (const replicaPort of replicaPorts) this.#startDashboard(host, replicaPort);
    setInterval(() => {
      for (const connection of this.#connections) connection.checkDeadline(LONGEST_ANSWER_MS);
    }, 1000);
  }

  report(): ReadersReport {
    return {
      ...this.#counts,
      failures: this.#failures,
      bytesReceived: this.#connections.reduce((total, { bytesReceived }) => total + bytesReceived, 0),
      gzipBytes: this.#gzipBytes,
      plainBytes: this.#plainBytes,
    };
  }

  #startReader(host: string, port: number, isPlain: boolean, pauseMs: number): void {
    let etag = '';
    const ask = (): void => {
      const condition = etag === '' ? '' : `If-None-Match: ${etag}\r\n`;
      const headers = isPlain ? '' : `Accept-Encoding: gzip\r\n${condition}`;
      connection.send(`GET / HTTP/1.1\r\nHost: fleet\r\n${headers}\r\n`);
    };
    const connection = new HttpConnection(host, port, (answer) => {
      if (answer.status === 200) etag = headerOf(answer.head, 'etag') ?? '';
      this.#note(answer, isPlain);
      setTimeout(ask, pauseMs);
    });
    this.#connections.push(connection);
    // They did not start together.
    setTimeout(ask, Math.random() * pauseMs);
  }

  #startDashboard(host: string, port: number): void {
    const ask = (): void => connection.send('GET /metrics HTTP/1.1\r\nHost: fleet\r\n\r\n');
    const connection = new HttpConnection(host, port, ({ status }) => {
      if (status !== 200) this.#fail(status);
      setTimeout(ask, DASHBOARD_PAUSE_MS);
    });
    this.#connections.push(connection);
    ask();
  }

  #note({ status, head, ms }: Answer, isPlain: boolean): void {
    const length = Number(headerOf(head, 'content-length') ?? 0);
    if (status === 304) addDuration(this.#counts.notModified, ms);
    else if (status !== 200) this.#fail(status);
    else if (isPlain) {
      addDuration(this.#counts.plain, ms);
      this.#plainBytes = length;
    } else {
      addDuration(this.#counts.gzip, ms);
      this.#gzipBytes = length;
    }
  }

  #fail(status: number): void {
    this.#failures.set(status, (this.#failures.get(status) ?? 0) + 1);
  }
}
