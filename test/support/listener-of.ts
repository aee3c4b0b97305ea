import type { RequestListener } from 'node:http';
import { beginExchange, type Path } from '../../src/http/exchange.ts';

/** Answers each request on this path alone. */
export function listenerOf(path: Path): RequestListener {
  return (request, response) => path(beginExchange(request, response));
}
