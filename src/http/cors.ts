/** Lets pages of other origins read the list and the health, and nothing else. */

import type { Middleware } from 'koa';
import { allowedMethods, type Routes } from './routes.ts';

/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = '86400';

/** `origins`: `*` for any, or those allowed; none switches it off. */
export function cors(routes: Routes, origins: readonly string[]): Middleware {
  const anyOrigin = origins.includes('*');
  return (ctx, next) => {
    const route = routes.get(ctx.path);
    if (origins.length === 0 || !route?.openToBrowsers) return next();
    const origin = ctx.get('Origin');
    if (!anyOrigin) ctx.vary('Origin');
    if (!anyOrigin && !origins.includes(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', anyOrigin ? '*' : origin);
    ctx.set('Access-Control-Expose-Headers', 'Age, ETag, Retry-After, Warning');
    if (ctx.method !== 'OPTIONS' || origin === '' || ctx.get('Access-Control-Request-Method') === '')
      return next();
    // A preflight carries no key, so it is answered before one is asked for: headers only.
    ctx.set('Access-Control-Allow-Methods', allowedMethods(route));
    ctx.set('Access-Control-Allow-Headers', 'Authorization, If-None-Match');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
    ctx.status = 204;
    return undefined;
  };
}
