/** The trace that a request is part of, by which its lines are found beside those of the services before this one. */

import type { IncomingHttpHeaders } from 'node:http';

/** The fields of a line in the log, with the names that OpenTelemetry has for logs that are not its own. */
export interface TraceContext {
  readonly trace_id: string;
  /** The step of the trace that sent the request. */
  readonly span_id: string;
}

/** Zeros alone are no id, ff is no version, and versions after 00 may go on after the flags (W3C Trace Context). */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:$|-)/;

/** The trace that the client names in `traceparent`; undefined if it names none, or not in the form of W3C. */
export function traceOf({ traceparent }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, trace_id, span_id] = TRACEPARENT.exec(traceparent) ?? [];
  return trace_id === undefined || span_id === undefined ? undefined : { trace_id, span_id };
}
