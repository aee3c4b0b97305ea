/** Whether what matches the filters of a query was kept from an earlier one, as all queries tell it. */

export const QUERY_MATCHES = ['kept', 'new'] as const;

export type OnQuery = (matches: (typeof QUERY_MATCHES)[number]) => void;
