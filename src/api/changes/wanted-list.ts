/** The share of the list that a client of `GET /changes` wants: which servers, and how much of their `meta`. */

import { encode } from '../../model/query/alternatives.ts';
import { META, type Filters } from '../../model/query/filters.ts';
import { parseQuery, Wrong, type SingleParameters } from '../../model/query/parse-query.ts';

export interface WantedList {
  /** A canonical text: clients with equal texts get the same. */
  readonly text: string;
  readonly filters: Filters;
  /** The keys of `meta`, sorted; true for all of them. */
  readonly meta: true | readonly string[];
}

interface ChangesParameters {
  readonly since?: string;
  readonly include?: true | readonly string[];
}

const MOST_META_KEYS = 8;

export const CHANGES_PARAMETERS: SingleParameters<ChangesParameters> = {
  since: {
    description:
      'The `tag` of the answer before. Without it, or with one that is too old, the answer has the whole list.',
    schema: { type: 'string' },
    read: (tag) => tag,
  },
  include: {
    description: `Up to ${MOST_META_KEYS} keys of \`meta\`, as in \`meta.language,meta.ruleset\`: servers that have some of them get a \`meta\` with these alone. \`meta\` is all of it.`,
    schema: { type: 'string', pattern: '^meta(\\.[^,]+(,meta\\.[^,]+)*)?$' },
    read: parseMetaKeys,
  },
};

/** Returns the keys sorted. */
function parseMetaKeys(text: string): true | readonly string[] | Wrong {
  if (text === 'meta') return true;
  const names = [...new Set(text.split(','))].toSorted();
  return names.length <= MOST_META_KEYS && names.every(isMetaName)
    ? names.map((name) => name.slice(META.length))
    : new Wrong(`must name up to ${MOST_META_KEYS} keys, as in meta.language,meta.ruleset`);
}

function isMetaName(name: string): boolean {
  return name.startsWith(META) && name.length > META.length;
}

/**
 * Reads a raw query string without its `?`. `since` is undefined if the query has none. Throws a ServiceError
 * `invalid_query`.
 */
export function parseChangesQuery(raw: string): {
  readonly wanted: WantedList;
  readonly since: string | undefined;
} {
  const { filters, further } = parseQuery(raw, CHANGES_PARAMETERS);
  const { since, include: meta = [] } = further;
  const included = meta === true ? 'meta' : meta.map((key) => encode(`${META}${key}`)).join(',');
  const text = included === '' ? filters.text : `include=${included}&${filters.text}`;
  return { wanted: { text, filters, meta }, since };
}
