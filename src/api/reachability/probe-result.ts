/**
 * The outcomes of probes: a closed set, with words for the person who runs the game server. The words hold nothing that
 * the game server sent.
 */

import { isIPv6 } from 'node:net';

/**
 * `tcp`: connects. `http`: requests `GET /`. `a2s`: sends A2S_INFO, the query of Source servers, over UDP. `quake3`:
 * sends getinfo, the query of Quake III and its family, over UDP.
 */
export const PROBE_KINDS = ['tcp', 'http', 'a2s', 'quake3'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** The queries by the kinds whose answers tell how many players there are. */
const QUERIES = { a2s: 'A2S_INFO', quake3: 'getinfo' } as const;

/** Whether the answers to such a probe tell how many players there are. */
export function tellsPlayers(kind: ProbeKind | undefined): kind is keyof typeof QUERIES {
  return kind !== undefined && kind in QUERIES;
}

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
  /** The players of an answer that tells them, 0 to 1,000,000. */
  readonly players?: number;
}

export function createProbeResult(
  outcome: ProbeOutcome,
  kind: ProbeKind,
  { ip, port }: ProbeTarget,
  timeoutMs: number,
): ProbeResult {
  const transport = tellsPlayers(kind) ? 'UDP' : 'TCP';
  const where = `${transport} ${isIPv6(ip) ? `[${ip}]` : ip}:${port}`;
  const words: Record<ProbeOutcome, string> = {
    answered: 'verified',
    no_answer: `no answer on ${where} within ${timeoutMs / 1000} s: is the port open?`,
    refused: `${where} refused the ${tellsPlayers(kind) ? 'query' : 'connection'}: is the game server listening?`,
    unreachable: `there is no route to ${where}: is the address right?`,
    other_protocol: tellsPlayers(kind)
      ? `${where} answers, but not to ${QUERIES[kind]}: is it the query port?`
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
