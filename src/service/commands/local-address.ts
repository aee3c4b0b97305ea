/** The address at which this machine reaches a replica of its own. */

import { addressOf } from '../../model/address-of.ts';

export interface LocalAddress {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/** The address of a replica that listens on this host and port. */
export function localAddressOf(listensOn: string, port: number): LocalAddress {
  const host = listensOn === '::' || listensOn === '0.0.0.0' ? 'localhost' : listensOn;
  return { host, port, url: `http://${addressOf(host, port)}` };
}
