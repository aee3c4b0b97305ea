/** The room of the requests of game servers: broadcast, ping and remove. */

import type { Context, Room } from '../http/context.ts';
import { describedIn, endpointsIn } from '../http/route.ts';
import type { BeaconMap } from '../../model/near.ts';
import type { SaidRecord } from '../moderation/said-record.ts';
import type { ProbeOutcome } from '../reachability/probe-result.ts';
import { openVerification, type VerifyOptions } from '../reachability/verification.ts';
import type { ServerTokens } from './server-token.ts';
import type { DetailsRule } from './validation.ts';

export interface WritesRoomOptions {
  readonly requireServerToken: boolean;
  readonly allowUnlisted: boolean;
  readonly verifySource: boolean;
  readonly publicAddressesOnly: boolean;
  readonly verify: VerifyOptions;
  /** Undefined without beacons. */
  readonly beacons: BeaconMap | undefined;
}

export interface WritesContext extends Context {
  readonly options: WritesRoomOptions;
  /** The rule that details must meet beyond their own schema (openDetailsRule). */
  readonly detailsRule?: DetailsRule | undefined;
  readonly tokens: ServerTokens;
  /** Remembers for moderators what game servers said; undefined if nobody may moderate. */
  readonly said?: SaidRecord | undefined;
  readonly onProbe: (outcome: ProbeOutcome) => void;
  /** Called when a game server says distances to beacons that no place has. */
  readonly onImpossibleLatency: () => void;
}

const WRITING = { input: 'fields', cors: 'writing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** Loads and compiles the code of writes, which takes 0.1 s at the first call, at the latest with the first write. */
export const loadWrites = () => import('./writes.ts');

export function openWrites(context: WritesContext): Room {
  const { options } = context;
  const verification = openVerification({ ...context, options: options.verify });
  const endpoint = endpointsIn(async () => {
    const { createWrites } = await loadWrites();
    return createWrites({ ...context, ...options, verify: verification?.verify });
  });
  // Any page can have a browser send a GET, as for an image, with the Basic that the browser keeps: Basic is refused.
  const byGet = { ...WRITING, method: 'GET', access: 'bearer' } as const;
  const byPost = { ...WRITING, method: 'POST', access: 'announce' } as const;
  return {
    routes: [
      {
        ...byPost,
        path: '/broadcast',
        endpoint: endpoint('broadcast'),
        kind: 'broadcast',
        describe: describe('broadcast'),
      },
      {
        ...byGet,
        path: '/ping',
        endpoint: endpoint('ping'),
        kind: 'ping',
        describe: describe('pingByQuery'),
      },
      { ...byPost, path: '/ping', endpoint: endpoint('ping'), kind: 'ping', describe: describe('ping') },
      {
        ...byPost,
        path: '/remove',
        endpoint: endpoint('remove'),
        kind: 'remove',
        describe: describe('remove'),
      },
    ],
    close: async () => verification?.close(),
  };
}
