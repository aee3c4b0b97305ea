/**
 * The parsers of the options of the page: its title, its notice, its colour, its filters, the link to a game, and who
 * may frame it. Each makes a value, or an Error whose message completes "<flag> …".
 */

import { didYouMean } from '../did-you-mean.ts';

/** In characters, as a person counts them. */
const LONGEST_TITLE = 80;
/** Some five lines on a phone. */
const LONGEST_NOTICE = 200;

export const parseTitle = lineParser(LONGEST_TITLE);
export const parseNotice = lineParser(LONGEST_NOTICE);

/** Of a text that turns nothing around it, and breaks into no second line. */
function lineParser(longest: number): (text: string) => string {
  return (text) => {
    const line = text.trim();
    const isVisible =
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) && !/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(line);
    if (isVisible && Array.from(line).length <= longest) return line;
    throw new Error(`must be a text of 1 to ${longest} characters, some of them visible and none a control`);
  };
}

const MOST_META_FILTERS = 5;
/** In characters: more make no name of a field. */
const LONGEST_META_KEY = 40;
const parseMetaKey = lineParser(LONGEST_META_KEY);

/** Keys of meta, in their order. */
export function parseMetaFilters(text: string): readonly string[] {
  if (text === 'none') return [];
  const keys = [...new Set(text.split(',').map(parseMetaKey))];
  if (keys.length <= MOST_META_FILTERS) return keys;
  throw new Error(`must name at most ${MOST_META_FILTERS} keys of meta, not ${keys.length}`);
}

/** What a link to a game may hold of a game server. {address}: the IP and the port, an IPv6 address in brackets. */
const PLACEHOLDERS = ['ip', 'host', 'port', 'id', 'name', 'address'];

/** Schemes that run their text as a program, or read what is on the machine of the player. */
const DANGEROUS_SCHEMES = [
  'javascript vbscript livescript mocha data blob about view-source file filesystem jar mhtml res mk shell',
  'ms-its its hcp search-ms ms-msdt resource chrome chrome-extension moz-extension safari-web-extension edge',
].flatMap((schemes) => schemes.split(' '));

/** Beside placeholders, a link has nothing but characters of URLs. */
const OTHER_THAN_URL = /[^\w.~:/?#[\]@!$&'()*+,;=%-]/;

export function parseConnectTemplate(text: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]!.toLowerCase();
  if (scheme === undefined) throw new Error('must begin with a scheme, as in steam://connect/{ip}:{port}');
  if (DANGEROUS_SCHEMES.includes(scheme))
    throw new Error(`must not have the scheme ${scheme}: it can harm players`);
  const names = Array.from(text.matchAll(/\{(\w*)\}/g), ([, name]) => name!);
  const unknown = names.find((name) => !PLACEHOLDERS.includes(name));
  if (unknown !== undefined) {
    const all = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
    throw new Error(
      `has no placeholder {${unknown}}${didYouMean(unknown, PLACEHOLDERS) || `: there are ${all}`}`,
    );
  }
  if (names.length === 0) throw new Error('must hold a placeholder, as in steam://connect/{ip}:{port}');
  const wrong = OTHER_THAN_URL.exec(text.replaceAll(/\{\w*\}/g, ''))?.[0];
  if (wrong !== undefined) throw new Error(`must be a URL with placeholders, without "${wrong}"`);
  return text;
}

/** `#rrggbb` in lower case. */
export function parseColor(text: string): string {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  if (digits === undefined) throw new Error(`must be a colour like #1f5fbf or #36c, not "${text}"`);
  return `#${digits.toLowerCase()}`;
}

/** Sources of frame-ancestors (Content Security Policy), in lower case. */
export function parseEmbedOrigins(text: string): readonly string[] {
  if (text === 'none') return [];
  const origins = text.split(',').map((origin) => origin.trim().toLowerCase());
  const wrong = origins.find((origin) => !isEmbedOrigin(origin));
  if (wrong === undefined) return origins;
  throw new Error(
    `must be *, none, or origins like https://example.com or https://*.example.com, not "${wrong}"`,
  );
}

function isEmbedOrigin(origin: string): boolean {
  if (origin === '*') return true;
  // A star that stands for names of hosts is a label in the eyes of URL.
  const plain = origin.replace('://*.', '://any.');
  return /^https?:\/\/[a-z\d.:[\]_-]+$/.test(plain) && URL.canParse(plain) && new URL(plain).origin === plain;
}
