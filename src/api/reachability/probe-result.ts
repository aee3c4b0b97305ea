/**
 * The outcomes of probes: a closed set, with words for the person who runs the game server. The words hold nothing that
 * the game server sent.
 */

import { isIPv6 } from 'node:net';

/** `tcp`: connects. `http`: requests `GET /`. `a2s`: sends A2S_INFO, the query of Source servers, over UDP. */
export type ProbeKind = 'tcp' | 'http' | 'a2s';

export interface ProbeTarget {
  /** The address in canonical form (parseIp). */
  readonly ip: string;
  readonly port: number;
}

export const PROBE_OUTCOMES = [
  'answered',
  'no_answer',
  'refused',
  'unreachable',
  'other_protocol',
  'not_tried',
] as const;

/**
 * `answered`: the answer was one of the kind of the probe. `no_answer`: nothing came in time. `refused`: the machine
 * reported that the port is closed. `unreachable`: there is no route. `other_protocol`: the port is open, but does not
 * answer as the kind of the probe requires. `not_tried`: the probe was given up, or this machine had no socket for it,
 * which says nothing of the game server.
 */
export type ProbeOutcome = (typeof PROBE_OUTCOMES)[number];

export interface ProbeResult {
  readonly outcome: ProbeOutcome;
  /** One line of printable ASCII. */
  readonly words: string;
}

export function createProbeResult(
  outcome: ProbeOutcome,
  kind: ProbeKind,
  { ip, port }: ProbeTarget,
  timeoutMs: number,
): ProbeResult {
  const transport = kind === 'a2s' ? 'UDP' : 'TCP';
  const where = `${transport} ${isIPv6(ip) ? `[${ip}]` : ip}:${port}`;
  const words: Record<ProbeOutcome, string> = {
    answered: 'verified',
    no_answer: `no answer on ${where} within ${timeoutMs / 1000} s: is the port open?`,
    refused: `${where} refused the ${kind === 'a2s' ? 'query' : 'connection'}: is the game server listening?`,
    unreachable: `there is no route to ${where}: is the address right?`,
    other_protocol:
      kind === 'a2s'
        ? `${where} answers, but not to A2S_INFO: is it the query port?`
        : `${where} takes connections, but gives no HTTP answer: is it an HTTP server without TLS?`,
    not_tried: `${where} was not tried yet`,
  };
  return { outcome, words: words[outcome] };
}

const OUTCOMES: Readonly<Record<string, ProbeOutcome>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  ETIMEDOUT: 'no_answer',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EAFNOSUPPORT: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EINVAL: 'unreachable',
  ENETDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
};

/** The outcome for a socket that failed before anything came. */
export function outcomeOf(error: unknown): ProbeOutcome {
  return OUTCOMES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'not_tried';
}
