/**
 * Why Redis cannot be used, in words for those who run it: what is wrong, then what to do. Knows the options and what
 * Redis, Node and ioredis say; asks nothing.
 */

/** What is not said for those who run Redis, and what it comes to. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^(Connection is closed|Stream isn't writeable|Cluster isn't ready|write EPIPE).*/,
    'the connection was lost',
  ],
  [/^Command timed out.*/, 'Redis does not answer in time'],
  [/^Too many Cluster redirections\. Last error: (ReplyError: )?/, ''],
  // Of OpenSSL: where in its sources, then what.
  [/^\w+:error:\w+:SSL routines:[^:]*:([^:]*).*/, 'TLS fails: $1'],
];

/** What to do about it: the first that fits. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there; does Redis run, and are host and port right?'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name does not resolve; is it right, and does the DNS answer?'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'is the address right, and does a firewall let GSLS through?'],
  [/is no Redis/, 'is this the right port?'],
  [/speaks TLS/, 'begin the URL with rediss://, or add --redis-tls'],
  [/speaks no TLS/, 'begin the URL with redis://, or leave out --redis-tls'],
  [/before secure TLS/, 'is this a port for TLS?'],
  [/altnames/, 'connect by a name that is in the certificate, or say with --redis-server-name which one is'],
  [/certificate required/, 'GSLS has no certificate of its own: set tls-auth-clients to no in Redis'],
  [/certificate (has expired|is not yet valid)/, 'give Redis one that is valid now'],
  [/certificate/, 'say with --redis-ca who signed that of Redis'],
  [
    /^the sentinel .*(NOAUTH|WRONGPASS)/,
    'correct --redis-sentinel-user and --redis-sentinel-password, or the user in the sentinels',
  ],
  [/^the sentinel .*NOPERM/, 'give the user in the sentinels the rights that the README lists'],
  [/^the sentinel .*unknown command/, 'this is no sentinel; give the address of a Redis to --redis'],
  [/know no master/, 'say with --redis-master by which name they know it'],
  [/NOAUTH/, 'give the password, in the URL or with --redis-password'],
  [
    /WRONGPASS|invalid password/,
    'correct user and password in the URL or in --redis-user and --redis-password',
  ],
  [/NOPERM/, 'give the user the rights that the README lists'],
  [/DENIED/, 'it refuses all other machines as long as it has no password: set one, and give it to GSLS'],
  [/max number of clients/, 'raise maxclients in Redis, or find out what holds so many connections'],
  [/unknown command '?eval/i, 'if this is a sentinel, give its address to --redis-sentinel'],
  [
    /cluster support disabled|unknown command '?cluster/i,
    'this is no node of a Cluster; give the address of a Redis to --redis',
  ],
  [/^MOVED|not allowed in cluster mode/, 'this is a node of a Cluster; give its address to --redis-cluster'],
  [/DB index is out of range/, 'choose another --redis-database, or raise `databases` in Redis'],
  [/READONLY/, 'this is a replica; give the address of its master, or those of the sentinels'],
  [/MASTERDOWN/, 'this is a replica that has lost its master; bring the master back, or make it one'],
  [/NOREPLICAS/, 'it has fewer replicas than min-replicas-to-write wants; bring them back'],
  [/CLUSTERDOWN/, 'a part of the Cluster is missing; bring its nodes back'],
  [/LOADING/, 'wait until it has read its data'],
  [/BUSY/, 'something runs a long script in it'],
  [/OOM/, 'raise maxmemory, or free some'],
  [/MISCONF/, 'it cannot write to its disk; is that full?'],
  [/connection was (lost|closed)/, 'does Redis run, and is the network to it in order?'],
  [/does not answer/, 'does it hang, or is the network slow?'],
  [/without an answer/, 'is this the right port, and does anything between close connections?'],
];

const LONGEST = 160;

/** One line, whatever was said: by Redis, or by what was taken for one. */
export function explain(error: unknown): string {
  const said = meaningOf(messageOf(error));
  const advice = ADVICE.find(([pattern]) => pattern.test(said))?.[1];
  return advice === undefined ? said : `${said}: ${advice}`;
}

/** Of what is underneath; of several addresses tried, that of the first. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return messageOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}

/** Its first sentence, with what is not text escaped. */
function meaningOf(message: string): string {
  const [pattern, meaning] = MEANINGS.find(([each]) => each.test(message)) ?? [/^/, ''];
  const [sentence] = message
    .replace(pattern, meaning)
    .split(/[.:\s]*(?:\n|$)|\.\s|, with args beginning with/, 1) as [string];
  const printable = sentence.replaceAll(/[^\P{C}]|[\p{Zl}\p{Zp}]/gu, escape);
  return printable.length > LONGEST ? `${printable.slice(0, LONGEST)}…` : printable;
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
