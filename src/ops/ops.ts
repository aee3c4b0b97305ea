/**
 * The endpoints for operators and what watches the service for them: metrics, probes, and the configuration in force.
 * Probes answer at once, whatever the state of Redis. Knows neither Koa nor sockets, nor the port that it is asked on.
 */

import { coalesce } from '../registry/coalesce.ts';
import type { Registry } from '../registry/registry.ts';
import { jsonAnswer, textAnswer } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Pace } from '../http/server/pace.ts';

/** What the metrics tell of the registry at a scrape. */
type CountedRegistry = Pick<Registry, 'list' | 'moderation'>;

/** Renders the metrics as text. */
export interface MetricsSource {
  /** Of the text, with its charset. */
  readonly contentType: string;
  readonly render: (registry: CountedRegistry) => Promise<string>;
}

export interface MetricsEndpointOptions {
  readonly registry: CountedRegistry;
  readonly metrics: MetricsSource;
  /** When a rendering gets its turn; at once if it is left out. */
  readonly renderingPace?: Pace | undefined;
}

export interface OpsEndpointsOptions extends MetricsEndpointOptions {
  readonly registry: CountedRegistry & Pick<Registry, 'hasList'>;
  /** The configuration in force, without secrets. */
  readonly describeConfig: () => object;
  /** Aborted when this replica begins to shut down. */
  readonly stopping?: AbortSignal | undefined;
}

export type OpsEndpoints = Readonly<Record<'metrics' | 'livez' | 'readyz' | 'debugConfig', Endpoint>>;

/** Scrapes that come in together share one rendering, which begins after the last of them has come in. */
export function createMetricsEndpoint({
  registry,
  metrics,
  renderingPace,
}: MetricsEndpointOptions): Endpoint {
  const render = coalesce(async () => {
    if (renderingPace !== undefined) await turnOf(renderingPace);
    return metrics.render(registry);
  });
  return async () => textAnswer(await render(), metrics.contentType);
}

export function createOpsEndpoints(options: OpsEndpointsOptions): OpsEndpoints {
  const { registry, describeConfig, stopping } = options;
  const alive = jsonAnswer({ alive: true });
  const ready = jsonAnswer({ ready: true });
  const notReady = {
    no_list_yet: notReadyAnswer(
      'no_list_yet',
      'no list is loaded yet: Redis has not answered since the start',
    ),
    stopping: notReadyAnswer('stopping', 'this replica is about to stop'),
  };

  return {
    metrics: createMetricsEndpoint(options),
    livez: async () => alive,
    /** The first list counts, and not Redis: a replica without its Redis still serves the list. */
    async readyz() {
      if (stopping?.aborted) return notReady.stopping;
      return registry.hasList ? ready : notReady.no_list_yet;
    },
    debugConfig: async () => jsonAnswer(describeConfig()),
  };
}

function notReadyAnswer(reason: string, message: string): ReturnType<typeof jsonAnswer> {
  return jsonAnswer({ ready: false, reason, message }, {}, 503);
}

function turnOf(pace: Pace): Promise<void> {
  return new Promise((resolve) =>
    pace.run(() => {
      resolve();
      return true;
    }),
  );
}
