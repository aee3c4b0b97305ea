/**
 * All that one backend gives: the Registry, and the ports beside it. Only what opens a backend or hands it on names it
 * whole; whoever uses it takes the smallest port that does.
 */

import type { Announcements } from './announcements.ts';
import type { Fates } from './fates.ts';
import type { History } from './history.ts';
import type { Lease } from './lease.ts';
import type { Moderation } from './moderation.ts';
import type { ReachabilityNotes } from './reachability-notes.ts';
import type { Registry } from './registry.ts';
import type { Secret } from './secret.ts';

export interface Backend extends Registry {
  readonly moderation: Moderation;
  readonly history: History;
  readonly lease: Lease;
  readonly secret: Secret;
  readonly reachability: ReachabilityNotes;
  readonly announcements: Announcements;
  readonly fates: Fates;

  /** Whether list() has a list to give, be it an old one: false until the first is loaded. */
  readonly hasList: boolean;
}
