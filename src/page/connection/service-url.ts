/** Addresses of the service, as the page asks for them. */

import { settingsOf } from './settings.ts';

let root: string | undefined;

/**
 * The URL of an address that is relative to the service. The address of the page changes while it is open, so the root
 * is that of the first call, which comes at the start.
 */
export function serviceUrl(address: string): string {
  root ??= new URL(settingsOf(document.documentElement).root, document.baseURI).href;
  return new URL(address, root).href;
}
