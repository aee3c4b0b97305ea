/**
 * A replica as it is deployed: a process of a built version that can be killed, stopped, frozen and started again.
 * Linux only.
 */

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childrenOf } from '../../support/children-of.ts';
import { startReplica, type RunningProcess } from '../../support/processes.ts';
import { now } from '../../support/load/recorder.ts';
import type { Address } from '../../support/ask.ts';

const COLLECT_ON_SIGNAL = fileURLToPath(new URL('collect-on-signal.cjs', import.meta.url));
const READY_POLL_MS = 20;
const PAGE_BYTES = 4096;
const ERROR_LEVEL = 50;
/** A replica that has not ended this long after SIGTERM will not. */
const STOP_LIMIT_MS = 15_000;

/** One line of a replica's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export class Replica implements Address {
  readonly host: string;
  readonly port: number;
  readonly #environment: Readonly<Record<string, string>>;
  #process: RunningProcess | undefined;
  #mayEnd = true;
  #linesTaken = 0;
  /** The folder of the version that the next start runs; undefined stands for this checkout. */
  folder: string | undefined;
  /** Further variables of the next start. */
  variables: Readonly<Record<string, string>> = {};
  /** Whether an answer can be expected: the process is awake and has had a list since its start. */
  isServing = false;

  constructor(host: string, port: number, environment: Readonly<Record<string, string>>, folder?: string) {
    this.host = host;
    this.port = port;
    this.folder = folder;
    this.#environment = {
      NODE_OPTIONS: `--require "${COLLECT_ON_SIGNAL}"`,
      ...environment,
      GSLS_HOST: host,
      GSLS_PORT: String(port),
    };
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    this.#process = await startReplica({ ...this.#environment, ...this.variables }, this.folder);
    this.#linesTaken = 0;
    this.#mayEnd = false;
    this.isServing = await this.#isReady();
    if (!this.isServing) void this.#serveOnceReady(this.#process);
  }

  /** A replica that starts while Redis is away has no list before Redis is back. */
  async #serveOnceReady(started: RunningProcess): Promise<void> {
    while (!this.#mayEnd && this.#process === started && !this.isServing) {
      await delay(READY_POLL_MS);
      const isReady = await this.#isReady();
      if (!this.#mayEnd && this.#process === started) this.isServing = isReady;
    }
  }

  async #isReady(): Promise<boolean> {
    const list = fetch(`http://${this.host}:${this.port}/`, { signal: AbortSignal.timeout(1000) });
    return list.then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** SIGKILL, to workers as well. */
  async kill(): Promise<void> {
    this.#mayEnd = true;
    this.isServing = false;
    for (const worker of this.#workers) process.kill(worker, 'SIGKILL');
    await this.#process!.stop('SIGKILL');
  }

  /** SIGTERM. Resolves with the exit code and the ms it took; the code is null if the process had to be killed. */
  async stop(): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    this.#mayEnd = true;
    this.isServing = false;
    const from = now();
    const stopped = this.#process!.stop('SIGTERM');
    const limit = new AbortController();
    void delay(STOP_LIMIT_MS, undefined, { signal: limit.signal }).then(
      () => this.#process!.signal('SIGKILL'),
      () => undefined,
    );
    const code = await stopped;
    limit.abort();
    return { code, tookMs: now() - from };
  }

  /** SIGSTOP: its connections stay open, and the kernel goes on accepting new ones. */
  freeze(): void {
    this.isServing = false;
    for (const pid of [this.pid, ...this.#workers]) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [...this.#workers, this.pid]) process.kill(pid, 'SIGCONT');
    this.isServing = true;
  }

  /** One of its workers stands still, until the returned function is called. */
  freezeWorker(): () => void {
    const [worker] = this.#workers;
    this.isServing = false;
    if (worker !== undefined) process.kill(worker, 'SIGSTOP');
    return () => {
      if (worker !== undefined && this.#workers.includes(worker)) process.kill(worker, 'SIGCONT');
      this.isServing = true;
    };
  }

  /** One of its workers dies. The returned function says that the others can be expected to answer. */
  killWorker(): () => void {
    const [worker] = this.#workers;
    this.isServing = false;
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
    return () => void (this.isServing = true);
  }

  /** It goes on to serve. */
  replaceWorkers(): () => void {
    this.#process!.signal('SIGUSR2');
    return () => undefined;
  }

  get #workers(): readonly number[] {
    return childrenOf(this.pid);
  }

  /** Changes with each start. */
  get pid(): number {
    return this.#process!.pid;
  }

  /** Bytes of memory in use, by its workers as well. */
  async residentBytes(): Promise<number> {
    const pages = await Promise.all(
      [this.pid, ...this.#workers].map(async (pid) =>
        readFile(`/proc/${pid}/statm`, 'utf8').then(
          (text) => Number(text.split(' ')[1]),
          () => 0,
        ),
      ),
    );
    return pages.reduce((sum, each) => sum + each, 0) * PAGE_BYTES;
  }

  /** Asks it to collect its garbage, soon. */
  collectGarbage(): void {
    for (const pid of [this.pid, ...this.#workers]) process.kill(pid, 'SIGURG');
  }

  /** How often the process that ran last has gone by another configuration. With workers: all of them together. */
  get reloads(): number {
    return this.log.filter(({ msg }) => msg.startsWith('the configuration has changed')).length;
  }

  /** The log of the process that ran last. */
  get log(): LogLine[] {
    const { lines } = this.#process!;
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }

  /**
   * What no replica should do, in sentences: since the last call it ended by itself, or logged errors that `expected`
   * does not match.
   */
  takeMisbehaviour(expected?: RegExp): string[] {
    const replica = this.#process!;
    const unasked = replica.ended && !this.#mayEnd ? [`replica ${this.host} ended unasked`] : [];
    const loud = replica.lines
      .slice(this.#linesTaken)
      .filter((line) => !line.startsWith('{') || (JSON.parse(line) as LogLine).level >= ERROR_LEVEL)
      .filter((line) => expected?.test(line) !== true);
    this.#linesTaken = replica.lines.length;
    const said = loud.slice(0, 3).map((line) => `replica ${this.host} said: ${line.slice(0, 200)}`);
    return [...unasked, ...said];
  }
}
