/** The whole list, by `GET /`. */

import { isListServer } from './feed/changes-answer.ts';
import type { ListServer } from '../../../src/model/view/listed-server.ts';
import { askAny, get, openServices, serversOf, type AskedService } from './service.ts';
import type { ServiceOptions, Urls } from './service-options.ts';

/** How the list is asked for. */
export interface ListOptions extends ServiceOptions {
  /** An earlier result: if the list is still the same, it costs a 304 and nothing more. */
  readonly previous?: ServerList | undefined;
  /**
   * The path of a file that keeps the list: where no service answers, its servers are the result, and `staleSince` is
   * when they were current. A browser has no files.
   */
  readonly keep?: string | undefined;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

/** The list, as it was when it was asked for. */
export interface ServerList {
  /** All that are listed, in order of registration. */
  readonly servers: readonly ListServer[];
  /** Since when nobody knows whether this is current. Undefined: it is. */
  readonly staleSince: Date | undefined;
  /** The tag by which the service tells one list from another. */
  readonly etag: string | undefined;
}

/**
 * The whole list of the service. Each server has the seven fields that all have; `find` tells more. Of several URLs
 * each call asks the first one first.
 *
 * Rejects with a ServiceError if the service does not answer, or does not with a list; with a TypeError for a URL or a
 * key that cannot be right; and with the reason of `signal` once that is aborted.
 */
export async function list(url: Urls, options: ListOptions = {}): Promise<ServerList> {
  const { keep, signal } = options;
  const services = openServices(url, options);
  const file = keep && (await import('./fallback/list-file.ts'));
  const listed = askAny(services, (service) => listAt(service, options), signal);
  return file ? file.keepListed(keep, isListServer, listed, services[0].environment, signal) : listed;
}

async function listAt(service: AskedService, { previous, signal }: ListOptions): Promise<ServerList> {
  const { isUnchanged, ...got } = await get(service, '/', { signal, etag: previous?.etag });
  return {
    servers: isUnchanged && previous !== undefined ? previous.servers : serversOf(got, isListServer),
    staleSince: got.staleSince,
    etag: got.etag ?? (isUnchanged ? previous?.etag : undefined),
  };
}
