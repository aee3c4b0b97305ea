/** The decisions of moderators as a text, in which registries keep them beyond their process. */

import { Ajv, type ValidateFunction } from 'ajv';
import { parseJson } from '../../model/json.ts';
import { banAddressOf, banFields, LONGEST, PATTERNS } from './ban-fields.ts';
import { MOST_AUDIT_LINES, MOST_BANS, type Decisions } from './decisions.ts';
import { parseGlob } from './glob.ts';

/** Renders the decisions as a text that parseDecisions() accepts. */
export function formatDecisions({ bans, audit }: Decisions): string {
  const keys = audit.map(({ key = '' }) => key);
  const lines = audit.map((line) => ({ ...line, key: undefined }));
  return JSON.stringify({ version: 1, bans, audit: lines, ...(keys.some((key) => key !== '') && { keys }) });
}

/**
 * Returns undefined for a text that formatDecisions() cannot have rendered: another program may have damaged it. A ban
 * with an unknown field counts as damage too, because without that field the ban could match more.
 */
export function parseDecisions(text: string): Decisions | undefined {
  const document = parseJson(text);
  isDocument ??= compileDocument();
  if (!isDocument(document)) return undefined;
  const { bans, audit: lines, keys = [] } = document;
  if (new Set(bans.map(({ ban }) => ban)).size < bans.length) return undefined;
  const audit = lines.map((line, n) => (keys[n] ? { ...line, key: keys[n] } : line));
  return { bans, audit };
}

/** Compiled for the first document only: a registry in memory alone never reads one. */
let isDocument: ValidateFunction<Document> | undefined;

/**
 * The names of the keys are beside the lines, by their places, '' for none: releases before them refuse a line with
 * another field, and ignore these.
 */
type Document = Decisions & { readonly keys?: readonly string[] };

function compileDocument(): ValidateFunction<Decisions> {
  const ajv = new Ajv()
    .addFormat('text', true)
    .addFormat('glob', (value: string) => parseGlob(value) !== undefined)
    .addFormat('ban-address', (value: string) => banAddressOf(value) === value);
  return ajv.compile({
    type: 'object',
    required: ['version', 'bans', 'audit'],
    properties: {
      version: { const: 1 },
      bans: { type: 'array', maxItems: MOST_BANS, items: BAN },
      audit: { type: 'array', maxItems: MOST_AUDIT_LINES, items: { anyOf: AUDIT_LINES } },
      keys: { type: 'array', maxItems: MOST_AUDIT_LINES, items: { type: 'string', maxLength: LONGEST.key } },
    },
  });
}

/** A schema of an object with all of the required fields, perhaps the optional ones, and no other. */
function exactly(required: object, optional: object = {}): object {
  const properties = { ...required, ...optional };
  return { type: 'object', required: Object.keys(required), properties, additionalProperties: false };
}

const textOf = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });

/** A time within the range of Date, in ms since the epoch. */
const TIME = { type: 'integer', minimum: -8.64e15, maximum: 8.64e15 };
const INTEGER = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

const { id, address, host, name, reason, mode, author: givenAuthor } = banFields;
const author = { ...givenAuthor, minLength: 0 };
const BAN = {
  ...exactly(
    { ban: textOf(LONGEST.id), reason, mode, author, createdAt: TIME },
    { id, address, host, name, expiresAt: TIME },
  ),
  anyOf: PATTERNS.map((pattern) => ({ type: 'object', required: [pattern] })),
};

const SERVER = exactly(
  { id: textOf(LONGEST.id) },
  { host: textOf(LONGEST.host), name: textOf(LONGEST.name), port: INTEGER, ip: textOf(64) },
);

const AUDIT_LINES = [
  { action: { enum: ['ban_added', 'ban_removed', 'ban_expired'] }, ban: BAN },
  { action: { const: 'server_removed' }, server: SERVER },
].map((about) => exactly({ at: TIME, author, ...about }, { from: textOf(64) }));
