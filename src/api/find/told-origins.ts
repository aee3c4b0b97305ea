/** How the origins of a mirror stand, as its answers tell it. */

import type { OriginState } from '../../registry/mirror/origin.ts';
import { Body } from '../work/body.ts';

/** `age`: how old its list is, in s; 0 if it is current. */
export interface ToldOrigin {
  readonly name: string;
  readonly state: OriginState['state'];
  readonly age: number;
  readonly servers: number;
}

export function toldOrigin({ name, state, staleSince, servers }: OriginState, now: number): ToldOrigin {
  const age = staleSince === undefined ? 0 : Math.max(1, Math.ceil((now - staleSince) / 1000));
  return { name, state, age, servers };
}

/** The body that was made last from each, as all readers of a moment get the same. */
const lastMade = new WeakMap<Body, { readonly told: string; readonly body: Body }>();

/** The body of `GET /stats`, a JSON object, with the origins. */
export function withOrigins(body: Body, origins: readonly OriginState[], now: number): Body {
  const told = JSON.stringify(origins.map((origin) => toldOrigin(origin, now)));
  const last = lastMade.get(body);
  if (last?.told === told) return last.body;
  const text = body.plain.toBuffer().toString().slice(0, -1);
  const made = { told, body: new Body(Buffer.from(`${text},"origins":${told}}`)) };
  lastMade.set(body, made);
  return made.body;
}
