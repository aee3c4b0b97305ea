/** The terms in which operations of the API are described, before they become OpenAPI. */

import type { ErrorCode } from '../../../model/errors.ts';
import type { ResponseHeader } from './headers.ts';
import type { Parameter, Schema } from './parameter.ts';

/** The options of a service on which its description depends. */
export interface ApiOptions {
  /** Whether requests need a key, except the public ones. */
  readonly needsKey: boolean;
  /** Whether reading needs no key. */
  readonly publicRead: boolean;
  readonly allowUnlisted: boolean;
  /** The reasons of reports; none if there are none. */
  readonly reportReasons: readonly string[];
  readonly hasStreams: boolean;
  readonly requireServerToken: boolean;
  readonly verifySource: boolean;
  readonly uniqueAddress: boolean;
  readonly hasQuotas: boolean;
  /** Whether details must match a schema of the operator. */
  readonly hasDetailsSchema: boolean;
  /** Whether the service probes game servers to see that they can be reached. */
  readonly verifies: boolean;
  readonly shedsLoad: boolean;
  /** Whether pages of any site may send what game servers send. */
  readonly openToAllPages: boolean;
  /** Whether browsers that ask for the list are redirected to the page. */
  readonly redirectsBrowsers: boolean;
  readonly hasBeacons: boolean;
  /** The kinds of requests with a rate limit. */
  readonly limitedKinds: readonly string[];
}

/** A value, with its title in the list of examples. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

/** The body of a request or of an answer, in one media type. */
export interface Content {
  readonly schema: Schema;
  readonly examples: Examples;
}

/** An answer that is no error. */
export interface DescribedAnswer {
  readonly description: string;
  /** The bodies by media type; undefined for an answer without a body. */
  readonly content?: Readonly<Record<string, Content>>;
  /** The headers that every such answer has. */
  readonly headers?: readonly ResponseHeader[];
  readonly optionalHeaders?: readonly ResponseHeader[];
}

export interface Operation {
  /** The name of the function in generated clients. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** A text in Markdown. */
  readonly description?: string;
  /** Whether its answer may take work, so that it is refused with `overloaded` where it would wait too long. */
  readonly takesWork?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  /** The answers by status, without errors. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** The errors of the operation itself, without those that any request to such a route may get. */
  readonly errors: readonly ErrorCode[];
}

export const TAGS = {
  'Game servers': 'What a game server sends, to be listed and to stay so.',
  Lists: 'What is listed, for players and dashboards.',
  Operation: 'For those who run the service.',
  Moderation: 'Bans, and all entries with what only moderators see of them. Needs the admin key.',
} as const;

export type Tag = keyof typeof TAGS;
