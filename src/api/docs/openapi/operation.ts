/** The terms in which operations of the API are described, before they become OpenAPI. */

import type { ErrorCode } from '../../../model/errors.ts';
import type { ResponseHeader } from './headers.ts';
import type { Parameter, Schema } from './parameter.ts';

/** The options of a service, as far as its description depends on them. */
export interface ApiOptions {
  /** Whether requests need a key, but for those that are public. */
  readonly needsKey: boolean;
  /** Whether reading needs no key. */
  readonly publicRead: boolean;
  readonly allowUnlisted: boolean;
  readonly hasStreams: boolean;
  readonly requireServerToken: boolean;
  readonly verifySource: boolean;
  readonly uniqueAddress: boolean;
  readonly hasQuotas: boolean;
  /** Whether details have to meet a schema of the operator. */
  readonly hasDetailsSchema: boolean;
  /** Whether it is checked that game servers can be reached. */
  readonly verifies: boolean;
  readonly shedsLoad: boolean;
  /** Whether pages of any site may send what game servers send. */
  readonly openToAllPages: boolean;
  /** Whether browsers are sent from the list to the page. */
  readonly redirectsBrowsers: boolean;
  /** The kinds of requests with a rate limit. */
  readonly limitedKinds: readonly string[];
}

/** A value, with the words for the list of examples. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

/** A body of a request or of an answer, by one media type. */
export interface Content {
  readonly schema: Schema;
  readonly examples: Examples;
}

/** An answer that is no error. */
export interface DescribedAnswer {
  readonly description: string;
  /** By media type; nothing for an answer without a body. */
  readonly content?: Readonly<Record<string, Content>>;
  /** Those that every such answer has. */
  readonly headers?: readonly ResponseHeader[];
  readonly optionalHeaders?: readonly ResponseHeader[];
}

export interface Operation {
  /** For the names of functions in generated clients. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** In Markdown. */
  readonly description?: string;
  /** Whether what it asks for may have to be made first, and is refused where that would take too long. */
  readonly takesWork?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  /** By status. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Those of its own. What any request to such a route may get is not among them. */
  readonly errors: readonly ErrorCode[];
}

export const TAGS = {
  'Game servers': 'What a game server sends, to be listed and to stay so.',
  Lists: 'What is listed, for players and dashboards.',
  Operation: 'For those who run the service.',
  Moderation: 'Bans, and all entries with what only moderators see of them. Needs the admin key.',
} as const;

export type Tag = keyof typeof TAGS;
