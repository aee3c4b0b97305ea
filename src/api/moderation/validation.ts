/** Parses the fields of a moderator's request: bans, authors and pages. An error names all wrong fields at once. */

import { banAddressOf, banFields, PATTERNS, type BanMode } from '../../registry/bans/ban-fields.ts';
import type { Ban, BanPatterns } from '../../registry/bans/decisions.ts';
import { parseGlob } from '../../registry/bans/glob.ts';
import { requestSchema } from '../../model/fields/field-schema.ts';
import type { PlaceInList } from '../../registry/snapshot/row.ts';
import type { PageWanted } from './page-of.ts';
import { createAjv, createCheck, type FurtherProblems } from '../http/checks/request-check.ts';
import { isHarmless, isVisible } from '../../model/text-rules.ts';

/** A ban before it has an id and a time. */
export type NewBan = Omit<Ban, 'ban' | 'createdAt'>;

interface BanFields extends BanPatterns {
  readonly reason: string;
  readonly mode?: BanMode;
  readonly author?: string;
  readonly expires_at?: string;
}

const MOST_IN_PAGE = 1000;
const USUAL_IN_PAGE = 100;

export const banSchema = requestSchema<BanFields>(
  {
    ...banFields,
    expires_at: {
      type: 'string',
      format: 'future',
      description: 'a time to come in ISO 8601 with its zone, as in 2027-01-31T12:00:00Z',
    },
  },
  ['reason'],
);

/** The parser of bans. `now`: ms since the epoch. The parser throws a ServiceError `invalid_request`. */
export function createBanParser(now: () => number): (fields: unknown) => NewBan {
  const ajv = createAjv((value) => isHarmless(value) && isVisible(value))
    .addFormat('ban-address', (value: string) => banAddressOf(value) !== undefined)
    .addFormat(
      'glob',
      (value: string) => isHarmless(value) && isVisible(value) && parseGlob(value) !== undefined,
    )
    .addFormat('future', (value: string) => (timeOf(value) ?? 0) > now());
  const check = createCheck(banSchema, ajv);
  return (fields) => {
    const { expires_at: expiresAt, address, ...others } = check(fields, wrongOfBan);
    return {
      mode: 'refuse',
      author: '',
      ...others,
      ...(address !== undefined && { address: banAddressOf(address)! }),
      ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt)! }),
    };
  };
}

const wrongOfBan: FurtherProblems = (fields) => [
  ...(PATTERNS.some((pattern) => Object.hasOwn(fields, pattern))
    ? []
    : [{ field: PATTERNS.join(', '), message: 'are missing: at least one of them is needed' }]),
  // A misspelt pattern, if it were ignored, would make a ban that matches more.
  ...Object.keys(fields)
    .filter((field) => !Object.hasOwn(banSchema.properties, field))
    .map((field) => ({ field: JSON.stringify(field), message: 'is no field of a ban' })),
];

/** The ms since the epoch of a text in ISO 8601 with a zone. Undefined for other texts, and days that do not exist. */
function timeOf(value: string): number | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  const time = Date.parse(value);
  if (day === undefined || Number.isNaN(time)) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : undefined;
}

export const authorSchema = requestSchema<{ readonly author?: string }>({ author: banFields.author }, []);
const checkAuthor = createCheck(authorSchema);

/** The author of a change; '' if none is given. Throws a ServiceError `invalid_request`. */
export function parseAuthor(fields: unknown): string {
  return checkAuthor(fields).author ?? '';
}

/** `limit` and `cursor` as they stand in a query. */
interface PageFields {
  readonly limit?: string;
  readonly cursor?: string;
}

/** The fields as texts, since they come in a query. */
export const pageSchema = requestSchema<PageFields>(
  {
    limit: {
      type: 'string',
      format: 'limit',
      description: `an integer from 1 to ${MOST_IN_PAGE}`,
    },
    cursor: { type: 'string', format: 'cursor', description: 'the cursor of the page before, unchanged' },
  },
  [],
);

/** The parser of pages. `mark`: the end of every cursor. The parser throws a ServiceError `invalid_request`. */
export function createPageParser(mark: string): (fields: unknown) => PageWanted {
  const ajv = createAjv(isHarmless)
    .addFormat('limit', (value: string) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MOST_IN_PAGE)
    .addFormat('cursor', (value: string) => placeOf(value, mark) !== undefined);
  const check = createCheck(pageSchema, ajv);
  return (fields) => {
    const { limit, cursor } = check(fields);
    return {
      limit: limit === undefined ? USUAL_IN_PAGE : Number(limit),
      after: cursor === undefined ? undefined : placeOf(cursor, mark),
    };
  };
}

/** A cursor for a parser of pages with the same mark. */
export function cursorOf({ registeredVersion, id }: PlaceInList, mark: string): string {
  return `${registeredVersion}.${id}${mark}`;
}

function placeOf(cursor: string, mark: string): PlaceInList | undefined {
  if (!cursor.endsWith(mark)) return undefined;
  const text = cursor.slice(0, cursor.length - mark.length);
  const [, version, id] = /^(\d{1,16})\.([^]{1,64})$/.exec(text) ?? [];
  return id === undefined ? undefined : { registeredVersion: Number(version), id };
}
