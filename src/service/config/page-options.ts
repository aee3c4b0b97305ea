/**
 * The table of the options of the page for people: its title, its notice, its colour, its filters, the link to a game,
 * and who may frame it.
 */

import { one, parseFilePath } from './option-parsers.ts';
import { parseWords } from './moderation-options.ts';
import { optionsIn } from './option.ts';
import { didYouMean } from '../../model/did-you-mean.ts';

/** The longest title, in characters as a person counts them. */
const LONGEST_TITLE = 80;
/** The longest notice, in characters: some five lines on a phone. */
const LONGEST_NOTICE = 200;

const parseTitle = lineParser(LONGEST_TITLE);
const parseNotice = lineParser(LONGEST_NOTICE);

/** Parses a text that turns nothing around it, and breaks into no second line. */
function lineParser(longest: number): (text: string) => string {
  return (text) => {
    const line = text.trim();
    const isVisible =
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) && !/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(line);
    if (isVisible && Array.from(line).length <= longest) return line;
    throw new Error(`must be a text of 1 to ${longest} characters, some of them visible and none a control`);
  };
}

const MOST_REGIONS = 50;
const parseRegionName = lineParser(40);

/** Parses names of regions, such as `eu=Europe,us-west=US West`. */
function parseRegions(text: string): Readonly<Record<string, string>> {
  if (text === 'none') return {};
  const pairs = text.split(',').map((pair): readonly [string, string] => {
    const [region = '', name] = pair.split(/=(.*)/s) as [string?, string?];
    if (name === undefined || region.trim() === '')
      throw new Error(`must be regions and their names, as in eu=Europe,us-west=US West, not "${pair}"`);
    return [region.trim(), parseRegionName(name)];
  });
  const twice = pairs.find(([region], at) => pairs.findIndex(([other]) => other === region) !== at);
  if (twice !== undefined) throw new Error(`names the region "${twice[0]}" twice`);
  if (pairs.length > MOST_REGIONS)
    throw new Error(`must name at most ${MOST_REGIONS} regions, not ${pairs.length}`);
  return Object.fromEntries(pairs);
}

/** Parses the address of the service for everybody, to which paths can be added. */
function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:[^?#]*$/.test(url.href) && url.username + url.password === '';
  if (!isPlain) throw new Error(`must be a URL like https://servers.example.com, not "${text}"`);
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

const MOST_META_FILTERS = 5;
/** The longest key, in characters: more make no name of a field. */
const LONGEST_META_KEY = 40;
const parseMetaKey = lineParser(LONGEST_META_KEY);

/** Parses keys of meta, in their order. */
function parseMetaFilters(text: string): readonly string[] {
  if (text === 'none') return [];
  const keys = [...new Set(text.split(',').map(parseMetaKey))];
  if (keys.length <= MOST_META_FILTERS) return keys;
  throw new Error(`must name at most ${MOST_META_FILTERS} keys of meta, not ${keys.length}`);
}

/** The fields of a game server that a link may hold. {address}: the IP and the port, an IPv6 address in brackets. */
const PLACEHOLDERS = ['ip', 'host', 'port', 'id', 'name', 'address'];

/** Schemes that run their text as a program, or read what is on the machine of the player. */
const DANGEROUS_SCHEMES = [
  'javascript vbscript livescript mocha data blob about view-source file filesystem jar mhtml res mk shell',
  'ms-its its hcp search-ms ms-msdt resource chrome chrome-extension moz-extension safari-web-extension edge',
].flatMap((schemes) => schemes.split(' '));

/** A character that no URL has: beside placeholders, a link has none. */
const OTHER_THAN_URL = /[^\w.~:/?#[\]@!$&'()*+,;=%-]/;

function parseConnectTemplate(text: string): string {
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

/** Parses `#rrggbb`, into lower case. */
function parseColor(text: string): string {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  if (digits === undefined) throw new Error(`must be a colour like #1f5fbf or #36c, not "${text}"`);
  return `#${digits.toLowerCase()}`;
}

/** Parses sources of frame-ancestors (Content Security Policy), into lower case. */
function parseEmbedOrigins(text: string): readonly string[] {
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

const option = optionsIn('Page', { scope: 'registry' });

export const PAGE_OPTIONS = {
  noPage: option('do not serve the page for people, /browse'),
  pageRedirect: option(
    'send browsers from / to the page: what asks for text/html before JSON gets a redirect, everything else the list',
  ),
  pageTitle: option({
    argument: '<text>',
    description: 'the title of the page',
    default: 'Game servers',
    parse: one(parseTitle),
  }),
  pageNotice: option<string | undefined>({
    argument: '<text>',
    description: 'a line above the list, such as "We move to new machines on Sunday."',
    parse: one(parseNotice),
  }),
  pageConnect: option<string | undefined>({
    argument: '<template>',
    description:
      'the link of the button that opens the game, such as steam://connect/{ip}:{port}; placeholders are {ip}, {host}, {port}, {address} (ip:port), {id} and {name}',
    defaultText: 'no button',
    parse: one(parseConnectTemplate),
  }),
  pageAccent: option<string | undefined>({
    argument: '<color>',
    description:
      'the colour of links and buttons, such as #1f5fbf; it is made lighter or darker where it could not be read',
    defaultText: 'blue',
    parse: one(parseColor),
  }),
  pageLogo: option<string | undefined>({
    argument: '<file>',
    description: 'a picture beside the title: SVG, PNG, WebP, JPEG, GIF or AVIF, at most 256 kB',
    parse: one(parseFilePath),
  }),
  pageRegions: option<Readonly<Record<string, string>>>({
    argument: '<names>',
    description:
      'names of regions for the page, by what game servers say, such as eu=Europe,us-west=US West; common ones have names already',
    default: {},
    defaultText: 'none',
    parse: one(parseRegions),
  }),
  pageHideLabels: option<readonly string[]>({
    argument: '<labels>',
    description: 'labels whose servers the page hides until a reader asks for them, such as 18+',
    default: [],
    parse: one(parseWords),
  }),
  publicUrl: option<string | undefined>({
    argument: '<url>',
    description:
      'the address of the service for everybody, such as https://servers.example.com: pages of servers have it in what chats show of a link',
    parse: one(parsePublicUrl),
  }),
  pageMetaFilters: option<readonly string[]>({
    argument: '<keys>',
    description:
      'up to 5 keys of meta, separated by commas, whose values are counted among the filters of the page, such as language,ruleset',
    default: [],
    parse: one(parseMetaFilters),
  }),
  pageEmbedOrigins: option<readonly string[]>({
    argument: '<origins>',
    description:
      'the web sites that may show the page in a frame: *, none, or origins separated by commas, such as https://example.com or https://*.example.com; its own origin always may',
    default: [],
    parse: one(parseEmbedOrigins),
  }),
} as const;
