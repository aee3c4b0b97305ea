/**
 * `GET /servers/{id}/badge.svg`: a small picture of one entry for other sites, which says how full it is. What its game
 * server says is text in it.
 */

import { isUnlisted, shownPlayersOf, type ListedGameServer } from '../../model/game-server.ts';
import { parseParameters } from '../../model/query/parse-query.ts';
import { textAnswer } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import type { Endpoint } from '../http/route.ts';
import { toldEntry, UNKNOWN_SERVER } from './servers.ts';

/** A picture that is opened by itself may run no script and load nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const HEIGHT = 20;
const BASELINE = 14;
const MARGIN = 7;
/** The widths of letters in px: the texts are stretched to what these come to, whatever font there is. */
const LETTER = 6.5;
const WIDE_LETTER = 11;
const MOST_LETTERS = 40;
/** Scripts of wide letters: Hangul, kana, Han, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\p{Emoji_Presentation}/u;
/** What XML has no place for (https://www.w3.org/TR/xml/#charsets), but for lone surrogates. */
const NO_CHARACTER = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function createBadge({ registry, currentList }: Pick<Context, 'registry' | 'currentList'>): Endpoint {
  return async ({ query, parameter }) => {
    parseParameters(query, {});
    return currentList.answer((_, isStale) => {
      const entry = toldEntry(registry, registry.known(parameter!), isStale);
      if (entry === undefined || isUnlisted(entry.id)) throw UNKNOWN_SERVER;
      const answer = textAnswer(render(entry), 'image/svg+xml');
      const headers = { 'Content-Security-Policy': POLICY, ...currentList.caching };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    });
  };
}

function render(entry: ListedGameServer): string {
  const { name, maxPlayers } = entry;
  const players = shownPlayersOf(entry);
  const [said, count] = [shortened(name), `${players} / ${maxPlayers}`];
  const [saidWidth, countWidth] = [widthOf(said), widthOf(count)];
  const left = saidWidth + 2 * MARGIN;
  const width = left + countWidth + 2 * MARGIN;
  const color = players >= maxPlayers ? '#6b7484' : '#1f5fbf';
  const text = (x: number, length: number, content: string): string =>
    `<text x="${x}" y="${BASELINE}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img">`,
    `<title>${escaped(`${name}: ${count}`)}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#2a2f3a"/>`,
    `<rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${color}"/></g>`,
    `<g fill="#fff" font-family="system-ui,sans-serif" font-size="11">`,
    text(MARGIN, saidWidth, said),
    text(left + MARGIN, countWidth, count),
    '</g></svg>',
  ].join('');
}

function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length <= MOST_LETTERS ? name : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}

/** In px. */
function widthOf(text: string): number {
  return Math.ceil(
    Array.from(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? WIDE_LETTER : LETTER), 0),
  );
}

function escaped(text: string): string {
  return text.replaceAll(NO_CHARACTER, '\ufffd').replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}
