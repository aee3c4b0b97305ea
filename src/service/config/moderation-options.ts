/** The table of the options for moderators: labels, reports, and who may moderate without a key. */

import type { Networks } from '../../model/net/networks.ts';
import { parseNetworks } from '../../model/net/networks.ts';
import { isClear } from '../../model/text-rules.ts';
import { LONGEST } from '../../registry/decisions/rule-fields.ts';
import { MOST_OF_ONE } from '../../registry/reports/voices.ts';
import { integer, one, parseHeaderName } from './option-parsers.ts';
import { optionsIn } from './option.ts';

const option = optionsIn('Moderation', { scope: 'registry' });
const ofProcess = optionsIn('Moderation');

const MOST_WORDS = 32;

export const MODERATION_OPTIONS = {
  labels: option<readonly string[]>({
    argument: '<names>',
    description:
      'more labels that moderators may give, beside official, featured, 18+, warned and trusted: names with commas between them',
    default: [],
    parse: one(parseWords),
  }),
  reportReasons: option<readonly string[]>({
    argument: '<reasons>',
    description:
      'let readers report game servers, for one of these reasons: words with commas between them, such as cheating,spam,offensive',
    default: [],
    defaultText: 'no reports',
    parse: one(parseWords),
  }),
  reportNotes: option('let a report have a note in words of the reader'),
  reportHides: option<number | undefined>({
    argument: '<networks>',
    description:
      'hide a game server that readers of so many networks reported, until a moderator looks, unless it has the label trusted',
    defaultText: 'never',
    parse: integer(2, MOST_OF_ONE),
  }),
  moderatorHeader: ofProcess<string | undefined>({
    argument: '<name>',
    description:
      'the header in which a proxy that signs people in names the moderator, who then needs no key at the operations port',
    parse: one(parseHeaderName),
  }),
  moderatorProxies: ofProcess<Networks | undefined>({
    argument: '<networks>',
    description:
      'the proxies from which --moderator-header counts: their networks or addresses, as for --trust-proxy, and nothing else must reach the port from there',
    parse: one(parseNetworks),
  }),
} as const;

/** Names with commas between them, each once. */
export function parseWords(text: string): readonly string[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  if (words.some((word) => word.length > LONGEST.label || !isClear(word)))
    throw new Error(`must be names of 1 to ${LONGEST.label} characters with commas between them`);
  if (words.length > MOST_WORDS) throw new Error(`must have at most ${MOST_WORDS} names`);
  return words;
}
