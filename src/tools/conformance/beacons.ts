/** The beacons of a scene, at a place of their own: they are asked in real time, beside what happens in turn. */

import { setTimeout as pause } from 'node:timers/promises';
import { answer } from './answers.ts';
import type { Known } from './expectations.ts';
import type { AnswerScript } from './scene.ts';
import { ScriptedService, type ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';
import { UNKNOWN } from './scenes/acts.ts';

type BeaconsScript = Extract<AnswerScript, { readonly beacons: object }>;

/** One that opens the connection, and five that count. */
const REQUESTS = 6;
const SECRETS = ['authorization', 'server-token', 'idempotency-key', 'cookie'];

export class Beacons {
  readonly #known: Known;
  readonly #service = new ScriptedService({
    listens: 'http',
    path: '',
    onRequest: (request) => void this.#take(request),
  });
  #beacons: BeaconsScript['beacons'] = {};
  #asked: Record<string, number> = {};
  #fault: SceneFailure | undefined;
  #onSilence: () => void = () => undefined;
  /** Resolves once a beacon is asked that does not answer. */
  silence = Promise.resolve();

  constructor(known: Known) {
    this.#known = known;
  }

  /** From now on there are these. The answer that names them, beside some that are none. */
  async replace({ beacons }: BeaconsScript): Promise<AnswerScript> {
    await this.#service.close();
    await this.#service.listen();
    this.#beacons = beacons;
    this.#asked = {};
    this.silence = new Promise((resolve) => (this.#onSilence = resolve));
    const { url } = this.#service;
    const here = Object.keys(beacons).map((id) => ({ id, url: `${url}/${id}`, ...UNKNOWN }));
    const body = JSON.stringify({ status: 'success', beacons: [...oddOnes(url), ...here], ...UNKNOWN });
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  }

  /** Throws a SceneFailure unless each was asked as often as it has to be, and no other one. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
    for (const [id, script] of Object.entries(this.#beacons)) {
      const { [id]: asked = 0 } = this.#asked;
      if (asked > REQUESTS || asked < ('length' in script ? REQUESTS : 1))
        throw new SceneFailure(`${REQUESTS} requests to the beacon ${id}`, String(asked));
    }
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  async #take(request: ScriptedRequest): Promise<void> {
    const { method, headers, url } = request;
    const id = url.pathname.slice(1);
    const script = this.#beacons[id];
    const asked = (this.#asked[id] = (this.#asked[id] ?? 0) + 1);
    const secret = SECRETS.find((name) => headers[name] !== undefined);
    if (secret !== undefined) this.#fault ??= new SceneFailure('a beacon without secrets', secret);
    if (script === undefined || method !== 'GET')
      this.#fault ??= new SceneFailure('GETs of the beacons', `${method} ${url.pathname}`);
    else if ('length' in script) {
      await pause(script[asked - 1] ?? script.at(-1));
      request.answer(204, {}, '');
    } else {
      if ('silence' in script) this.#onSilence();
      await answer(request, script, this.#known, 0);
    }
  }
}

function oddOnes(url: string): readonly object[] {
  const ids = ['A', 'a b', 'x"y', '', 'a'.repeat(17), 7, null];
  const withUser = url.replace('//', '//user:word@');
  const urls = ['file:///etc/hostname', 'javascript:alert(1)', withUser, '', [url], 7];
  return [...ids.map((id) => ({ id, url })), ...urls.map((each) => ({ id: 'odd', url: each }))];
}
