/** All scenes, in the order in which they are played and shown. */

import type { Scene } from '../scene.ts';
import { AWAY_SCENES } from './away.ts';
import { CARE } from './care.ts';
import { FAILURES } from './failures.ts';
import { LIFE } from './life.ts';
import { LISTS } from './lists.ts';
import { NEAREST } from './nearest.ts';
import { POLLS } from './polls.ts';
import { READERS } from './readers.ts';
import { REPORTS } from './reports.ts';
import { STREAMS } from './streams.ts';
import { TRIALS } from './trials.ts';

export const SCENES: readonly Scene[] = [
  ...LIFE,
  ...FAILURES,
  ...CARE,
  ...LISTS,
  ...READERS,
  ...STREAMS,
  ...POLLS,
  ...AWAY_SCENES,
  ...REPORTS,
  ...NEAREST,
  ...TRIALS,
];
