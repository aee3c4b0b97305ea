/** Another registry of the same replicas under a load of its own, beside the one that a trial is about. */

import { Checker } from '../../support/load/checker.ts';
import { FULL_LOAD, Load, type LoadOptions } from '../../support/load/load.ts';
import { Recorder } from '../../support/load/recorder.ts';
import type { Setup } from './setup.ts';
import type { SetupUnderLoad } from './trial.ts';

/** Game servers that keep pinging, and readers. */
export const FEW: Partial<LoadOptions> = {
  fleet: 5,
  broadcastsPerSecond: 0,
  listsPerSecond: 5,
  attacksPerSecond: 0,
  restartsPerSecond: 0.2,
};

/** `path`: that of the registry. `beside`: the recorder of one that meets the same faults. */
export function loadBeside(
  setup: Setup,
  path: string,
  load: Partial<LoadOptions>,
  beside?: Recorder,
): SetupUnderLoad {
  const recorder = new Recorder(beside);
  const checker = new Checker(recorder, setup.ttlMs);
  const { front, ttlMs } = setup;
  const site = {
    front,
    ttlMs,
    path,
    get serving() {
      return setup.serving;
    },
  };
  return { setup, recorder, checker, load: new Load(site, recorder, checker, { ...FULL_LOAD, ...load }) };
}
