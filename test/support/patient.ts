/** Deadlines for tests of something else: no machine is so busy that a Redis that answers misses them. */

import { DEADLINES, type Deadlines } from '../../src/runtime/deadlines.ts';

export const PATIENCE_MS = 20_000;

export const PATIENT: Deadlines = {
  connectMs: PATIENCE_MS,
  sentinelMs: PATIENCE_MS,
  slotsMs: PATIENCE_MS,
  commandMs: PATIENCE_MS,
  silenceMs: PATIENCE_MS,
  // It passes only once Redis has refused or is gone: a test that takes Redis away would wait for it.
  retryMs: DEADLINES.retryMs,
  groupMs: PATIENCE_MS,
  writeMs: 2 * PATIENCE_MS,
  restorationMs: PATIENCE_MS,
  listMs: PATIENCE_MS,
  workWaitMs: PATIENCE_MS,
  sharedCountMs: PATIENCE_MS,
  startMs: PATIENCE_MS,
  fileWriteMs: PATIENCE_MS,
  refusalMs: DEADLINES.refusalMs,
  pauseMs: PATIENCE_MS,
  streamMs: DEADLINES.streamMs,
  eventLoopDelayMs: { broadcast: PATIENCE_MS, list: PATIENCE_MS, ping: PATIENCE_MS },
};
