/** Asks a service about a game server: its doctor, or its list where it has none. Prints nothing. */

import type { ServiceAnswer, Ask, NoAnswerCause } from '../../../clients/typescript/src/ask.ts';
import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import { detailOf, FINDINGS, sentenceOf, type Cause } from '../../model/findings.ts';

/** The answer of `POST /doctor`, as far as it is used here. */
export interface Diagnosis {
  /** Undefined from a service that does not know it. */
  readonly client_address: string | undefined;
  readonly listed: boolean;
  readonly cause: string;
  readonly says: string;
  readonly next_step: string;
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly checks: readonly ToldCheck[];
}

export interface ToldCheck {
  readonly code: string;
  readonly result: string;
  readonly says: string;
}

/** `other_program`: something else answered, such as a proxy. `redirected`: it sends to another place. */
export type NotReachedCause = NoAnswerCause | 'other_program' | 'redirected';

export interface Unanswered {
  readonly notReached: NotReachedCause;
  readonly says: string;
  readonly next_step: string;
}

export interface DoctorQuestion {
  readonly host: string | undefined;
  readonly port: number;
  readonly id: string | undefined;
  readonly token: string | undefined;
}

const CHECK_URL = 'correct the URL of the service';

/** The one next step, where nobody answers or somebody else. */
const NEXT_STEPS: Readonly<Record<NotReachedCause, string>> = {
  unknown_host: `${CHECK_URL}, or look whether this machine reaches a name server`,
  refused: 'look whether the service runs, and whether its port is the one of the URL',
  unreachable: 'look whether this machine is connected, and by IPv4 or IPv6 as the service is',
  tls: 'look whether the URL begins with the right one of http:// and https://, and at the certificate',
  timeout: 'look whether a firewall is in between, and try again in a minute',
  cut_off: 'try again: the service or a proxy was about to stop',
  no_http: 'look whether the URL begins with the right one of http:// and https://, and at its port',
  too_large: CHECK_URL,
  over: 'try again',
  other: CHECK_URL,
  other_program: `${CHECK_URL}, or ask its operator: a proxy, a login page or another program answers there`,
  redirected: 'use the URL that it leads to',
};

/** Asks the doctor of the service. Never rejects. */
export async function askDoctor(
  ask: Ask,
  { host, port, id, token }: DoctorQuestion,
  timeoutMs: number,
): Promise<Diagnosis | Unanswered | 'no_doctor'> {
  const answer = await ask({
    method: 'POST',
    path: '/doctor',
    body: {
      ...(host !== undefined && { server_host: host }),
      server_port: port,
      ...(id !== undefined && { server_id: id }),
    },
    headers: token === undefined ? {} : { 'Server-Token': token },
    timeoutMs,
  });
  if (answer.status === 404 && answer.code === 'not_found') return 'no_doctor';
  return diagnosisOf(answer) ?? refusalOf(answer);
}

/** The diagnosis in an answer. Undefined if there is none. */
function diagnosisOf({ status, body }: ServiceAnswer): Diagnosis | undefined {
  const { cause, says, next_step, listed, client_address, entry, checks } = body;
  const isDiagnosis =
    status === 200 &&
    body['status'] === 'success' &&
    typeof cause === 'string' &&
    typeof says === 'string' &&
    typeof next_step === 'string' &&
    typeof client_address === 'string';
  if (!isDiagnosis) return undefined;
  return {
    client_address,
    listed: listed === true,
    cause,
    says,
    next_step,
    entry:
      typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : undefined,
    checks: Array.isArray(checks) ? checks.filter(isCheck) : [],
  };
}

function isCheck(each: unknown): each is ToldCheck {
  const { code, result, says } = (each ?? {}) as Readonly<Record<string, unknown>>;
  return typeof code === 'string' && typeof result === 'string' && typeof says === 'string';
}

/** An answer that is no diagnosis: an error of the API, of something else, or none at all. */
function refusalOf({ status, code, reason, cause, headers }: ServiceAnswer): Diagnosis | Unanswered {
  if (cause !== undefined) return { notReached: cause, says: reason, next_step: NEXT_STEPS[cause] };
  if (code !== undefined && Object.hasOwn(ERRORS, code))
    return causedBy(code as ErrorCode, detailOf(code as ErrorCode, reason));
  const isRedirect = status >= 300 && status < 400 && headers.get('Location') !== null;
  const notReached = isRedirect ? 'redirected' : 'other_program';
  return { notReached, says: reason, next_step: NEXT_STEPS[notReached] };
}

function causedBy(cause: Cause, about?: string): Diagnosis {
  return {
    client_address: undefined,
    listed: cause === 'listed',
    cause,
    says: sentenceOf(cause, about),
    next_step: FINDINGS[cause].nextStep,
    entry: undefined,
    checks: [],
  };
}

/** Asks a service before 0.14, which has no doctor, whether its list shows one of the addresses. Never rejects. */
export async function askList(
  ask: Ask,
  addresses: readonly string[],
  port: number,
  timeoutMs: number,
): Promise<Diagnosis | Unanswered> {
  const filter = addresses.length === 0 ? '' : `&ip=${addresses.map(encodeURIComponent).join(',')}`;
  const answer = await ask({ method: 'GET', path: `/servers?limit=1000${filter}`, timeoutMs });
  const { servers, status } = answer.body;
  if (answer.status !== 200 || status !== 'success' || !Array.isArray(servers)) return refusalOf(answer);
  const found = (servers as readonly Readonly<Record<string, unknown>>[]).find(
    (each) => each?.['port'] === port && addresses.includes(String(each['ip'])),
  );
  const told: ToldCheck = {
    code: 'doctor',
    result: 'unknown',
    says: 'this service is older than 0.14 and cannot say why: its list was looked at',
  };
  return { ...causedBy(found === undefined ? 'unknown' : 'listed'), entry: found, checks: [told] };
}
