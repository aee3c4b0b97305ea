/**
 * `npm run bench:flood`: packets of forged senders at the UDP port of dpmaster. Says what a refused packet costs, how
 * much goes out, and what the pings over HTTP notice. The same packets are sent to a port that nobody reads, too: what
 * the pings notice of that is the sender's use of the machine.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { LIST_BYTES_PER_SECOND } from '../../src/protocols/dpmaster/limits.ts';
import { UdpPlayer } from '../../test/support/dpmaster/udp-player.ts';
import { freePort } from '../../test/support/free-port.ts';
import { Poster } from '../support/game-servers.ts';
import { addDuration, createCounts, summarize } from '../support/histogram.ts';
import { median, medianOfEach } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { HOST, startService, Worker } from '../support/processes.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readPreciseCpuUs } from '../support/usage.ts';
import type { Flood, Forged, ForgerOrder } from './forger-process.ts';

const options = readOptions('bench:flood', {
  servers: [600, 'game servers of dpmaster that are listed'],
  addresses: [10_000, 'that the packets come from, of 127.0.0.0/8'],
  pings: [100, 'a second over HTTP beside them'],
  seconds: [3, 'each measurement lasts'],
  rounds: [5, 'of each in turn, of which the medians count'],
  json: [false, 'for programs'],
});

/** Of the sender, which would have a machine of its own. */
const NICENESS = 10;
const PINGING = 100;

const packetOf = (text: string): Buffer => Buffer.from(`\xff\xff\xff\xff${text}`, 'latin1');
const LIST = packetOf('getservers Testing 3 empty full');
const HEARTBEAT = packetOf('heartbeat DarkPlaces\n');

interface Measured {
  readonly sentPerSecond: number;
  /** The system drops what the service does not read in time: that is neither refused nor asked. */
  readonly refusedPerSecond: number;
  readonly challengedPerSecond: number;
  readonly outBytesPerSecond: number;
  readonly cpuShare: number;
  readonly pingP50Ms: number;
  readonly pingP99Ms: number;
}

const dpmasterPort = await freePort();
const service = await startService({
  flags: [
    '--log-level=error',
    `--dpmaster-port=${dpmasterPort}`,
    `--dpmaster-host=${HOST}`,
    '--max-servers-per-address=1000',
  ],
});
// Nobody listens to its messages: Node reads none.
const unread = createSocket('udp4').bind({ address: HOST, port: 0 });
await once(unread, 'listening');

/** Each from an address of its own, because one may not answer that often. */
async function listGameServers(): Promise<void> {
  for (let n = 0; n < options.servers; n += 1) {
    const player = await UdpPlayer.open(dpmasterPort, HOST, `127.0.${1 + (n >> 8)}.${n & 255}`);
    await player.heartbeat();
    await player.close();
  }
}

async function readCounts(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = text.matchAll(/^gsls_protocol_total\{protocol="dpmaster",outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome!, Number(count)]));
}

await listGameServers();
const poster = new Poster(service.url);
const pinging = await poster.list(PINGING);
const forger = new Worker(new URL('forger-process.ts', import.meta.url));
setPriority(forger.pid, NICENESS);
await forger.ask({ order: 'open', addresses: options.addresses } satisfies ForgerOrder);

const NOTHING_SENT: Forged = { sent: 0, receivedBytes: 0, seconds: options.seconds };

/** `flood`: undefined for the pings alone. */
async function measure(flood?: Flood): Promise<Measured> {
  const durations = createCounts();
  const [before, cpuBefore] = [await readCounts(), readPreciseCpuUs(service.pid!)];
  const stopPinging = atPace(options.pings, (n) => {
    const beganAt = performance.now();
    const note = (): void => addDuration(durations, performance.now() - beganAt);
    poster.ping(pinging[n % PINGING]!, n % 32).then(note, note);
  });
  const { sent, receivedBytes, seconds } =
    flood === undefined
      ? await delay(1000 * options.seconds, NOTHING_SENT)
      : await forger.ask<Forged>({ order: 'send', ...flood, seconds: options.seconds } satisfies ForgerOrder);
  stopPinging();
  const cpuUs = readPreciseCpuUs(service.pid!) - cpuBefore;
  const after = await readCounts();
  const since = (outcome: string): number => (after[outcome] ?? 0) - (before[outcome] ?? 0);
  const { p50Ms, p99Ms } = summarize(durations);
  return {
    sentPerSecond: sent / seconds,
    refusedPerSecond: since('limited') / seconds,
    challengedPerSecond: since('challenged') / seconds,
    outBytesPerSecond: receivedBytes / seconds,
    cpuShare: cpuUs / seconds / 1e6,
    pingP50Ms: p50Ms,
    pingP99Ms: p99Ms,
  };
}

/** But for the first ten. */
const REFUSED = 'getservers of one address';
const { addresses } = options;
const FLOODS: Readonly<Record<string, Flood | undefined>> = {
  'pings alone': undefined,
  'sent to a port that nobody reads': { packet: LIST, port: unread.address().port, addresses },
  [REFUSED]: { packet: LIST, port: dpmasterPort, addresses: 1 },
  'getservers of all': { packet: LIST, port: dpmasterPort, addresses },
  'heartbeats of all': { packet: HEARTBEAT, port: dpmasterPort, addresses },
};
const names = Object.keys(FLOODS);
const rounds: Readonly<Record<string, Measured>>[] = [];
for (let round = 0; round < options.rounds; round += 1) {
  const measured: [string, Measured][] = [];
  for (const name of names) measured.push([name, await measure(FLOODS[name])]);
  rounds.push(Object.fromEntries(measured));
}
await forger.end();
unread.close();
await service.stop();

const result = names.map((name) => {
  const measured = medianOfEach(rounds.map((round) => round[name]!));
  const idle = median(rounds.map((round) => round['pings alone']!.cpuShare));
  return {
    name,
    ...measured,
    /** Where next to nothing is answered: an answer costs more than a refusal. */
    usOfRefused:
      name === REFUSED ? (1e6 * (measured.cpuShare - idle)) / measured.refusedPerSecond : undefined,
    timesP99: median(rounds.map((round) => round[name]!.pingP99Ms / round['pings alone']!.pingP99Ms)),
  };
});
const kb = (bytes: number): string => (bytes / 1000).toFixed(0);
printResult(options.json, { options, limitBytesPerSecond: LIST_BYTES_PER_SECOND, result }, () =>
  [
    `${options.servers} game servers of dpmaster, packets of ${options.addresses} addresses, ` +
      `${options.pings} pings a second; lists are at most ${kb(LIST_BYTES_PER_SECOND)} kB in a second`,
    '',
    ...tableOf(result, [
      ['flood', ({ name }) => name],
      ['packets/s sent', ({ sentPerSecond }) => sentPerSecond.toFixed(0)],
      ['refused/s', ({ refusedPerSecond }) => refusedPerSecond.toFixed(0)],
      ['questions/s', ({ challengedPerSecond }) => challengedPerSecond.toFixed(0)],
      ['kB/s out', ({ outBytesPerSecond }) => kb(outBytesPerSecond)],
      ['of a core', ({ cpuShare }) => `${(100 * cpuShare).toFixed(0)} %`],
      ['µs of a refused one', ({ usOfRefused }) => usOfRefused?.toFixed(1) ?? ''],
      [
        'pings, p50 / p99 ms',
        ({ pingP50Ms, pingP99Ms }) => `${pingP50Ms.toFixed(1)} / ${pingP99Ms.toFixed(1)}`,
      ],
      ['p99 ×', ({ timesP99 }) => timesP99.toFixed(1)],
    ]),
    '',
  ].join('\n'),
);
process.exit(0);
