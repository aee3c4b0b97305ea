/** The types of OpenAPI and of JSON schemas. */

/** A JSON schema (2020-12), or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter object of OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly example?: unknown;
}
