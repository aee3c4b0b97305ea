/**
 * Describes the `meta` of a game server in words, for the page and its plain twin. The conventions are those of
 * docs/game-servers.md. The values are any JSON, so their description is bounded, and links lead to https alone.
 */

import { cut, metaLabel, labelOfKey } from '../parts/meta-words.ts';
import type { Texts } from '../texts/en.ts';

export type MetaValue =
  | { readonly is: 'text'; readonly text: string }
  /** `host`: the host of the link in ASCII, in which no letter looks like another. */
  | { readonly is: 'link'; readonly href: string; readonly host: string }
  | { readonly is: 'list'; readonly values: readonly MetaValue[]; readonly hasMore: boolean }
  | { readonly is: 'group'; readonly entries: readonly MetaEntry[]; readonly hasMore: boolean };

export interface MetaEntry {
  readonly label: string;
  readonly value: MetaValue;
}

export interface MetaDescription {
  /** The description that the game server puts before everything else. */
  readonly description: string | undefined;
  readonly entries: readonly MetaEntry[];
  readonly hasMore: boolean;
}

export interface MetaWords {
  readonly texts: Texts;
  /** The tag of the language in use. */
  readonly language: string;
}

/** The deepest level that is described, whatever the service accepts. */
const DEEPEST = 6;
const MOST_VALUES = 200;
const LONGEST_DESCRIPTION = 1000;
const LONGEST_URL = 1000;
const LONGEST_HOST = 253;

/** The keys with a meaning of their own, in the order in which they are shown. */
const CONVENTIONS = ['website', 'discord', 'rules', 'language', 'mods'] as const;

/** No user may precede the host: `https://example.com@evil.example` leads to the second one. */
const HTTPS = /^https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/iu;

export function describeMeta(meta: Readonly<Record<string, unknown>>, words: MetaWords): MetaDescription {
  const said = new Map(Object.entries(meta));
  const first = said.get('description');
  const description = typeof first === 'string' && first.trim() !== '' ? first : undefined;
  if (description !== undefined) said.delete('description');
  const keys = [...CONVENTIONS.filter((key) => said.has(key)), ...said.keys()];
  const { entries, hasMore } = new Describer(words).group(
    [...new Set(keys)].map((key) => [key, said.get(key)]),
  );
  return {
    description: description === undefined ? undefined : cut(description, LONGEST_DESCRIPTION),
    entries,
    hasMore,
  };
}

/** Describes one `meta`: all its values together are limited to what a person can read. */
class Describer {
  readonly #texts: Texts;
  readonly #language: string;
  #valuesLeft = MOST_VALUES;

  constructor({ texts, language }: MetaWords) {
    this.#texts = texts;
    this.#language = language;
  }

  /** The entries for the members of `meta` itself. */
  group(
    members: readonly (readonly [key: string, value: unknown])[],
  ): Pick<MetaDescription, 'entries' | 'hasMore'> {
    return this.#entries(members, (key, value) => ({
      label: metaLabel(this.#texts, key),
      value: this.#conventional(key, value) ?? this.#valueOf(value, 1),
    }));
  }

  /** Undefined if the key has no convention, or the value does not follow it. */
  #conventional(key: string, value: unknown): MetaValue | undefined {
    switch (key) {
      case 'website':
      case 'discord':
      case 'rules':
        return linkOf(value);
      case 'language':
        return this.#listOf(value, (each) => (typeof each === 'string' ? this.#languageOf(each) : undefined));
      case 'mods':
        return this.#listOf(value, modOf);
    }
    return undefined;
  }

  #valueOf(value: unknown, depth: number): MetaValue {
    if (typeof value !== 'object' || value === null) return text(this.#said(value));
    const members = Object.entries(value);
    if (members.length === 0) return text(this.#texts.details.meta.nothing);
    if (depth >= DEEPEST) return text('…');
    if (Array.isArray(value))
      return { is: 'list', ...this.#bounded(members, ([, each]) => this.#valueOf(each, depth + 1)) };
    const entryOf = (key: string, each: unknown): MetaEntry => ({
      label: labelOfKey(key),
      value: this.#valueOf(each, depth + 1),
    });
    return { is: 'group', ...this.#entries(members, entryOf) };
  }

  #said(value: unknown): string {
    const { on, off, nothing } = this.#texts.details.meta;
    if (typeof value === 'boolean') return value ? on : off;
    return value === null || value === ''
      ? nothing
      : cut(typeof value === 'string' ? value : JSON.stringify(value));
  }

  /** Undefined if `sayEach` has no words for one of the values. A single value becomes a text. */
  #listOf(value: unknown, sayEach: (each: unknown) => string | undefined): MetaValue | undefined {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const said = all.slice(0, this.#valuesLeft + 1).map(sayEach);
    if (said.length === 0 || said.includes(undefined)) return undefined;
    if (!Array.isArray(value)) return text(said[0]!);
    return { is: 'list', ...this.#bounded(said, (each) => text(each!)) };
  }

  /** The name of a language such as `de-AT`; a tag that is no language stays as it is. */
  #languageOf(tag: string): string {
    try {
      return cut(new Intl.DisplayNames([this.#language], { type: 'language' }).of(tag) ?? tag);
    } catch {
      return cut(tag);
    }
  }

  #entries(
    members: readonly (readonly [key: string, value: unknown])[],
    entryOf: (key: string, value: unknown) => MetaEntry,
  ): Pick<MetaDescription, 'entries' | 'hasMore'> {
    const { values, hasMore } = this.#bounded(members, ([key, value]) => entryOf(key, value));
    return { entries: values, hasMore };
  }

  #bounded<T, U>(
    all: readonly T[],
    describe: (each: T) => U,
  ): { readonly values: readonly U[]; readonly hasMore: boolean } {
    const values: U[] = [];
    for (const each of all) {
      if (this.#valuesLeft <= 0) return { values, hasMore: true };
      this.#valuesLeft -= 1;
      values.push(describe(each));
    }
    return { values, hasMore: false };
  }
}

function text(said: string): MetaValue {
  return { is: 'text', text: said };
}

function linkOf(value: unknown): MetaValue | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_URL || !HTTPS.test(value)) return undefined;
  try {
    const { host, href } = new URL(value);
    return host.length > LONGEST_HOST ? undefined : { is: 'link', href, host };
  } catch {
    // The URL parser refused the host.
    return undefined;
  }
}

/** The words for a mod: a name, or `{"name": "Better Doors", "version": "1.2"}`. */
function modOf(mod: unknown): string | undefined {
  if (typeof mod === 'string') return cut(mod);
  const { name, version, ...others } = (mod ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || Object.keys(others).length > 0) return undefined;
  if (version === undefined) return cut(name);
  return typeof version === 'string' || typeof version === 'number' ? cut(`${name} ${version}`) : undefined;
}
