/** A steady load of broadcasts through one service, and which of them were acknowledged. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { ask } from './ask.ts';
import { aBroadcast } from './builders.ts';
import { until } from './until.ts';

export interface Broadcasting {
  /** The ids, in order. */
  readonly acknowledged: readonly string[];
  /** Resolves when so many more have been acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = 5;

/** One after the other; whatever is not acknowledged has to be refused as unavailable. */
export function keepBroadcasting(service: { readonly url: string }): Broadcasting {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const { status, body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
      if (status === 200) acknowledged.push(body.server_id!);
      else expect(body.code).to.equal('registry_unavailable');
      await delay(PAUSE_MS);
    }
  })();
  return {
    acknowledged,
    async more(count) {
      const enough = acknowledged.length + count;
      await Promise.race([ended, until(() => acknowledged.length >= enough)]);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
