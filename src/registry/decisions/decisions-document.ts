/**
 * The decisions of moderators as a text, in which registries keep them beyond their process.
 *
 * Releases before 0.21 refuse a line of the audit that they do not know, and ignore members that they do not know. So
 * the names of keys are beside the lines, and so are the lines of newer kinds. What such a release writes lacks these
 * members: whoever reads that keeps the labels that it knows.
 */

import { Ajv, type ValidateFunction } from 'ajv';
import { parseJson } from '../../model/json.ts';
import {
  MOST_AUDIT_LINES,
  MOST_BANS,
  NO_DECISIONS,
  type AuditLine,
  type Decisions,
  type LabelRule,
} from './decisions.ts';
import { parseGlob } from './glob.ts';
import { addressOfRule, LONGEST, PATTERNS, ruleFields } from './rule-fields.ts';

/** The actions that releases before 0.21 know. */
const OLD_ACTIONS: readonly AuditLine['action'][] = [
  'ban_added',
  'ban_removed',
  'ban_expired',
  'server_removed',
];

/** Renders the decisions as a text that parseDecisions() accepts. */
export function formatDecisions({ bans, labels, audit: all }: Decisions): string {
  const audit = all.filter(({ action }) => OLD_ACTIONS.includes(action));
  const newer = all.filter(({ action }) => !OLD_ACTIONS.includes(action));
  const keys = audit.map(({ key = '' }) => key);
  const lines = audit.map((line) => ({ ...line, key: undefined }));
  return JSON.stringify({
    version: 1,
    bans,
    audit: lines,
    ...(keys.some((key) => key !== '') && { keys }),
    labels,
    ...(newer.length > 0 && { newer }),
  });
}

/** Whether a release before 0.21 has rendered the text, which knows no labels. */
export function lacksLabels(text: string): boolean {
  // Within a text of JSON the quotes would be escaped.
  return !text.includes('"labels":[');
}

/**
 * Returns undefined for a text that formatDecisions() cannot have rendered: another program may have damaged it. A rule
 * with an unknown field counts as damage too, because without that field the rule could match more. `known`: the
 * decisions before it, of which the labels stay if the text is of a release that knows none.
 */
export function parseDecisions(text: string, known: Decisions = NO_DECISIONS): Decisions | undefined {
  const document = parseJson(text);
  isDocument ??= compileDocument();
  if (!isDocument(document)) return undefined;
  const { bans, audit, keys = [], labels = known.labels, newer = [] } = document;
  if (new Set(bans.map(({ ban }) => ban)).size < bans.length) return undefined;
  if (new Set(labels.map(({ rule }) => rule)).size < labels.length) return undefined;
  const lines = audit.map((line, n) => (keys[n] ? { ...line, key: keys[n] } : line));
  return { bans, labels, audit: inOrderOfTime(lines, newer) };
}

/** The latest of all lines. Each of the two lists stays in its order. */
function inOrderOfTime(some: readonly AuditLine[], others: readonly AuditLine[]): readonly AuditLine[] {
  const lines: AuditLine[] = [];
  let next = 0;
  for (const line of some) {
    while (next < others.length && others[next]!.at < line.at) lines.push(others[next++]!);
    lines.push(line);
  }
  return [...lines, ...others.slice(next)].slice(-MOST_AUDIT_LINES);
}

/** Compiled for the first document only: a registry in memory alone never reads one. */
let isDocument: ValidateFunction<Document> | undefined;

interface Document {
  readonly bans: Decisions['bans'];
  readonly audit: Decisions['audit'];
  /** The names of the keys of these lines, by their places; '' for none. */
  readonly keys?: readonly string[];
  readonly labels?: readonly LabelRule[];
  /** The lines of the actions that releases before 0.21 do not know. */
  readonly newer?: Decisions['audit'];
}

function compileDocument(): ValidateFunction<Document> {
  const ajv = new Ajv()
    .addFormat('text', true)
    .addFormat('glob', (value: string) => parseGlob(value) !== undefined)
    .addFormat('rule-address', (value: string) => addressOfRule(value) === value);
  return ajv.compile({
    type: 'object',
    required: ['version', 'bans', 'audit'],
    properties: {
      version: { const: 1 },
      bans: { type: 'array', maxItems: MOST_BANS, items: BAN },
      audit: { type: 'array', maxItems: MOST_AUDIT_LINES, items: { anyOf: AUDIT_LINES } },
      keys: { type: 'array', maxItems: MOST_AUDIT_LINES, items: KEY },
      labels: { type: 'array', maxItems: MOST_BANS, items: LABEL },
      newer: { type: 'array', maxItems: MOST_AUDIT_LINES, items: { anyOf: NEWER_LINES } },
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
const KEY = { type: 'string', maxLength: LONGEST.key };

const { id, address, host, name, reason, mode, author: givenAuthor } = ruleFields;
const author = { ...givenAuthor, minLength: 0 };
const HAS_PATTERN = { anyOf: PATTERNS.map((pattern) => ({ type: 'object', required: [pattern] })) };
const BAN = {
  ...exactly(
    { ban: textOf(LONGEST.id), reason, mode, author, createdAt: TIME },
    { id, address, host, name, expiresAt: TIME },
  ),
  ...HAS_PATTERN,
};
const LABEL = {
  ...exactly(
    { rule: textOf(LONGEST.id), label: textOf(LONGEST.label), author, createdAt: TIME },
    { reason, id, address, host, name, expiresAt: TIME },
  ),
  ...HAS_PATTERN,
};

const SERVER = exactly(
  { id: textOf(LONGEST.id) },
  { host: textOf(LONGEST.host), name: textOf(LONGEST.name), port: INTEGER, ip: textOf(64) },
);

const AUDIT_LINES = [
  { action: { enum: ['ban_added', 'ban_removed', 'ban_expired'] }, ban: BAN },
  { action: { const: 'server_removed' }, server: SERVER },
].map((about) => exactly({ at: TIME, author, ...about }, { from: textOf(64) }));

const NEWER_LINES = [
  { action: { enum: ['label_added', 'label_removed', 'label_expired'] }, label: LABEL },
  { action: { const: 'reports_dismissed' }, server: SERVER },
].map((about) => exactly({ at: TIME, author, ...about }, { from: textOf(64), key: KEY }));
