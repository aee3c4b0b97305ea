/**
 * The query `getinfo` of Quake III and its family, such as OpenArena and Xonotic. Its reply is `infoResponse`, a line
 * feed, and `\key\value\key\value`, as SVC_Info() in code/server/sv_main.c of ioquake/ioq3 writes it. Of that only the
 * number of players is read. `g_humanplayers` of ioquake3 counts people. `clients` counts bots as well, and DarkPlaces
 * tells these apart as `bots`.
 */

import { randomBytes } from 'node:crypto';
import { MOST_PLAYERS, peopleAmong } from '../../model/game-server.ts';
import type { Attempt } from './attempt.ts';
import { OTHER, queryUdp, type Meaning } from './query-udp.ts';

const HEAD = '\u00ff\u00ff\u00ff\u00ff';
const INFO = `${HEAD}infoResponse\n`;

/** How many bytes of a reply are read: more than any engine puts into a packet. */
const MOST_BYTES = 2048;

export function queryQuake3(attempt: Attempt): void {
  const challenge = randomBytes(6).toString('hex');
  queryUdp(attempt, Buffer.from(`${HEAD}getinfo ${challenge}`, 'latin1'), (datagram) =>
    readQuake3(datagram, challenge),
  );
}

/** A reply may leave the challenge out, as some games do, but has no other one. */
export function readQuake3(datagram: Buffer, challenge: string): Meaning {
  const text = datagram.toString('latin1', 0, MOST_BYTES);
  if (!text.startsWith(INFO)) return OTHER;
  const [, ...words] = text.slice(INFO.length).split('\\');
  const said = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2)
    if (!said.has(words[at]!)) said.set(words[at]!, words[at + 1]!);
  if ((said.get('challenge') ?? challenge) !== challenge) return OTHER;
  const people =
    countIn(said.get('g_humanplayers')) ??
    peopleAmong(countIn(said.get('clients')) ?? NaN, countIn(said.get('bots')) ?? 0);
  return { is: 'reply', players: Number.isNaN(people) ? undefined : people };
}

/** Undefined for what is no number of players. */
function countIn(text = ''): number | undefined {
  return /^\d{1,7}$/.test(text) && Number(text) <= MOST_PLAYERS ? Number(text) : undefined;
}
