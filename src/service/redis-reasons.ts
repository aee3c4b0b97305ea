/**
 * Why Redis cannot be used, in words for the operator: what is wrong, then what to do. Knows the options and the
 * messages of Redis, Node and ioredis. Asks nothing.
 */

import { printable } from '../model/printable.ts';
import { REFUSALS } from '../registry/redis/scripts/error-kind.ts';

/** Messages that say nothing to an operator, and what they mean. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^(Connection is closed|Stream isn't writeable|Cluster isn't ready|write EPIPE).*/,
    'the connection was lost',
  ],
  [/^Command timed out.*/, 'Redis does not answer in time'],
  [/^Too many Cluster redirections\. Last error: (ReplyError: )?/, ''],
  // OpenSSL names the place in its sources, then the reason.
  [/^\w+:error:\w+:SSL routines:[^:]*:([^:]*).*/, 'TLS fails: $1'],
];

/** Advice for a message: the first that matches. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there; does Redis run, and are host and port right?'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name does not resolve; is it right, and does the DNS answer?'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'is the address right, and does a firewall let GSLS through?'],
  [/another program than Redis/, 'is this the right port?'],
  [/speaks TLS/, 'begin the URL with rediss://, or add --redis-tls'],
  [/speaks no TLS/, 'begin the URL with redis://, or leave out --redis-tls'],
  [/before secure TLS/, 'is this a port for TLS?'],
  [/altnames/, 'connect by a name that the certificate has, or give such a name with --redis-server-name'],
  [/certificate required/, 'GSLS sends no certificate of its own: set tls-auth-clients to no in Redis'],
  [/certificate (has expired|is not yet valid)/, 'give Redis a certificate that is valid now'],
  [/certificate/, 'give the certificate of the authority that signed it with --redis-ca'],
  [
    /^the sentinel .*(NOAUTH|WRONGPASS)/,
    'correct --redis-sentinel-user and --redis-sentinel-password, or the user in the sentinels',
  ],
  [/^the sentinel .*NOPERM/, 'give the user in the sentinels the rights that the documentation lists'],
  [/^the sentinel .*unknown command/, 'this is not a sentinel; for a single Redis use --redis'],
  [/know no master/, 'give the name by which they know it with --redis-master'],
  ...REFUSALS.map(({ pattern, advice }) => [pattern, advice] as const),
  [/unknown command '?eval/i, 'if this is a sentinel, use --redis-sentinel'],
  [
    /cluster support disabled|unknown command '?cluster/i,
    'this is not a node of a Cluster; for a single Redis use --redis',
  ],
  [/^MOVED|not allowed in cluster mode/, 'this is a node of a Cluster; use --redis-cluster'],
  [/DB index is out of range/, 'choose another --redis-database, or raise `databases` in Redis'],
  [/connection was (lost|closed)/, 'does Redis run, and does the network to it work?'],
  [/does not answer/, 'does it hang, or is the network slow?'],
  [/without an answer/, 'is this the right port, and does anything in between close connections?'],
];

const LONGEST = 160;

/** One line of text, whatever the message is: it may come from a program that is not Redis. */
export function explain(error: unknown): string {
  const said = meaningOf(messageOf(error));
  const advice = ADVICE.find(([pattern]) => pattern.test(said))?.[1];
  return advice === undefined ? said : `${said}: ${advice}`;
}

/** The cause of an error; when several addresses were tried, that of the first. */
export function rootOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause !== undefined) return rootOf(error.cause);
  return error instanceof AggregateError && error.errors.length > 0 ? rootOf(error.errors[0]) : error;
}

function messageOf(error: unknown): string {
  const root = rootOf(error);
  if (!(root instanceof Error)) return String(root);
  return root.message || ((root as NodeJS.ErrnoException).code ?? root.name);
}

/** The first sentence, without advice that Node adds to it, and with everything that is not text escaped. */
function meaningOf(message: string): string {
  const [pattern, meaning] = MEANINGS.find(([each]) => each.test(message)) ?? [/^/, ''];
  const [sentence] = message
    .replace(pattern, meaning)
    .split(/[.:\s]*(?:\n|$)|\.\s|, with args beginning with|; if the root CA/, 1) as [string];
  const text = printable(sentence);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
