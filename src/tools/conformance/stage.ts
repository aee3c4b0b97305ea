/**
 * The stage of a scene: the client's program, the service that it meets, and the clock of both. One thing happens after
 * the other; the clock moves on only when the client sleeps.
 */

import { ClientProgram } from './client-program.ts';
import { SceneFailure } from './scene-failure.ts';
import { REAL_SLACK_MS } from './span.ts';
import type { Scene } from './scene.ts';
import { describeRequest, ScriptedService, type ScriptedRequest } from './scripted-service.ts';

/** `at`: when it came, ms. */
export interface StagedRequest {
  readonly is: 'request';
  readonly request: ScriptedRequest;
  readonly at: number;
}

interface StagedLine {
  readonly is: 'said';
  readonly line: Readonly<Record<string, unknown>>;
}

/** The client sleeps until then, ms. */
interface StagedWait {
  readonly is: 'waits';
  readonly until: number;
}

export interface StageOptions {
  readonly command: readonly string[];
  readonly scene: Scene;
  /** Whether the clock is the one on the wall. */
  readonly isReal: boolean;
}

/** How long the next thing may take to happen, in real time: it is long, as machines are busy. */
const PATIENCE_MS = 20_000;
/** The time at which the clock of a scene begins. */
const BEGINNING_MS = 1_000_000;

export class Stage {
  readonly scene: Scene;
  readonly isReal: boolean;
  readonly service: ScriptedService;
  /** The lines of the client's log. */
  readonly log: string[] = [];
  /** Lines that do not follow the protocol. */
  readonly noise: string[] = [];
  readonly #command: readonly string[];
  #program: ClientProgram;
  readonly #events: (StagedRequest | StagedLine)[] = [];
  /** When the client wakes; null: never. Undefined: it does not sleep, or that is known already. */
  #waits: number | null | undefined;
  /** How its program ended. */
  #end: string | undefined;
  #wake: (() => void) | undefined;
  /** The servers that a watch reported last: it may report them again. Undefined where each line counts. */
  #saidOfWatch: string | undefined;
  #now = BEGINNING_MS;
  readonly #beganAt = performance.now();

  constructor({ command, scene, isReal }: StageOptions) {
    this.scene = scene;
    this.isReal = isReal;
    this.service = new ScriptedService({
      listens: scene.listens ?? 'http',
      path: scene.path ?? '',
      onRequest: (request) => this.#happen({ is: 'request', request, at: this.now }),
    });
    this.#command = command;
    this.#program = this.#startProgram();
  }

  get program(): ClientProgram {
    return this.#program;
  }

  /** The time on the clock of the scene, ms. */
  get now(): number {
    return this.isReal ? performance.now() - this.#beganAt : this.#now;
  }

  /** The clock that a command sends along when something begins. */
  get clock(): { readonly now?: number } {
    return this.isReal ? {} : { now: this.#now };
  }

  /** Moves the clock on. */
  advance(ms: number): void {
    if (this.isReal) return;
    this.#waits = undefined;
    this.#now += ms;
    this.program.tell({ now: this.#now });
  }

  /**
   * The next request, at the time at which the client sends it. `within`: the longest that it may wait from now, ms.
   * `isWoken`: the client was told something that ends its sleep; what it says of that may be from before.
   */
  async nextRequest(expected: string, within: number, isWoken = false): Promise<StagedRequest> {
    const latest = this.now + within;
    for (;;) {
      const patienceMs = this.isReal ? Math.max(0, latest - this.now) + REAL_SLACK_MS : PATIENCE_MS;
      const event = await this.#next(expected, patienceMs);
      if (event.is === 'request') return event;
      if (event.is === 'said') throw new SceneFailure(expected, describe(event));
      const { until } = event;
      if (until <= latest) this.advance(until - this.#now);
      else if (!isWoken) throw new SceneFailure(expected, `it waits for ${Math.round(until - this.#now)} ms`);
    }
  }

  /** The next line of this name. While it is awaited the client may sleep, for `within` in all, ms. */
  async nextSaid(name: string, within = 0): Promise<Readonly<Record<string, unknown>>> {
    const expected = `the line {"${name}":…}`;
    const latest = this.now + within;
    for (;;) {
      const event = await this.#next(expected, PATIENCE_MS, within > 0);
      if (event.is === 'waits') {
        // The client slept at least this long before the line that it answers.
        if (event.until <= latest) this.advance(event.until - this.#now);
      } else if (event.is === 'said' && name in event.line) return event.line;
      else throw new SceneFailure(expected, describe(event));
    }
  }

  /** Resolves with when the client wakes, once it sleeps. The clock stays. */
  async nextWait(expected: string): Promise<number> {
    const event = await this.#next(expected, PATIENCE_MS);
    if (event.is !== 'waits') throw new SceneFailure(expected, describe(event));
    this.#waits = event.until;
    return event.until;
  }

  /** Starts another process of the client, which knows nothing of the one before. */
  async restart(): Promise<void> {
    await this.#program.end();
    this.#end = undefined;
    this.#waits = undefined;
    this.#program = this.#startProgram();
    await this.nextSaid('ready');
  }

  /** From now on the client reports servers of another reading. */
  beginReading(isWatch: boolean): void {
    this.#saidOfWatch = isWatch ? '' : undefined;
  }

  /** Puts the request back: it is the next thing that happens. */
  giveBack(request: StagedRequest): void {
    this.#events.unshift(request);
  }

  /** Expects that nothing comes for this long, in real time. */
  async nothing(ms: number): Promise<void> {
    const expected = `nothing for ${ms} ms`;
    await new Promise((resolve) => setTimeout(resolve, ms));
    const event = this.#events.shift();
    if (event !== undefined) throw new SceneFailure(expected, describe(event));
    if (this.#end !== undefined) throw new SceneFailure(expected, this.#end);
  }

  async close(): Promise<void> {
    await this.#program.end();
    await this.service.close();
  }

  #startProgram(): ClientProgram {
    return new ClientProgram(this.#command, {
      onLine: (line) => this.#hear(line),
      onEnd: (how) => {
        this.#end ??= how;
        this.#wake?.();
      },
    });
  }

  /** The next event or, with `mayWait`, the client's sleep. Throws a SceneFailure for neither. */
  async #next(
    expected: string,
    patienceMs: number,
    mayWait = true,
  ): Promise<StagedRequest | StagedLine | StagedWait> {
    const endsAt = performance.now() + patienceMs;
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.#end !== undefined) throw new SceneFailure(expected, this.#end);
      if (mayWait && this.#waits !== undefined) {
        const waits = this.#waits;
        this.#waits = undefined;
        if (waits === null) throw new SceneFailure(expected, 'it waits for ever');
        // The clock shows whole ms, which every language can repeat exactly.
        const until = Math.ceil(waits);
        if (until <= this.#now) throw new SceneFailure(expected, 'it waits until a time that is over');
        return { is: 'waits', until };
      }
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) throw new SceneFailure(expected, `nothing for ${(patienceMs / 1000).toFixed(1)} s`);
      await this.#something(leftMs);
    }
  }

  /** Resolves when something happens, or after the time. */
  async #something(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  #hear(line: { readonly said?: Readonly<Record<string, unknown>>; readonly noise?: string }): void {
    if (line.said === undefined) {
      this.noise.push(line.noise!);
      return;
    }
    const { said } = line;
    if (typeof said['log'] === 'string') this.log.push(said['log']);
    else if ('waits' in said) {
      const { waits, at } = said;
      // The client wrote this line before it read the present time of the clock.
      if (this.isReal || at !== this.#now) return;
      this.#waits = typeof waits === 'number' ? waits : null;
      this.#wake?.();
    } else if (!this.#repeats(said)) this.#happen({ is: 'said', line: said });
  }

  #repeats({ servers }: Readonly<Record<string, unknown>>): boolean {
    if (servers === undefined || this.#saidOfWatch === undefined) return false;
    const before = this.#saidOfWatch;
    this.#saidOfWatch = JSON.stringify(servers);
    return this.#saidOfWatch === before;
  }

  #happen(event: StagedRequest | StagedLine): void {
    // A client that sends a request is awake.
    if (event.is === 'request') this.#waits = undefined;
    this.#events.push(event);
    this.#wake?.();
  }
}

function describe(event: StagedRequest | StagedLine): string {
  return event.is === 'request' ? describeRequest(event.request) : `the line ${JSON.stringify(event.line)}`;
}
