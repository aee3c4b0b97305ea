/**
 * The room of a mirror that stands where others take writes. It tells whoever comes there to which registries a request
 * belongs: those that the mirror follows.
 */

import { ServiceError } from '../../model/service-error.ts';
import type { OriginState } from '../../registry/mirror/origin.ts';
import type { Context, Room } from '../http/context.ts';
import type { Endpoint, RequestKind, Route } from '../http/route.ts';

export interface ReadOnlyOptions extends Pick<Context, 'registry'> {
  readonly origins: () => readonly OriginState[];
}

/** What only an origin can answer, with the kinds of the limits. */
const AT_ORIGINS: readonly (readonly [method: Route['method'], path: string, kind?: RequestKind])[] = [
  ['POST', '/broadcast', 'broadcast'],
  ['GET', '/ping', 'ping'],
  ['POST', '/ping', 'ping'],
  ['POST', '/remove', 'remove'],
  ['POST', '/doctor', 'doctor'],
  ['POST', '/report', 'report'],
  ['GET', '/join/{code}', 'join'],
  ['GET', '/servers/{id}/history'],
  ['POST', '/ddnet/15/register', 'ping'],
  ['POST', '/luanti/announce', 'ping'],
];

export function openReadOnly(options: ReadOnlyOptions): Room {
  return {
    routes: AT_ORIGINS.map(([method, path, kind]) => ({
      method,
      path,
      kind,
      endpoint: createRefusal(options, path),
      access: 'any',
      input: 'nothing',
      cors: kind === undefined || kind === 'join' ? 'reading' : 'writing',
    })),
  };
}

/** Names the same path at each origin; where the path names an entry, at the one that has it. */
function createRefusal({ registry, origins }: ReadOnlyOptions, path: string): Endpoint {
  return async ({ parameter = '' }) => {
    const holder = path.includes('{id}') ? registry.known(parameter)?.details.fields.origin : undefined;
    const asked = origins().filter(({ name }) => holder === undefined || name === holder);
    const target = path.replace(/\{.*\}/, encodeURIComponent(parameter));
    throw new ServiceError('read_only', {
      message: `this is a mirror, which only hands out the list: send this to ${asked.map(({ url }) => url).join(' or ')}`,
      headers: { Link: asked.map(({ url }) => `<${url}${target}>; rel="via"`).join(', ') },
    });
  };
}
