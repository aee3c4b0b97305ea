/**
 * Finds the ban that matches an entry, among 10,000, within microseconds: each ban is filed under its most telling
 * pattern, and only the bans found there are compared in full. Knows no time: the caller leaves out what has expired.
 */

import type { Details } from './details.ts';
import { fold, parseGlob, type Glob } from './glob.ts';
import { GlobIndex } from './glob-index.ts';
import { groupsOf } from './ip.ts';
import type { Ban } from './moderation.ts';
import { contains, parseNetwork, type Network } from './networks.ts';

/** An entry, as bans see it. */
export interface BanSubject {
  readonly id: string;
  /** The address of the client that broadcast, in canonical form (parseIp); '' if it is not known. */
  readonly client: string;
  /** The address that it announced, in canonical form. */
  readonly ip: string;
  readonly host: string;
  readonly name: string;
  /** With the further addresses that it announced. */
  readonly details?: Details;
}

export interface BanMatcher {
  readonly isEmpty: boolean;
  /** Of several the first in their order, but one that refuses before one that is silent. */
  find(subject: BanSubject): Ban | undefined;
}

const NO_BANS: BanMatcher = { isEmpty: true, find: () => undefined };

/** A ban with its patterns as they are compared. */
interface CompiledBan {
  readonly ban: Ban;
  /** Of several bans that match, the one of the least rank counts. */
  readonly rank: number;
  readonly network: Network | undefined;
  readonly host: Glob | undefined;
  readonly name: Glob | undefined;
}

/** The bans have valid patterns (parseModeration). */
export function createBanMatcher(bans: readonly Ban[]): BanMatcher {
  if (bans.length === 0) return NO_BANS;
  const compiled = [
    ...bans.filter(({ mode }) => mode === 'refuse'),
    ...bans.filter(({ mode }) => mode === 'silent'),
  ].map(compile);

  const byId = new Map<string, CompiledBan[]>();
  const byNetwork = new NetworkIndex();
  const hosts: [Glob, CompiledBan][] = [];
  const names: [Glob, CompiledBan][] = [];
  for (const each of compiled) {
    const { ban, network, host, name } = each;
    if (ban.id !== undefined) ofKey(byId, ban.id, listOfBans).push(each);
    else if (network !== undefined) byNetwork.add(network, each);
    else if (name !== undefined && (name.isExact || !host?.isExact)) names.push([name, each]);
    else hosts.push([host!, each]);
  }
  const byHost = new GlobIndex(hosts);
  const byName = new GlobIndex(names);

  return {
    isEmpty: false,
    find(subject) {
      const folded = new FoldedSubject(subject);
      let found: CompiledBan | undefined;
      const consider = (list: readonly CompiledBan[]): void => {
        for (const each of list) {
          if (found !== undefined && found.rank <= each.rank) return;
          if (matches(each, folded)) found = each;
        }
      };
      consider(byId.get(subject.id) ?? []);
      if (!byNetwork.isEmpty)
        for (const address of folded.addresses) byNetwork.candidates(address).forEach(consider);
      if (!byHost.isEmpty) byHost.candidates(folded.host).forEach(consider);
      if (!byName.isEmpty) byName.candidates(folded.name).forEach(consider);
      return found?.ban;
    },
  };
}

function compile(ban: Ban, rank: number): CompiledBan {
  return {
    ban,
    rank,
    network: ban.address === undefined ? undefined : parseNetwork(ban.address),
    host: ban.host === undefined ? undefined : parseGlob(ban.host),
    name: ban.name === undefined ? undefined : parseGlob(ban.name),
  };
}

function matches({ ban, network, host, name }: CompiledBan, subject: FoldedSubject): boolean {
  return (
    (ban.id === undefined || ban.id === subject.id) &&
    (network === undefined || subject.addresses.some((address) => contains(network, address))) &&
    (host === undefined || host.matches(subject.host)) &&
    (name === undefined || name.matches(subject.name))
  );
}

/** An entry in the forms that are compared, each made once it is needed. */
class FoldedSubject {
  readonly #subject: BanSubject;
  #addresses: readonly (readonly number[])[] | undefined;
  #host: string | undefined;
  #name: string | undefined;

  constructor(subject: BanSubject) {
    this.#subject = subject;
  }

  get id(): string {
    return this.#subject.id;
  }

  /** As groupsOf() gives them. One that is not known has no groups, and no network holds it. */
  get addresses(): readonly (readonly number[])[] {
    const { client, ip, details } = this.#subject;
    const further = details?.fields.addresses?.map((address) => address.ip) ?? [];
    this.#addresses ??= [...new Set([ip, client, ...further])].map(groupsOf);
    return this.#addresses;
  }

  get host(): string {
    this.#host ??= fold(this.#subject.host);
    return this.#host;
  }

  get name(): string {
    this.#name ??= fold(this.#subject.name);
    return this.#name;
  }
}

/** Bans by the family of their network, the length of its prefix, and its prefix. */
class NetworkIndex {
  /** Keys are the numbers of groups of an address: 2 or 8. */
  readonly #families = new Map<number, Map<number, Map<bigint, CompiledBan[]>>>();

  get isEmpty(): boolean {
    return this.#families.size === 0;
  }

  add({ groups, prefixBits }: Network, ban: CompiledBan): void {
    const lengths = ofKey(this.#families, groups.length, () => new Map<number, Map<bigint, CompiledBan[]>>());
    const prefixes = ofKey(lengths, prefixBits, () => new Map<bigint, CompiledBan[]>());
    ofKey(prefixes, prefixOf(groups, prefixBits), listOfBans).push(ban);
  }

  candidates(groups: readonly number[]): readonly (readonly CompiledBan[])[] {
    const found: CompiledBan[][] = [];
    const bits = prefixOf(groups, groups.length * 16);
    for (const [length, prefixes] of this.#families.get(groups.length) ?? []) {
      const list = prefixes.get(bits >> BigInt(groups.length * 16 - length));
      if (list !== undefined) found.push(list);
    }
    return found;
  }
}

/** The first bits of an address. */
function prefixOf(groups: readonly number[], length: number): bigint {
  let bits = 0n;
  for (const group of groups) bits = (bits << 16n) | BigInt(group);
  return bits >> BigInt(groups.length * 16 - length);
}

const listOfBans = (): CompiledBan[] => [];

function ofKey<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
