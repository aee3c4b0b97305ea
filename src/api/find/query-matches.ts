/** Whether the matches of a query were kept from an earlier one, as all queries report it to the metrics. */

export const QUERY_MATCHES = ['kept', 'new'] as const;

export type OnQuery = (matches: (typeof QUERY_MATCHES)[number]) => void;
