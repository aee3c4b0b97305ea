/** Queries of Prometheus about the replicas and registries that are chosen on the dashboard. */

/** The replicas and registries that are chosen. What belongs to the process has no registry. */
export const OF = 'job="$job", instance=~"$instance", registry=~"$registry|"';

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
