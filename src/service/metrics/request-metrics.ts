/**
 * The metrics of requests. Every ping pays for them, so the numbers are summed up plainly, and handed over at a scrape.
 */

import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import type { Answered } from '../../api/http/exchange.ts';
import { REQUEST_KINDS, type RequestKind } from '../../api/http/route.ts';
import type { HistogramSeries } from './histogram.ts';
import type { Instruments } from './instruments.ts';

export interface RequestMetrics {
  readonly onAnswered: (answered: Answered) => void;
  /** A request was answered with an error. */
  readonly onRefused: (code: ErrorCode) => void;
  /** A request of this kind was refused by its rate limit. */
  readonly onLimited: (kind: RequestKind) => void;
}

/** The buckets in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
/** The paths of writes. */
const WRITES = ['/broadcast', '/ping', '/remove'];
const CODES = Object.keys(ERRORS) as ErrorCode[];

export function createRequestMetrics(instruments: Instruments): RequestMetrics {
  const { httpRequestDurationSeconds: durations } = instruments.histograms(BUCKETS, {
    httpRequestDurationSeconds:
      'time from a request to its answer, without the time that the client takes to read it',
  });
  /** The series by route, method and status. */
  const series = new Map<string, Map<string, Map<number, HistogramSeries>>>();
  const bytes = { identity: 0, gzip: 0, br: 0 };
  instruments.readCounterBy(
    ['encoding'],
    { httpResponseBytes: 'bytes of the bodies of answers, as they were sent; streams are not in it' },
    () => Object.entries(bytes).map(([encoding, count]) => [{ encoding }, count]),
  );
  /** The counters by path; the code is undefined for a success. */
  const writes = new Map(
    WRITES.map((path) => [path, new Map([undefined, ...CODES].map((code) => [code, { count: 0 }]))]),
  );
  instruments.readCounterBy(
    ['operation', 'outcome', 'code'],
    { writes: 'broadcasts, pings and removes, by what came of them: the code is that of the error, or none' },
    () =>
      [...writes].flatMap(([path, counts]) =>
        [...counts].map(
          ([code, { count }]) =>
            [{ operation: path.slice(1), outcome: outcomeOf(code), code: code ?? 'none' }, count] as const,
        ),
      ),
  );
  const byKey = new Map<string, number>();
  instruments.readCounterBy(['key'], { keyRequests: 'requests that a key with a name let in' }, () =>
    [...byKey].map(([key, count]) => [{ key }, count]),
  );
  const { rateLimited } = instruments.countersBy('kind', REQUEST_KINDS, {
    rateLimited: 'requests that --rate-limit refused, by their kind',
  });

  const { refused } = instruments.countersBy('code', CODES, {
    refused: 'requests that were answered with an error, by its code',
  });

  /** A series is declared by the first request of its kind: those that never come do not show. */
  function seriesOf(route: string, method: string, status: number): HistogramSeries {
    const byMethod = series.get(route) ?? new Map<string, Map<number, HistogramSeries>>();
    const byStatus = byMethod.get(method) ?? new Map<number, HistogramSeries>();
    let found = byStatus.get(status);
    if (found === undefined) {
      found = durations.series({ route, method, status });
      series.set(route, byMethod.set(method, byStatus.set(status, found)));
    }
    return found;
  }

  return {
    onAnswered({ exchange, route = 'none', status, code, bytes: length, encoding, durationMs }) {
      const method = exchange.request.method!;
      seriesOf(route, METHODS.includes(method) ? method : 'other', status).observe(durationMs / 1000);
      bytes[encoding] += length;
      if (exchange.key !== undefined) byKey.set(exchange.key, (byKey.get(exchange.key) ?? 0) + 1);
      const write = method === 'OPTIONS' ? undefined : writes.get(route)?.get(code);
      if (write !== undefined) write.count += 1;
    },
    onRefused: (code) => refused.inc({ code }),
    onLimited: (kind) => rateLimited.inc({ kind }),
  };
}

function outcomeOf(code: ErrorCode | undefined): 'success' | 'refused' | 'failed' {
  if (code === undefined) return 'success';
  return ERRORS[code].status < 500 ? 'refused' : 'failed';
}
