/**
 * The room for operators and for programs that watch the service: metrics, probes, and the configuration in force.
 * Probes answer at once, whatever the state of Redis.
 *
 * Probes do not fail with Redis: a short outage would take out every replica, and with them the list that could still
 * be served.
 */

import { coalesce } from '../../runtime/coalesce.ts';
import type { Backend, WriteOutage } from '../../registry/backend.ts';
import { jsonAnswer, textAnswer } from '../http/answer.ts';
import { isToBeLeft, type Room } from '../http/context.ts';
import { describedIn, type Endpoint } from '../http/route.ts';

/** Renders the metrics as text. */
export interface MetricsSource {
  /** The content type of the text, with its charset. */
  readonly contentType: string;
  readonly render: () => Promise<string>;
}

export interface ProbesContext {
  readonly metrics: MetricsSource;
  /** The registries that are served, as far as probes tell of them. */
  readonly registries: () => Iterable<ProbedRegistry>;
  /** The configuration in force, without secrets. */
  readonly describeConfig: () => object;
  /** Aborted when this replica begins to shut down. */
  readonly stopping?: AbortSignal | undefined;
}

export interface ProbedRegistry {
  readonly registry: Pick<Backend, 'hasList'>;
  /** Why the registry refuses writes now; undefined while it accepts them. */
  readonly whyRefused: () => WriteOutage | undefined;
}

const OPERATING = { method: 'GET', access: 'operate', input: 'nothing', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** The metrics alone, for a service without an operations port. */
export function openMetrics(metrics: MetricsSource): Room {
  const endpoint = createMetricsEndpoint(metrics);
  return { routes: [{ ...OPERATING, path: '/metrics', endpoint, describe: describe('metrics') }] };
}

/** The room of the operations port: the metrics, the probes, and the configuration in force. */
export function openOps(context: ProbesContext): Room {
  const { describeConfig, stopping, registries } = context;
  const alive = jsonAnswer({ alive: true });
  const ready = jsonAnswer({ ready: true });
  const livez: Endpoint = async () => alive;
  /**
   * A replica is ready once it has a list, that of one registry at least, whether or not it reaches Redis and may write
   * there: it still serves the list. If all replicas left the load balancer, no client would get it.
   */
  const readyz: Endpoint = async () => {
    if (isToBeLeft(stopping)) return notReadyAnswer('stopping', 'this replica is about to stop');
    const open = [...registries()];
    const { reason, message } = open.map(({ whyRefused }) => whyRefused()).find((why) => why) ?? {};
    if (open.length > 0 && !open.some(({ registry }) => registry.hasList))
      return notReadyAnswer(
        'no_list_yet',
        `no list is loaded yet, because ${message ?? 'Redis has not answered since the start'}`,
      );
    return reason === undefined ? ready : jsonAnswer({ ready: true, writes: 'refused', reason, message });
  };
  const configuration: Endpoint = async () => jsonAnswer(describeConfig());
  return {
    routes: [
      ...openMetrics(context.metrics).routes,
      { ...OPERATING, path: '/livez', endpoint: livez, access: 'open', describe: describe('livez') },
      { ...OPERATING, path: '/readyz', endpoint: readyz, access: 'open', describe: describe('readyz') },
      { ...OPERATING, path: '/debug/config', endpoint: configuration, describe: describe('configuration') },
    ],
  };
}

/** Scrapes that come in together share one rendering, which begins after the last of them has come in. */
function createMetricsEndpoint({ render, contentType }: MetricsSource): Endpoint {
  const rendered = coalesce(render);
  return async () => textAnswer(await rendered(), contentType);
}

function notReadyAnswer(reason: string, message: string): ReturnType<typeof jsonAnswer> {
  return jsonAnswer({ ready: false, reason, message }, {}, 503);
}
