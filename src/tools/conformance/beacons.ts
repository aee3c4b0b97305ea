/** The beacons of a scene: they are asked in real time, beside what happens in turn. */

import { setTimeout as pause } from 'node:timers/promises';
import { answer } from './answers.ts';
import type { Known } from './expectations.ts';
import type { BeaconScript } from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';
import { SceneFailure } from './scene-failure.ts';

const PATH = /^\/beacon\/(.*)$/;
/** One that opens the connection, and five that count. */
const MOST_REQUESTS = 6;
const SECRETS = ['authorization', 'server-token', 'idempotency-key', 'cookie'];

export class Beacons {
  #scripts: Readonly<Record<string, BeaconScript>> = {};
  #known: Known | undefined;
  readonly #asked = new Map<string, number>();
  #fault: SceneFailure | undefined;
  #onSilence: () => void = () => undefined;
  /** Resolves once a beacon is asked that does not answer. */
  silence = Promise.resolve();

  static has({ url }: ScriptedRequest): boolean {
    return PATH.test(url.pathname);
  }

  /** From now on there are these. */
  replace(scripts: Readonly<Record<string, BeaconScript>>, known: Known): void {
    this.#scripts = scripts;
    this.#known = known;
    this.#asked.clear();
    this.silence = new Promise((resolve) => (this.#onSilence = resolve));
  }

  /** Answers as its script says. */
  async take(request: ScriptedRequest): Promise<void> {
    const { method, headers, url } = request;
    const id = PATH.exec(url.pathname)![1]!;
    const script = this.#scripts[id];
    const asked = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, asked);
    const secret = SECRETS.find((name) => headers[name] !== undefined);
    if (secret !== undefined) this.#fault ??= new SceneFailure('a beacon without secrets', secret);
    if (script === undefined || method !== 'GET')
      this.#fault ??= new SceneFailure('GETs of the beacons', `${method} ${url.pathname}`);
    else if (!isDelays(script)) {
      if ('silence' in script) this.#onSilence();
      await answer(request, script, this.#known!, 0);
      return;
    }
    await pause(isDelays(script) ? (script[asked - 1] ?? script.at(-1)) : 0);
    request.answer(204, {}, '');
  }

  /** Throws a SceneFailure unless each was asked as often as it has to be, and no other one. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
    for (const [id, script] of Object.entries(this.#scripts)) {
      const asked = this.#asked.get(id) ?? 0;
      if (asked > MOST_REQUESTS || asked < (isDelays(script) ? MOST_REQUESTS : 1))
        throw new SceneFailure(`${MOST_REQUESTS} requests to the beacon ${id}`, String(asked));
    }
  }
}

function isDelays(script: BeaconScript | undefined): script is readonly number[] {
  return Array.isArray(script);
}
