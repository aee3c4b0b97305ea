/** Parses the origins of a mirror. No message repeats a key. */

import { parseKey } from './option-parsers.ts';

/** An origin: its name for readers, and the URL of its registry, without a slash at its end. */
export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

const MOST_ORIGINS = 16;
const NAME = /^[\w.-]{1,32}$/;

/** An origin without a name has that of its host. */
export function parseMirrors(texts: readonly string[]): readonly NamedUrl[] {
  const mirrors = texts.flatMap((text) => text.split(',')).map((text) => parseOrigin(text.trim()));
  if (mirrors.length > MOST_ORIGINS) throw new Error(`must name at most ${MOST_ORIGINS} origins`);
  for (const [at, { name, url }] of mirrors.entries()) {
    const before = mirrors.slice(0, at);
    if (before.some((other) => other.url === url)) throw new Error(`names ${url} twice`);
    if (before.some((other) => other.name === name))
      throw new Error(`has two origins with the name ${name}: write eu=https://… for each`);
  }
  return mirrors;
}

function parseOrigin(text: string): NamedUrl {
  const [, said, address = text] = /^([^=/:]*)=(.*)$/.exec(text) ?? [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error('must be URLs like https://eu.example.com, each with a name or without: eu=https://…');
  if (url.username !== '' || url.password !== '')
    throw new Error('must have no password in a URL: a key belongs to --mirror-keys');
  if (url.search !== '' || url.hash !== '') throw new Error('must be URLs without a query or a fragment');
  const name = said ?? url.hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-').slice(0, 32);
  if (!NAME.test(name)) throw new Error('must have names of 1 to 32 letters, digits, dots or dashes');
  return { name, url: url.href.replace(/\/+$/, '') };
}

export function parseMirrorKeys(texts: readonly string[]): readonly NamedKey[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const [, name, key] = /^([^=]*)=(.*)$/.exec(text.trim()) ?? [];
      if (name === undefined || !NAME.test(name)) throw new Error('must be like eu=secret,us=other');
      return { name, key: parseKey(key!) };
    });
}
