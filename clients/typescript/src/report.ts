/** A player's report of a game server to the moderators of a service, by `POST /report`. */

import { createAsk, isOfGsls } from './ask.ts';
import { retryAfterOf } from './pauses.ts';
import { ServiceError } from './service-error.ts';
import { openServices, readable } from './service.ts';
import type { ServiceOptions, Urls } from './service-options.ts';

/** How a game server is reported. */
export interface ReportOptions extends ServiceOptions {
  /** What the moderators should know, where the service takes notes. An empty one counts as none. */
  readonly note?: string | undefined;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reports the game server of this id. `reason`: one of those that the service takes.
 *
 * Of several URLs the first that answers gets it: another one is asked where there is no answer of GSLS, or where the
 * service cannot take it now. Any other refusal is the result, such as `read_only` of a mirror.
 *
 * Rejects with a ServiceError if the report is not taken; with a TypeError for a URL or a key that cannot be right; and
 * with the reason of `signal` once that is aborted.
 */
export async function report(
  url: Urls,
  id: string,
  reason: string,
  options: ReportOptions = {},
): Promise<void> {
  const { note, signal } = options;
  const body = { id, reason, ...(note && { note }) };
  let first: ServiceError | undefined;
  for (const service of openServices(url, options)) {
    const { timeoutMs, environment } = service;
    const ask = createAsk({ ...service, fetch: environment.fetch });
    const answer = await ask({
      method: 'POST',
      path: '/report',
      body,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    const { status, code, headers } = answer;
    if (status === 200 && answer.body['status'] === 'success') return;
    const retryAfterMs = retryAfterOf(headers, environment.now());
    const error = new ServiceError(readable(answer.reason), { status, code, retryAfterMs });
    if (code !== undefined && isOfGsls(answer) && status < 500) throw error;
    first ??= error;
  }
  throw first!;
}
