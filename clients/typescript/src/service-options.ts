import type { Environment } from './environment.ts';

/** The URL of a service, or those of several with one list: the next one is asked where one fails. */
export type Urls = string | URL | readonly (string | URL)[];

/** How a service is asked. */
export interface ServiceOptions {
  /** The key of the service, where it asks for one. An empty one counts as none. */
  readonly key?: string | undefined;
  /** How long one request may take, in ms. 5,000 unless it is said. */
  readonly timeoutMs?: number | undefined;
  /** The world around the client, for tests: another `fetch`, clock or random. */
  readonly environment?: Partial<Environment> | undefined;
}
