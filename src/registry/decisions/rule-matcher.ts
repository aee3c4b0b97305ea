/**
 * Finds the rules of moderators that match an entry, among 10,000, within microseconds: each rule is filed under its
 * most selective pattern, and only the rules found there are compared in full. The matcher knows no time: its caller
 * leaves out the rules that have expired.
 */

import { comparableHost, readableHost, readableHostPattern } from '../../model/comparable.ts';
import type { Details } from '../../model/fields/details.ts';
import { comparableName, fold } from '../../model/fold.ts';
import { parseGlob, type Glob } from './glob.ts';
import { GlobIndex } from './glob-index.ts';
import { comparableIp, groupsOf, parseIp } from '../../model/net/ip.ts';
import type { Ban, Patterns } from './decisions.ts';
import { contains, parseNetwork, withIpv4Within, type Network } from '../../model/net/networks.ts';

/** The parts of an entry that rules are compared with. */
export interface RuleSubject {
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

export interface RuleMatcher<Rule extends Patterns> {
  readonly isEmpty: boolean;
  /** The first rule that matches. */
  find(subject: RuleSubject): Rule | undefined;
  /** All rules that match, in order. */
  findAll(subject: RuleSubject): readonly Rule[];
}

/** A rule with its patterns compiled for comparison. */
interface Compiled<Rule> {
  readonly rule: Rule & Patterns;
  /** The place of the rule among all. */
  readonly rank: number;
  /** Each pattern in all forms in which it may match; undefined if the rule has no such pattern. */
  readonly networks: readonly Network[] | undefined;
  readonly hosts: readonly Glob[] | undefined;
  readonly names: readonly Glob[] | undefined;
}

/** Compiles bans: among those that match, one that refuses comes before a silent one. */
export function createBanMatcher(bans: readonly Ban[]): RuleMatcher<Ban> {
  const modes = ['refuse', 'silent'] as const;
  return createRuleMatcher(modes.flatMap((each) => bans.filter(({ mode }) => mode === each)));
}

/** Compiles the rules, whose patterns must be valid (parseDecisions). */
export function createRuleMatcher<Rule extends Patterns>(rules: readonly Rule[]): RuleMatcher<Rule> {
  if (rules.length === 0) return { isEmpty: true, find: () => undefined, findAll: () => [] };
  const byId = new Map<string, Compiled<Rule>[]>();
  const byNetwork = new NetworkIndex<Compiled<Rule>>();
  const hosts: [Glob, Compiled<Rule>][] = [];
  const names: [Glob, Compiled<Rule>][] = [];
  for (const each of rules.map(compile)) {
    const { rule } = each;
    if (rule.id !== undefined) ofKey(byId, rule.id, () => [] as Compiled<Rule>[]).push(each);
    else if (each.networks !== undefined) for (const network of each.networks) byNetwork.add(network, each);
    else if (each.names !== undefined && (each.names[0]!.isExact || !each.hosts?.[0]!.isExact))
      for (const name of each.names) names.push([name, each]);
    else for (const host of each.hosts!) hosts.push([host, each]);
  }
  const byHost = new GlobIndex(hosts);
  const byName = new GlobIndex(names);

  /** Calls `consider` with lists of rules, each in order, that have all rules that match. */
  function search(subject: FoldedSubject, consider: (list: readonly Compiled<Rule>[]) => void): void {
    consider(byId.get(subject.id) ?? []);
    if (!byNetwork.isEmpty)
      for (const address of subject.addresses) byNetwork.candidates(address).forEach(consider);
    if (!byHost.isEmpty) for (const host of subject.hosts) byHost.candidates(host).forEach(consider);
    if (!byName.isEmpty) for (const name of subject.names) byName.candidates(name).forEach(consider);
  }

  return {
    isEmpty: false,
    find(subject) {
      const folded = new FoldedSubject(subject);
      let found: Compiled<Rule> | undefined;
      search(folded, (list) => {
        for (const each of list) {
          if (found !== undefined && found.rank <= each.rank) return;
          if (matches(each, folded)) found = each;
        }
      });
      return found?.rule;
    },
    findAll(subject) {
      const folded = new FoldedSubject(subject);
      const found = new Set<Compiled<Rule>>();
      search(folded, (list) => {
        for (const each of list) if (!found.has(each) && matches(each, folded)) found.add(each);
      });
      return [...found].toSorted((a, b) => a.rank - b.rank).map(({ rule }) => rule);
    },
  };
}

function compile<Rule extends Patterns>(rule: Rule, rank: number): Compiled<Rule> {
  return {
    rule,
    rank,
    networks: rule.address === undefined ? undefined : withIpv4Within(parseNetwork(rule.address)),
    hosts: rule.host === undefined ? undefined : hostGlobs(rule.host),
    names: rule.name === undefined ? undefined : nameGlobs(rule.name),
  };
}

/** The pattern as written comes first, so that a rule still holds for all that it ever held for. */
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

function matches({ rule, networks, hosts, names }: Compiled<object>, subject: FoldedSubject): boolean {
  return (
    (rule.id === undefined || rule.id === subject.id) &&
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
  readonly #subject: RuleSubject;
  #addresses: readonly (readonly number[])[] | undefined;
  #comparableHost: string | undefined;
  #hosts: readonly string[] | undefined;
  #names: readonly string[] | undefined;

  constructor(subject: RuleSubject) {
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

/** Finds values by a network: by its family, the length of its prefix, and its prefix. */
class NetworkIndex<T> {
  /** The keys are the number of groups of an address (2 or 8), then the length of a prefix, then the prefix. */
  readonly #families = new Map<number, Map<number, Map<bigint, T[]>>>();

  get isEmpty(): boolean {
    return this.#families.size === 0;
  }

  add({ groups, prefixBits }: Network, value: T): void {
    const lengths = ofKey(this.#families, groups.length, () => new Map<number, Map<bigint, T[]>>());
    const prefixes = ofKey(lengths, prefixBits, () => new Map<bigint, T[]>());
    ofKey(prefixes, prefixOf(groups, prefixBits), () => [] as T[]).push(value);
  }

  candidates(groups: readonly number[]): readonly (readonly T[])[] {
    const found: T[][] = [];
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

function ofKey<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
