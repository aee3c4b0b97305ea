/** What the description of the API depends on, from the options of the service. Part of the composition root. */

import type { Config } from '../config/config.ts';
import type { RateLimits } from '../http/limits/rate-limits.ts';
import type { RequestKind } from '../http/request-kinds.ts';
import type { Routes } from '../http/routes.ts';

export interface DescribedService {
  readonly config: Config;
  readonly routes: Pick<Routes, 'table'>;
  readonly rateLimits: RateLimits;
  readonly shedsLoad: boolean;
}

/** A document of OpenAPI. Loads what makes it only now. */
export async function describeApi({
  config,
  routes,
  rateLimits,
  shedsLoad,
}: DescribedService): Promise<object> {
  const { createDocument } = await import('../docs/document.ts');
  return createDocument(routes, {
    needsKey: config.authKeys.length > 0,
    publicRead: config.publicRead,
    allowUnlisted: config.allowUnlisted,
    hasStreams: config.maxStreams > 0,
    requireServerToken: config.requireServerToken,
    verifySource: config.verifySource,
    uniqueAddress: config.uniqueAddress,
    hasQuotas: config.maxServers !== undefined || config.maxServersPerAddress !== undefined,
    hasDetailsSchema: config.detailsSchema !== undefined,
    verifies: config.verify !== undefined,
    shedsLoad,
    openToAllPages: config.corsWriteOrigin.includes('*'),
    limitedKinds: Object.keys(rateLimits) as RequestKind[],
  });
}
