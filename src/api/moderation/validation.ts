/** Parses the fields of a moderator's request: bans, labels and authors. An error names all wrong fields at once. */

import { createAjv, createCheck, type FurtherProblems } from '../http/checks/request-check.ts';
import { requestSchema, type FieldSchema, type RequestSchema } from '../../model/fields/field-schema.ts';
import { isHarmless, isVisible } from '../../model/text-rules.ts';
import type { Ban, LabelRule, Patterns } from '../../registry/decisions/decisions.ts';
import { parseGlob } from '../../registry/decisions/glob.ts';
import { addressOfRule, PATTERNS, ruleFields, type BanMode } from '../../registry/decisions/rule-fields.ts';

/** A ban, and a label, before it has an id and a time. */
export type NewBan = Omit<Ban, 'ban' | 'createdAt'>;
export type NewLabel = Omit<LabelRule, 'rule' | 'createdAt'>;

interface RuleFields extends Patterns {
  readonly author?: string;
  readonly expires_at?: string;
}

interface BanFields extends RuleFields {
  readonly reason: string;
  readonly mode?: BanMode;
}

interface LabelFields extends RuleFields {
  readonly label: string;
  readonly reason?: string;
  readonly token_sha256?: string;
}

interface PreviewFields extends Patterns {
  readonly of?: string;
}

const EXPIRES_AT: FieldSchema = {
  type: 'string',
  format: 'future',
  description: 'a time to come in ISO 8601 with its zone, as in 2027-01-31T12:00:00Z',
};
const { id, address, host, name, reason, mode, author } = ruleFields;
const patterns = { id, address, host, name };

export const banSchema = requestSchema<BanFields>(
  { ...patterns, reason, mode, author, expires_at: EXPIRES_AT },
  ['reason'],
);

/** `labels`: those that may be given. */
export function labelSchemaOf(labels: readonly string[]): RequestSchema<LabelFields> {
  return requestSchema<LabelFields>(
    {
      ...patterns,
      token_sha256: {
        type: 'string',
        format: 'sha256',
        description: 'the SHA-256 of a server token, in 64 lower-case hexadecimal digits',
      },
      label: { type: 'string', enum: labels, description: labels.join(', ') },
      reason,
      author,
      expires_at: EXPIRES_AT,
    },
    ['label'],
  );
}

export const previewSchema = requestSchema<PreviewFields>({ ...patterns, of: id }, []);

export interface RuleParsers {
  readonly ban: (fields: unknown) => NewBan;
  /** With the hash of the token, where the label is given by that. */
  readonly label: (fields: unknown) => NewLabel & { readonly tokenHash?: string };
  readonly preview: (fields: unknown) => PreviewFields;
}

/**
 * The parsers of rules, which throw a ServiceError `invalid_request`. `now`: ms since the epoch. `labels`: those that
 * may be given.
 */
export function createRuleParsers(now: () => number, labels: readonly string[]): RuleParsers {
  const ajv = createAjv((value) => isHarmless(value) && isVisible(value))
    .addFormat('rule-address', (value: string) => addressOfRule(value) !== undefined)
    .addFormat(
      'glob',
      (value: string) => isHarmless(value) && isVisible(value) && parseGlob(value) !== undefined,
    )
    .addFormat('sha256', /^[\da-f]{64}$/)
    .addFormat('future', (value: string) => (timeOf(value) ?? 0) > now());
  const labelSchema = labelSchemaOf(labels);
  const checkBan = createCheck(banSchema, ajv);
  const checkLabel = createCheck(labelSchema, ajv);
  const checkPreview = createCheck(previewSchema, ajv);
  const wrongOf = {
    ban: wrongIn(banSchema, 'ban', PATTERNS),
    label: wrongIn(labelSchema, 'label', [...PATTERNS, 'token_sha256']),
    preview: wrongIn(previewSchema, 'preview', PATTERNS),
  };
  return {
    ban: (fields) => ({ mode: 'refuse', ...ruleOf(checkBan(fields, wrongOf.ban)) }),
    label(fields) {
      const { token_sha256: tokenHash, ...others } = checkLabel(fields, wrongOf.label);
      return { ...ruleOf(others), ...(tokenHash !== undefined && { tokenHash }) };
    },
    preview: (fields) => ruleOf(checkPreview(fields, wrongOf.preview)),
  };
}

/** The fields of a rule as it is kept. */
function ruleOf<Fields extends RuleFields>(
  fields: Fields,
): Omit<Fields, 'expires_at'> & { readonly author: string; readonly expiresAt?: number } {
  const { expires_at: expiresAt, ...others } = fields;
  const given = others.address;
  return {
    author: '',
    ...others,
    ...(given !== undefined && { address: addressOfRule(given)! }),
    ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt)! }),
  };
}

function wrongIn(
  { properties }: Pick<RequestSchema<object>, 'properties'>,
  what: string,
  oneOf: readonly string[],
): FurtherProblems {
  return (fields) => [
    ...(oneOf.some((pattern) => Object.hasOwn(fields, pattern))
      ? []
      : [{ field: oneOf.join(', '), message: 'are missing: at least one of them is needed' }]),
    // A misspelt pattern, if it were ignored, would make a rule that matches more.
    ...Object.keys(fields)
      .filter((field) => !Object.hasOwn(properties, field))
      .map((field) => ({ field: JSON.stringify(field), message: `is no field of a ${what}` })),
  ];
}

/** The ms since the epoch of a text in ISO 8601 with a zone. Undefined for other texts, and days that do not exist. */
function timeOf(value: string): number | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  const time = Date.parse(value);
  if (day === undefined || Number.isNaN(time)) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : undefined;
}

export const authorSchema = requestSchema<{ readonly author?: string }>({ author: ruleFields.author }, []);
const checkAuthor = createCheck(authorSchema);

/** The author of a change; '' if none is given. Throws a ServiceError `invalid_request`. */
export function parseAuthor(fields: unknown): string {
  return checkAuthor(fields).author ?? '';
}
