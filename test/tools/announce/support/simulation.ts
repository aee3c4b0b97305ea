/**
 * A day of `gsls announce` in a second: a clock that a test moves, services that answer as a test says, and a game that
 * it lets die and come back. The loop under test is the real one.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { createAnnouncing, type Sidecar } from '../../../../src/tools/announce/announcing.ts';
import type { Reading } from '../../../../src/tools/announce/sources/game-state.ts';
import type { TokenFile } from '../../../../clients/typescript/src/token-file.ts';
import type { Environment } from '../../../../clients/typescript/src/environment.ts';
import type { GameServerSettings } from '../../../../src/tools/announce/config/announce-config.ts';

export const TTL_MS = 60_000;
export const PING_INTERVAL_MS = 20_000;

export interface SentRequest {
  readonly at: number;
  readonly service: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** What a service answers; undefined: as a service does that has all it needs; `hang`: nothing. */
export type Script = (request: SentRequest) => Response | 'hang' | undefined;

export interface ToldLine {
  readonly level: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

export const aSettings = (more: Partial<GameServerSettings> = {}): GameServerSettings => ({
  source: { is: 'query', kind: 'a2s', target: { host: '127.0.0.1', port: 27_015 } },
  services: [{ url: 'http://one.test', key: undefined }],
  queryIntervalMs: 5000,
  queryTimeoutMs: 1000,
  identity: '127.0.0.1:27015',
  host: 'eu1.example.com',
  isHostOfMachine: false,
  port: 27_015,
  ip: 'auto',
  name: undefined,
  maxPlayers: undefined,
  details: {},
  isUnlisted: false,
  ...more,
});

export const anError = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ status: 'error', error: `said ${code}`, code }, { status, headers });

/** Of one game server, unless told otherwise. */
export class Simulation {
  readonly requests: SentRequest[] = [];
  readonly lines: ToldLine[] = [];
  readonly tokens: Map<string, string>;
  readonly announcing: Sidecar;
  script: Script = () => undefined;
  reading: Reading = { is: 'told', state: { name: 'Frankfurt 1', players: 3, maxPlayers: 16 } };
  looks = 0;
  /** Those to which every name leads. */
  addresses: readonly string[] = [];
  now = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();
  readonly #entries = new Map<string, number>();
  #random: () => number;

  constructor(
    settings: readonly GameServerSettings[] = [aSettings()],
    random: () => number = () => 0.5,
    tokens: Readonly<Record<string, string>> = {},
    keepsIds = true,
  ) {
    this.#random = random;
    this.tokens = new Map(Object.entries(tokens));
    const environment: Environment = {
      fetch: (url, request) => this.#serve(url, request),
      now: () => this.now,
      random: () => this.#random(),
      after: (ms, task) => {
        const timer = { at: this.now + ms, task };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
    };
    const tell = (level: string) => (fields: object, text: string) =>
      void this.lines.push({ level, text, fields: { ...fields } });
    this.announcing = createAnnouncing({
      gameServers: settings,
      environment,
      logger: { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') },
      openSource: () => ({
        read: async () => {
          this.looks += 1;
          return this.reading;
        },
        close: () => undefined,
      }),
      tokenFileOf: (url, identity) => this.#tokenFile(`${url} ${identity}`),
      keepsIds,
      measures: true,
      addressesOf: async () => this.addresses,
    });
  }

  /** Time passes, and all timers that are due run, with what follows at once. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await settle();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.task();
    }
    this.now = end;
  }

  /** What was sent since, without the service: `broadcast 0`, with the seconds. */
  sentSince(at: number): readonly string[] {
    return this.requests
      .filter((each) => each.at >= at)
      .map((each) => `${each.kind} ${Math.round((each.at - at) / 1000)}`);
  }

  /** Whether the entry would be on the list of this service now. */
  isListed(service = 'http://one.test'): boolean {
    return (this.#entries.get(service) ?? -Infinity) >= this.now;
  }

  warnings(): readonly string[] {
    return this.lines.filter(({ level }) => level === 'warn').map(({ text }) => text);
  }

  async #serve(url: string, init: RequestInit): Promise<Response> {
    const { origin: service, pathname } = new URL(url);
    const request: SentRequest = {
      at: this.now,
      service,
      kind: pathname.slice(1),
      body: JSON.parse(init.body as string) as SentRequest['body'],
      headers: new Headers(init.headers),
    };
    this.requests.push(request);
    const answer = this.script(request);
    if (answer === 'hang')
      return new Promise((_, reject) => {
        const end = (): void => reject(new Error('aborted'));
        if (init.signal!.aborted) end();
        else init.signal!.addEventListener('abort', end);
      });
    if (answer !== undefined) return answer;
    return this.#answer(request);
  }

  #answer({ service, kind, body, headers }: SentRequest): Response {
    if (kind === 'doctor') return Response.json({ status: 'success', client_address: '203.0.113.7' });
    if (kind === 'remove') {
      this.#entries.delete(service);
      return Response.json({ status: 'success' });
    }
    this.#entries.set(service, this.now + TTL_MS);
    const token = headers.get('Server-Token')!;
    const id = token === 'claim' ? `id-at-${service.slice(7)}` : token.slice(6);
    const issued = { 'Server-Ping-Interval': String(PING_INTERVAL_MS / 1000), 'Server-Token': `token-${id}` };
    return Response.json({ status: 'success', server_id: body['server_id'] ?? id }, { headers: issued });
  }

  #tokenFile(name: string): TokenFile {
    return {
      path: name,
      read: () => ({ token: this.tokens.get(name), problem: undefined }),
      write: (token) => {
        this.tokens.set(name, token);
        return undefined;
      },
    };
  }
}

/** Answers are read in some turns of the event loop. */
async function settle(): Promise<void> {
  for (let n = 0; n < 4; n += 1) await turn();
}
