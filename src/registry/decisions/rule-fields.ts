/**
 * The fields of bans and labels, as a moderator gives them and as they are kept. Each schema stands here once. Its
 * formats check more in the request of a moderator (moderation/validation.ts) than in the kept text
 * (decisions-document.ts).
 */

import type { FieldSchema } from '../../model/fields/field-schema.ts';
import { parseNetwork } from '../../model/net/networks.ts';

/** `refuse`: broadcasts and pings are refused with the reason. `silent`: they are answered as ever, but not shown. */
export type BanMode = 'refuse' | 'silent';

/** The most characters of each field, and of the name of a key in the audit. */
export const LONGEST = { reason: 256, author: 64, key: 64, host: 253, name: 128, id: 64, label: 32 } as const;

/** The labels that there are everywhere. Reports hide no entry that has TRUSTED. */
export const TRUSTED = 'trusted';
export const LABELS = ['official', 'featured', '18+', 'warned', TRUSTED] as const;

/** The fields that are patterns: a rule has at least one of them. */
export const PATTERNS = ['id', 'address', 'host', 'name'] as const;

const NO_HIDDEN = 'none of them a control, bidi override or invisible character';

const text = (maxLength: number): FieldSchema => ({
  type: 'string',
  format: 'text',
  minLength: 1,
  maxLength,
  description: `a string of 1 to ${maxLength} characters, some of them visible, and ${NO_HIDDEN}`,
});

const glob = (maxLength: number): FieldSchema => ({
  type: 'string',
  format: 'glob',
  maxLength,
  description: `a text with * for any characters and ? for one, of at most ${maxLength} characters, at least one of them another than * and ?, and ${NO_HIDDEN}`,
});

export const ruleFields = {
  id: {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST.id,
    description: 'the id of an entry, a string of 1 to 64 characters',
  },
  address: {
    type: 'string',
    format: 'rule-address',
    description:
      'an IP address, or a network such as 203.0.113.0/24 without bits set behind its prefix, and not one of every address',
  },
  host: glob(LONGEST.host),
  name: glob(LONGEST.name),
  reason: text(LONGEST.reason),
  mode: { type: 'string', enum: ['refuse', 'silent'], description: 'refuse or silent' },
  author: text(LONGEST.author),
} as const satisfies Readonly<Record<string, FieldSchema>>;

/** The canonical form of an address or a network; undefined for anything else, and for a network of all addresses. */
export function addressOfRule(value: string): string | undefined {
  try {
    const { text: canonical, groups, prefixBits } = parseNetwork(value);
    if (prefixBits === 0) return undefined;
    return prefixBits === groups.length * 16 ? canonical.slice(0, canonical.indexOf('/')) : canonical;
  } catch {
    return undefined;
  }
}
