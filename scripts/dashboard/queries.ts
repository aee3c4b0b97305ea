/** Queries of Prometheus about the replicas that are chosen on the dashboard. */

/** The replicas that are chosen. */
export const OF = 'job="$job", instance=~"$instance"';

/** How many a second, by a label. `labels` narrow it. */
export function rate(metric: string, by = '', labels = ''): string {
  const which = labels === '' ? OF : `${OF}, ${labels}`;
  return `sum by (${by}) (rate(${metric}{${which}}[$__rate_interval]))`;
}

/** The duration that this share of all stays below, by a label. */
export function quantile(share: number, histogram: string, by: string, labels = ''): string {
  return `histogram_quantile(${share}, ${rate(`${histogram}_bucket`, `le, ${by}`, labels)})`;
}

export const REQUESTS = 'gsls_http_request_duration_seconds';
