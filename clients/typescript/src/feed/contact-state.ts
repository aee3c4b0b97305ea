/** How a reader stands to the service. Times are ms since the epoch. */

export type ContactState =
  /** There is no list yet. */
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** The service is reached, and says that its list is as of this time. */
  | { readonly is: 'stale'; readonly asOf: number }
  /** The service is not reached; `asOf`: when the list was heard of last; undefined without a list. */
  | {
      readonly is: 'away';
      readonly asOf: number | undefined;
      readonly retryAt: number;
      readonly reason: AwayReason;
    }
  /** Nobody looks. */
  | { readonly is: 'asleep'; readonly asOf: number };

export type AwayReason =
  /** There was no answer, or one of a proxy that gets none. */
  | 'unreachable'
  /** 503: the service has no list right now, or stops. */
  | 'unavailable'
  /** 401: the key is missing or wrong. */
  | 'unauthorized'
  /** 429. */
  | 'limited'
  /** Any other answer. */
  | 'refused';
