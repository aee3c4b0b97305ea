/** The endpoints of moderators as the configuration asks for them. Part of the composition root. */

import type { Config } from '../config/config.ts';
import type { Turns } from '../work/turns.ts';
import { createAdminEndpoints, type AdminEndpoints } from '../moderation/admin.ts';
import type { RefusalRecord } from '../moderation/refusal-record.ts';
import { createAddressMask } from '../registry/address-mask.ts';
import type { Registry } from '../registry/registry.ts';
import { createWhyNotReached, hidesUnreached } from './verification.ts';

export interface AdminOptions {
  readonly config: Config;
  readonly registry: Registry;
  readonly refusals: RefusalRecord;
  readonly turns: Turns;
}

/** Undefined without an admin key. */
export function createAdmin({ config, registry, refusals, turns }: AdminOptions): AdminEndpoints | undefined {
  if (config.adminKeys.length === 0) return undefined;
  return createAdminEndpoints({
    registry,
    turns,
    hidesUnreached: hidesUnreached(config),
    whyNotReached: createWhyNotReached(config),
    refusalsOf: (address) => refusals.of(address),
    maskAddress: createAddressMask(config.logAddresses),
    now: Date.now,
  });
}
