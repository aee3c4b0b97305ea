/** The little that HTTP needs of a logger; pino's satisfies it. */

type Log = (fields: object, message: string) => void;

export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
