/**
 * What the metrics say of requests. Every ping pays for it, so the numbers are kept plainly, and put into the form of
 * Prometheus at a scrape: a histogram of prom-client would cost five times as much. Knows nothing of the registry.
 */

import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Answered } from '../../http/exchange.ts';
import { REQUEST_KINDS, type RequestKind } from '../../http/request-kinds.ts';
import type { Instruments } from './instruments.ts';

export interface RequestMetrics {
  readonly onAnswered: (answered: Answered) => void;
  /** A request of this kind was refused by its rate limit. */
  readonly onLimited: (kind: RequestKind) => void;
  /** Brings the counters to the present. */
  readonly read: () => void;
  /** The histogram of durations, as text. */
  readonly renderDurations: () => string;
}

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
const ENCODINGS = ['identity', 'gzip', 'br'] as const;
/** The paths of writes. */
const WRITES = ['/broadcast', '/ping', '/remove'];
const CODES = Object.keys(ERRORS) as ErrorCode[];

const DURATIONS = 'gsls_http_request_duration_seconds';
const DURATIONS_HELP = `# HELP ${DURATIONS} time from a request to its answer, without the time that the client takes to read it
# TYPE ${DURATIONS} histogram`;

/** Upper bounds of the buckets. The last bucket has none. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The requests of one route, method and status. */
interface Durations {
  sumS: number;
  /** How many are in each bucket and in none below it. */
  readonly counts: number[];
}

/** A map that has a value for each key that is asked for. */
class Table<Key, Value> extends Map<Key, Value> {
  readonly #create: () => Value;

  constructor(create: () => Value) {
    super();
    this.#create = create;
  }

  at(key: Key): Value {
    let value = this.get(key);
    if (value === undefined) {
      value = this.#create();
      this.set(key, value);
    }
    return value;
  }
}

export function createRequestMetrics({ counterBy, counterOf }: Instruments): RequestMetrics {
  const durations = new Table<string, Table<string, Table<number, Durations>>>(
    () => new Table(() => new Table(createDurations)),
  );
  const bytes = new Map(ENCODINGS.map((encoding) => [encoding, { count: 0 }]));
  /** By path; the code is undefined for a success. */
  const writes = new Map(
    WRITES.map((path) => [path, new Map([undefined, ...CODES].map((code) => [code, { count: 0 }]))]),
  );
  const allBytes = counterBy(
    'gsls_http_response_bytes_total',
    'bytes of the bodies of answers, as they were sent; streams are not in it',
    'encoding',
    ENCODINGS,
  );
  const allWrites = counterOf(
    'gsls_writes_total',
    'broadcasts, pings and removes, by what came of them: the code is that of the error, or none',
    ['operation', 'outcome', 'code'],
  );
  const limited = counterBy(
    'gsls_rate_limited_total',
    'requests that --rate-limit refused, by their kind',
    'kind',
    REQUEST_KINDS,
  );

  return {
    onAnswered({ exchange, route = 'none', status, code, bytes: length, encoding, durationMs }) {
      const method = exchange.request.method!;
      const isKnown = METHODS.includes(method);
      const group = durations
        .at(route)
        .at(isKnown ? method : 'other')
        .at(status);
      group.sumS += durationMs / 1000;
      group.counts[bucketOf(durationMs / 1000)]! += 1;
      bytes.get(encoding)!.count += length;
      if (method !== 'OPTIONS') {
        const write = writes.get(route)?.get(code);
        if (write !== undefined) write.count += 1;
      }
    },
    onLimited: (kind) => limited.inc({ kind }),
    read() {
      allBytes.reset();
      for (const [encoding, { count }] of bytes) allBytes.inc({ encoding }, count);
      allWrites.reset();
      for (const [path, counts] of writes)
        for (const [code = 'none', { count }] of counts)
          allWrites.inc({ operation: path.slice(1), outcome: outcomeOf(code), code }, count);
    },
    renderDurations() {
      const lines = [...durations].flatMap(([route, byMethod]) =>
        [...byMethod].flatMap(([method, byStatus]) =>
          [...byStatus].flatMap(([status, group]) =>
            linesOf(`route="${route}",method="${method}",status="${status}"`, group),
          ),
        ),
      );
      return `${[DURATIONS_HELP, ...lines].join('\n')}\n`;
    },
  };
}

function createDurations(): Durations {
  return { sumS: 0, counts: [...BOUNDS_S, Infinity].map(() => 0) };
}

function bucketOf(durationS: number): number {
  let bucket = 0;
  while (durationS > BOUNDS_S[bucket]!) bucket += 1;
  return bucket;
}

function outcomeOf(code: ErrorCode | 'none'): 'success' | 'refused' | 'failed' {
  if (code === 'none') return 'success';
  return ERRORS[code].status < 500 ? 'refused' : 'failed';
}

function linesOf(labels: string, { sumS, counts }: Durations): string[] {
  let sum = 0;
  const buckets = counts.map((count, bucket) => {
    sum += count;
    return `${DURATIONS}_bucket{le="${BOUNDS_S[bucket] ?? '+Inf'}",${labels}} ${sum}`;
  });
  return [...buckets, `${DURATIONS}_sum{${labels}} ${sumS}`, `${DURATIONS}_count{${labels}} ${sum}`];
}
