/** Finds the registry that a request is for, by its host or the beginning of its path. */

import type { IncomingMessage } from 'node:http';
import { isOriginForm, originForm } from '../../api/http/checks/request-rules.ts';
import type { PlacedRegistry } from './placed-registry.ts';

/** What a place belongs to, and what is left of the target of a request without it. */
export interface Found<T> {
  readonly value: T;
  /** The target as the registry has it: /racer/servers?q=x is /servers?q=x. */
  readonly target: string;
  /** Whether the host is the registry's own. */
  readonly isOfHost: boolean;
  /** Whether the target is the path of the registry without a slash behind it: relative links would miss it. */
  readonly isBare: boolean;
}

type Placed<T> = Pick<PlacedRegistry, 'path' | 'hosts'> & { readonly value: T };

export class Places<T> {
  readonly #byHost = new Map<string, T>();
  readonly #byPath = new Map<string, T>();
  /** How many parts the longest path has. */
  readonly #depth: number = 0;

  constructor(places: Iterable<Placed<T>>) {
    for (const { path, hosts, value } of places) {
      for (const host of hosts) this.#byHost.set(host, value);
      if (path === undefined) continue;
      this.#byPath.set(path, value);
      this.#depth = Math.max(this.#depth, path.split('/').length - 1);
    }
  }

  /** A host of its own leads to one registry, whatever the path; elsewhere the longest path wins. */
  find({ headers: { host }, url }: Pick<IncomingMessage, 'headers' | 'url'>): Found<T> | undefined {
    const target = pathFormOf(url!);
    if (target === undefined) return undefined;
    const owner = this.#byHost.size === 0 ? undefined : this.#byHost.get(nameOf(host ?? ''));
    if (owner !== undefined) return { value: owner, target, isOfHost: true, isBare: false };
    const query = target.indexOf('?');
    const end = query === -1 ? target.length : query;
    for (
      let last = this.#endOfParts(target, end);
      last >= 0;
      last = last && target.lastIndexOf('/', last - 1)
    ) {
      const value = this.#byPath.get(target.slice(0, last));
      if (value !== undefined)
        return {
          value,
          target: last === end ? `/${target.slice(end)}` : target.slice(last),
          isOfHost: false,
          isBare: last === end && last > 0,
        };
      if (last === 0) return undefined;
    }
    return undefined;
  }

  /** Finds where as many parts of the path end as a place may have. */
  #endOfParts(target: string, end: number): number {
    let last = 0;
    for (let parts = 0; parts < this.#depth && last < end; parts += 1) {
      const next = target.indexOf('/', last + 1);
      last = next === -1 || next > end ? end : next;
    }
    return last;
  }
}

/** The target as a path; undefined for one that is wrong, which the process refuses. */
function pathFormOf(target: string): string | undefined {
  if (isOriginForm(target)) return target;
  try {
    return originForm(target);
  } catch {
    return undefined;
  }
}

/** The name of the host without its port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}
