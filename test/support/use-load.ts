/**
 * Clients of a proxy for a describe block: game servers, visitors and readers, all of whom have to be answered well.
 */

import { expect } from 'chai';
import type { Address } from './ask.ts';
import { Checker } from './load/checker.ts';
import { FULL_LOAD, Load } from './load/load.ts';
import { Recorder } from './load/recorder.ts';
import { until } from './until.ts';

/** Longer than the tests: entries without pings stay listed. */
export const LOAD_TTL_S = 3600;

export interface UsedLoad {
  /** Eight game servers and some visitors; with 0 they ping without a pause. Clears the records of earlier loads. */
  start(pingIntervalMs?: number): Promise<void>;
  untilAnswered(count: number): Promise<void>;
  /** Stops it, and expects that every request succeeded and every list shows each acknowledged game server once. */
  stopWithNothingWrong(): Promise<void>;
}

/** Call it in a describe block. The registry may have entries of these loads alone. */
export function useLoad(
  target: string,
  site: () => { readonly front: Address; readonly headers?: Readonly<Record<string, string>> },
): UsedLoad {
  const recorder = new Recorder();
  const checker = new Checker(recorder, LOAD_TTL_S * 1000);
  let load: Load | undefined;
  // A test that failed has not stopped its load.
  afterEach('the load', () => load?.stop());

  return {
    async start(pingIntervalMs = 50) {
      recorder.operations.length = 0;
      checker.reset();
      // No removals: a proxy repeats one that a replica carried out before it died, and the second answer is 404.
      load = new Load({ ...site(), serving: [], ttlMs: LOAD_TTL_S * 1000 }, recorder, checker, {
        ...FULL_LOAD,
        fleet: 8,
        pingIntervalMs,
        // Few that come whether or not those before are answered: the replicas may be in the process of these clients,
        // and a busy machine gives it little.
        broadcastsPerSecond: 10,
        listsPerSecond: 10,
        attacksPerSecond: 3,
        shareOfRemovals: 0,
        giveUpAfterMs: 60_000,
      });
      await load.start();
    },
    async untilAnswered(count) {
      const enough = recorder.operations.length + count;
      await until(() => recorder.operations.length >= enough);
    },
    async stopWithNothingWrong() {
      await load!.stop();
      await load!.list(site().front, target);
      const outcomes = recorder.operations.map(({ kind, outcome }) => `${kind}: ${outcome}`);
      expect(outcomes.filter((each) => !each.endsWith(': 200'))).to.deep.equal([]);
      expect(checker.reasons).to.deep.equal([]);
    },
  };
}
