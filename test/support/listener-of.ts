import type { RequestListener } from 'node:http';
import { createClients } from '../../src/api/http/client.ts';
import { beginExchange, type Path } from '../../src/api/http/exchange.ts';

/** Answers each request on this path alone. */
export function listenerOf(path: Path): RequestListener {
  const clientOf = createClients();
  return (request, response) => path(beginExchange(request, response, clientOf(request)!));
}
