/**
 * Finds the ban that matches an entry, among 10,000, within microseconds: each ban is filed under its most selective
 * pattern, and only the bans found there are compared in full. The matcher knows no time: its caller leaves out the
 * bans that have expired.
 */

import { comparableHost, readableHost, readableHostPattern } from '../../model/comparable.ts';
import type { Details } from '../../model/fields/details.ts';
import { comparableName, fold } from '../../model/fold.ts';
import { parseGlob, type Glob } from './glob.ts';
import { GlobIndex } from './glob-index.ts';
import { comparableIp, groupsOf, parseIp } from '../../model/net/ip.ts';
import type { Ban } from './decisions.ts';
import { contains, parseNetwork, withIpv4Within, type Network } from '../../model/net/networks.ts';

/** The parts of an entry that bans are compared with. */
export interface BanSubject {
  readonly id: string;
  /** The address of the client that broadcast, in canonical form (parseIp); '' if it is not known. */
  readonly client: string;
  /** The address that the entry announced, in canonical form. */
  readonly ip: string;
  readonly host: string;
  readonly name: string;
  /** They have the further addresses that it announced. */
  readonly details?: Details;
}

export interface BanMatcher {
  readonly isEmpty: boolean;
  /** The ban that matches. Among several, a ban that refuses wins over a silent one; then the first in order wins. */
  find(subject: BanSubject): Ban | undefined;
}

const NO_BANS: BanMatcher = { isEmpty: true, find: () => undefined };

/** A ban with its patterns compiled for comparison. */
interface CompiledBan {
  readonly ban: Ban;
  /** Among several bans that match, the one with the least rank wins. */
  readonly rank: number;
  /** Each pattern in all forms in which it may match; undefined if the ban has no such pattern. */
  readonly networks: readonly Network[] | undefined;
  readonly hosts: readonly Glob[] | undefined;
  readonly names: readonly Glob[] | undefined;
}

/** Compiles the bans, whose patterns must be valid (parseDecisions). */
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
    const { ban } = each;
    if (ban.id !== undefined) ofKey(byId, ban.id, listOfBans).push(each);
    else if (each.networks !== undefined) for (const network of each.networks) byNetwork.add(network, each);
    else if (each.names !== undefined && (each.names[0]!.isExact || !each.hosts?.[0]!.isExact))
      for (const name of each.names) names.push([name, each]);
    else for (const host of each.hosts!) hosts.push([host, each]);
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
      if (!byHost.isEmpty) for (const host of folded.hosts) byHost.candidates(host).forEach(consider);
      if (!byName.isEmpty) for (const name of folded.names) byName.candidates(name).forEach(consider);
      return found?.ban;
    },
  };
}

function compile(ban: Ban, rank: number): CompiledBan {
  return {
    ban,
    rank,
    networks: ban.address === undefined ? undefined : withIpv4Within(parseNetwork(ban.address)),
    hosts: ban.host === undefined ? undefined : hostGlobs(ban.host),
    names: ban.name === undefined ? undefined : nameGlobs(ban.name),
  };
}

/** The pattern as written comes first, so that a ban still holds for all that it ever held for. */
function hostGlobs(pattern: string): readonly Glob[] {
  const readable = readableHostPattern(pattern);
  return distinct(parseGlob(pattern), readable === pattern ? undefined : parseGlob(readable));
}

function nameGlobs(pattern: string): readonly Glob[] {
  return distinct(parseGlob(pattern), parseGlob(pattern, comparableName));
}

function distinct(glob: Glob | undefined, other: Glob | undefined): readonly Glob[] {
  const isOther = other !== undefined && other.literals.join('\n') !== glob!.literals.join('\n');
  return isOther ? [glob!, other] : [glob!];
}

function matches({ ban, networks, hosts, names }: CompiledBan, subject: FoldedSubject): boolean {
  return (
    (ban.id === undefined || ban.id === subject.id) &&
    (networks?.some((network) => subject.addresses.some((address) => contains(network, address))) ?? true) &&
    matchesAny(hosts, subject, 'hosts') &&
    matchesAny(names, subject, 'names')
  );
}

function matchesAny(
  globs: readonly Glob[] | undefined,
  subject: FoldedSubject,
  texts: 'hosts' | 'names',
): boolean {
  return globs?.some((glob) => subject[texts].some((text) => glob.matches(text))) ?? true;
}

/** An entry in the forms that are compared; each is computed once it is needed. */
class FoldedSubject {
  readonly #subject: BanSubject;
  #addresses: readonly (readonly number[])[] | undefined;
  #comparableHost: string | undefined;
  #hosts: readonly string[] | undefined;
  #names: readonly string[] | undefined;

  constructor(subject: BanSubject) {
    this.#subject = subject;
  }

  get id(): string {
    return this.#subject.id;
  }

  /** The addresses as groupsOf() returns them. An unknown address has no groups, and no network contains it. */
  get addresses(): readonly (readonly number[])[] {
    this.#addresses ??= this.#allAddresses().map(groupsOf);
    return this.#addresses;
  }

  get hosts(): readonly string[] {
    this.#hosts ??= [...new Set([fold(this.#subject.host), readableHost(this.#host)])];
    return this.#hosts;
  }

  get names(): readonly string[] {
    const { name } = this.#subject;
    this.#names ??= [...new Set([fold(name), comparableName(name)])];
    return this.#names;
  }

  get #host(): string {
    this.#comparableHost ??= comparableHost(this.#subject.host);
    return this.#comparableHost;
  }

  /** The addresses, as they were sent and as they are compared. The host may be one too. */
  #allAddresses(): readonly string[] {
    const { client, ip, details } = this.#subject;
    const further = details?.fields.addresses?.map((address) => address.ip) ?? [];
    const sent = [ip, client, ...further];
    return [...new Set([...sent, ...sent.map(comparableIp), parseIp(this.#host) ?? ''])];
  }
}

/** Finds bans by their network: by its family, the length of its prefix, and its prefix. */
class NetworkIndex {
  /** The keys are the number of groups of an address (2 or 8), then the length of a prefix, then the prefix. */
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

/** The first `length` bits of an address. */
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
