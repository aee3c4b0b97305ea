/**
 * `npm run bench -- fleet`: very many simulated game servers on real replicas, a real Redis and HAProxy. Says what each
 * part costs, what one core carries, and, with --storm, that no living game server is lost when something breaks.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Fleet, LONGEST_INTERVAL, PINGS_A_TTL, type FleetOptions, type SettledPhase } from './fleet.ts';
import { startLoad } from './load.ts';
import { createResult, type FleetResult, type Memory } from './result.ts';
import { startSite, type Site } from './site.ts';
import { readOptions } from '../support/options.ts';
import { HOST } from '../support/processes.ts';
import { printResult } from '../support/table.ts';
import { mostNew, STORMS } from './storms.ts';
import { printFleet } from './table.ts';
import { LONGEST_DELAY_MS } from './timing-wheel.ts';

/** What two cores carry beside the load itself: with more game servers they ping at longer intervals. */
const MOST_PINGS_PER_SECOND = 4000;
const USUAL_PING_INTERVAL_S = 20;
/** With longer lists readers come at longer intervals, up to the longest. */
const SERVERS_PER_READER_SECOND = 10_000;
const LONGEST_READER_PAUSE_S = 10;

const values = readOptions('fleet', {
  servers: [10_000, 'simulated game servers'],
  replicas: [3, '1 to 8, behind HAProxy where it is installed'],
  'ping-interval': [
    0,
    's between the pings of a game server, ± 10 %; the TTL is three of them. 0: ' +
      `${USUAL_PING_INTERVAL_S}, and longer where two cores would not carry the pings with the load`,
  ],
  seconds: [60, 'the steady phase lasts'],
  readers: [
    8,
    'of the list, every fourth in plain JSON, the others in gzip with If-None-Match; each pauses for 1 s, ' +
      `up to ${LONGEST_READER_PAUSE_S} s from ${LONGEST_READER_PAUSE_S * SERVERS_PER_READER_SECOND} game servers on`,
  ],
  changed: [0.1, 'the share of pings that change the number of players'],
  connections: [
    2000,
    'that the game servers share at most; one is opened when all others wait for an answer',
  ],
  storm: [false, 'then plays the storms'],
  storms: [Object.keys(STORMS).join(','), 'only these'],
  outage: [120, 's that Redis stands in the storm of this name, and is away in the storm death'],
  json: [false, 'for programs'],
});

function createOptions(): FleetOptions {
  const { servers, replicas, seconds, readers, changed, connections, outage: outageS } = values;
  const stretchedS = Math.max(USUAL_PING_INTERVAL_S, Math.ceil(servers / MOST_PINGS_PER_SECOND));
  const pingIntervalS = values['ping-interval'] || stretchedS;
  const pauseS = Math.min(LONGEST_READER_PAUSE_S, Math.max(1, servers / SERVERS_PER_READER_SECOND));
  const longestIntervalS = Math.floor(LONGEST_DELAY_MS / 1000 / LONGEST_INTERVAL);
  if (!(replicas >= 1 && replicas <= 8)) throw new Error('--replicas must be 1 to 8: HAProxy knows nine');
  if (!(Number.isInteger(pingIntervalS) && pingIntervalS <= longestIntervalS))
    throw new Error(`--ping-interval must be whole seconds, at most ${longestIntervalS}`);
  const readerPauseMs = 1000 * pauseS;
  return { servers, replicas, pingIntervalS, seconds, readers, readerPauseMs, changed, connections, outageS };
}

async function measureMemory({ redis, replicas }: Site): Promise<Memory> {
  const client = new Redis(redis.port);
  const memory = await client.info('memory');
  client.disconnect();
  const probes = await Promise.all(replicas.map((replica) => replica.probe('collect')));
  const mean = (key: 'heapBytes' | 'rssBytes'): number =>
    probes.reduce((sum, probe) => sum + probe[key], 0) / probes.length;
  const field = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(memory)![1]);
  return {
    redisBytes: field('used_memory'),
    redisDatasetBytes: field('used_memory_dataset'),
    replicaHeapBytes: mean('heapBytes'),
    replicaRssBytes: mean('rssBytes'),
  };
}

async function run(options: FleetOptions): Promise<FleetResult> {
  const { servers, pingIntervalS } = options;
  const site = await startSite({ replicas: options.replicas, ttlS: PINGS_A_TTL * pingIntervalS });
  const empty = await measureMemory(site);
  const front = { host: HOST, port: site.frontPort };
  const load = await startLoad(
    {
      ...front,
      capacity: servers + mostNew(servers),
      connections: options.connections,
      pingIntervalMs: 1000 * pingIntervalS,
      changed: options.changed,
    },
    {
      ...front,
      readers: options.readers,
      pauseMs: options.readerPauseMs,
      replicaPorts: site.replicas.map(({ port }) => port),
    },
  );
  const fleet = new Fleet(options, site, load);
  try {
    fleet.expected = servers;
    const wave = await fleet.settle(
      'all broadcast, as fast as they are answered',
      () => load.start(servers),
      { limitMs: Infinity },
    );
    // Those that broadcast within some seconds would ping within some seconds, for a long time.
    await load.pingAllWithin(1000 * pingIntervalS);
    const steady = await fleet.measure('steady', () => delay(1000 * options.seconds).then(() => undefined));
    const full = await measureMemory(site);
    const { readers } = await load.report();
    const storms: SettledPhase[] = [];
    if (values.storm) for (const name of values.storms.split(',')) storms.push(await STORMS[name]!(fleet));
    return createResult({ options, wave, steady, storms, empty, full, readers });
  } finally {
    await load.close();
    await site.close();
  }
}

const unknown = values.storms.split(',').filter((name) => !Object.hasOwn(STORMS, name));
if (unknown.length > 0) throw new Error(`there is no storm ${unknown.join(', ')}`);
const result = await run(createOptions());
printResult(values.json, result, () => printFleet(result));
process.exit(result.nothingLost ? 0 : 1);
