/**
 * A game server that is asked by a query of its protocol. Its name is looked up at each read, so that a game server
 * that moves is found again; each of its addresses is tried, the one that answered last first.
 */

import { randomBytes } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { QueryKind, QueryTarget, Reading, Source } from './game-state.ts';
import { A2s } from './queries/a2s.ts';
import type { Dialogue, DialogueOutcome, RandomBytes } from './queries/dialogue.ts';
import { Minecraft } from './queries/minecraft.ts';
import { converseOverTcp } from './queries/over-tcp.ts';
import { converseOverUdp } from './queries/over-udp.ts';
import { Quake3 } from './queries/quake3.ts';
import { Teeworlds } from './queries/teeworlds.ts';
import { aborted, createSource, sourceClock, type SourceLimits } from './source.ts';

interface Query {
  readonly transport: 'UDP' | 'TCP';
  /** Completes "answers, but not to …". */
  readonly question: string;
  readonly start: (target: QueryTarget, random: RandomBytes) => Dialogue;
}

const QUERIES: { readonly [Kind in QueryKind]: Query } = {
  a2s: { transport: 'UDP', question: 'A2S_INFO', start: () => new A2s() },
  quake3: { transport: 'UDP', question: 'getinfo and getstatus', start: (_, random) => new Quake3(random) },
  minecraft: { transport: 'TCP', question: 'a Server List Ping', start: (target) => new Minecraft(target) },
  teeworlds: {
    transport: 'UDP',
    question: 'the query of Teeworlds',
    start: (_, random) => new Teeworlds(random),
  },
};

export interface QueryOptions extends SourceLimits {
  /** The addresses of a name; rejects for one that is not known. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  readonly random?: RandomBytes;
}

/** The most addresses that are tried: the time allows no more. */
const MOST_ADDRESSES = 4;

export function createQuery(kind: QueryKind, target: QueryTarget, options: QueryOptions): Source {
  const { timeoutMs, clock = sourceClock, lookup = lookUp, random = randomBytes } = options;
  const { host, port } = target;
  const { transport, question, start } = QUERIES[kind];
  const converse = transport === 'UDP' ? converseOverUdp : converseOverTcp;
  let lastTold: string | undefined;

  const readingOf = (outcome: DialogueOutcome, ip: string): Reading => {
    const name = isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
    const where = `${transport} ${name}${ip === host ? '' : ` (${ip})`}`;
    if (outcome.is === 'told') return outcome;
    if (outcome.is === 'unusable') return { is: 'unusable', why: `${where} ${outcome.why}` };
    if (outcome.is === 'silent')
      return outcome.heard
        ? { is: 'unusable', why: `${where} answers, but not to ${question}: is it the query port?` }
        : {
            is: 'silent',
            why: `no answer on ${where} within ${timeoutMs / 1000} s: does the game server run there?`,
          };
    const { code } = outcome;
    if (code === 'ECONNREFUSED')
      return { is: 'refused', why: `${where} refused the query: is the game server listening?` };
    if (code === 'ECONNRESET') return { is: 'unusable', why: `${where} broke the connection off` };
    return { is: 'silent', why: `${where} cannot be reached${code === '' ? '' : `: ${code}`}` };
  };

  return createSource({ timeoutMs, clock }, async (over) => {
    const found = isIP(host) === 0 ? await addressesOf(host, lookup, over) : [host];
    if (typeof found === 'string') return { is: 'silent', why: found };
    const addresses = found.toSorted((a, b) => Number(b === lastTold) - Number(a === lastTold));
    let reading: Reading = { is: 'silent', why: `${host} has no address` };
    for (const [at, ip] of addresses.entries()) {
      const share = timeoutMs / (addresses.length - at);
      const outcome = await converse({
        dialogue: start(target, random),
        ip,
        port,
        timeoutMs: at === addresses.length - 1 ? timeoutMs : share,
        clock,
        over,
      });
      reading = readingOf(outcome, ip);
      if (reading.is === 'told') lastTold = ip;
      if (over.aborted || reading.is === 'told' || reading.is === 'unusable') break;
    }
    return reading;
  });
}

/** A sentence where there are none. The system goes on with a look-up that nobody waits for any more. */
async function addressesOf(
  host: string,
  lookup: (name: string) => Promise<readonly string[]>,
  over: AbortSignal,
): Promise<readonly string[] | string> {
  const found = lookup(host).then(
    (addresses) => [...new Set(addresses)].slice(0, MOST_ADDRESSES),
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOTFOUND'
        ? `no address is known for ${host}`
        : `the name ${host} cannot be looked up now`,
  );
  const tooLate = aborted(over).then(() => `the look-up of the name ${host} took too long`);
  return Promise.race([found, tooLate]);
}

async function lookUp(name: string): Promise<readonly string[]> {
  const addresses = await systemLookup(name, { all: true, order: 'verbatim' });
  return addresses.map(({ address }) => address);
}
