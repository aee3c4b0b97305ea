/** Written by `npm run generate -- page-types`. */

/** What a game server may say of itself beyond what every one says. */
export interface Details {
  /** The map: a string of 1 to 64 characters, some of them visible, and none a control, bidi override or invisible character. */
  readonly map?: string | undefined;
  /** The mode of the game: a string of 1 to 64 characters, some of them visible, and none a control, bidi override or invisible character. */
  readonly mode?: string | undefined;
  /** The version of the game: a string of 1 to 64 characters, some of them visible, and none a control, bidi override or invisible character. */
  readonly version?: string | undefined;
  /** The region: a string of 1 to 32 characters, some of them visible, and none a control, bidi override or invisible character. */
  readonly region?: string | undefined;
  /** The country: a country by ISO 3166, two capital letters such as DE. */
  readonly country?: string | undefined;
  /** Whether players need a password: true or false. */
  readonly password?: boolean | undefined;
  /** Tags: a list of up to 16 tags, each a string of 1 to 32 characters, some of them visible, and none a control, bidi override or invisible character. */
  readonly tags?: readonly string[] | undefined;
  /** Further addresses: a list of up to 8 objects like {"ip": "2001:db8::7", "port": 7777}, sent by POST. */
  readonly addresses?: readonly { readonly ip: string; readonly port: number }[] | undefined;
  /** How long a packet takes to beacons of the service and back, in ms: an object of up to 16 numbers from 0 to 2000, by names of at most 16 small letters, digits and dashes, sent by POST; those to beacons that the service does not name count for nothing. */
  readonly latency?: Readonly<Record<string, number>> | undefined;
  /** Anything else: a JSON object of at most 2048 bytes and 4 levels, no text of it with a control or bidi override character, sent by POST. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}
