/**
 * `npm run bench:start`: how long the program takes to start, as ratios to Node itself in alternation, and the memory
 * of a service in memory whose game servers were listed a while ago.
 */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../../test/support/program.ts';
import { Poster } from '../support/game-servers.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readUsage } from '../support/usage.ts';
import { startCommand, startInMemory, startToOutput, type Start } from './starts.ts';

const { rounds, servers, idle, folder, json } = readOptions('bench:start', {
  rounds: [21, 'in which each start is measured once'],
  servers: [10_000, 'that are listed for the memory; 0 leaves it out'],
  idle: [150, 's without a request before the memory is read'],
  folder: ['', 'of another checkout with a build, to measure that one'],
  json: [false, 'for programs'],
});

const PROGRAM = join(folder === '' ? ROOT : folder, 'dist/cli.js');
/** Nobody pings, and all stay listed. */
const LONG_TTL = '--ttl=86400';
const MOST_MB = 90;
const MB = 1e6;

const FLOOR = 'node -e 0';

/** The most that a start may take, as a multiple of the floor. */
const GOALS: readonly (readonly [RegExp, number])[] = [
  [/--help$/, 1.5],
  [/(answer|output)$/, 3],
];

/** Ask this service, which lists one game server. */
const asked = await startInMemory(PROGRAM);
await new Poster(asked.url).list(1);
const state = join(mkdtempSync(join(tmpdir(), 'gsls-start-')), 'state.json');
writeFileSync(state, '{"server_name":"Frankfurt 1","players":3,"max_players":16}');

/** Those that end, and those that go on until they are told to stop. */
const ENDING: Readonly<Record<string, readonly string[]>> = {
  list: ['list', asked.url],
  doctor: ['doctor', asked.url, '127.0.0.1:7777'],
  announce: [
    'announce',
    '--to',
    asked.url,
    '--state',
    state,
    '--state-max-age',
    '0',
    '--port',
    '7777',
    '--dry-run',
  ],
};
const LASTING: Readonly<Record<string, readonly string[]>> = {
  watch: ['watch', asked.url],
  simulate: ['simulate', asked.url, '--servers', '1'],
};
const startsOf = (
  commands: Readonly<Record<string, readonly string[]>>,
  start: (args: readonly string[]) => Promise<Start>,
): Readonly<Record<string, () => Promise<Start>>> =>
  Object.fromEntries(
    Object.entries(commands).flatMap(([name, words]) => [
      [`gsls ${name} --help`, () => startCommand([PROGRAM, name, '--help'])],
      [`gsls ${name}, first output`, () => start([PROGRAM, ...words])],
    ]),
  );

const STARTS: Readonly<Record<string, () => Promise<Start>>> = {
  [FLOOR]: () => startCommand(['-e', '0']),
  'gsls --help': () => startCommand([PROGRAM, '--help']),
  'gsls --version': () => startCommand([PROGRAM, '--version']),
  'gsls healthcheck': () => startCommand([PROGRAM, 'healthcheck', '--port=1']),
  async 'gsls, first answer'() {
    const service = await startInMemory(PROGRAM);
    await service.end();
    return service.start;
  },
  ...startsOf(ENDING, startCommand),
  ...startsOf(LASTING, startToOutput),
};

interface Row extends Start {
  readonly name: string;
  readonly wallRatio: number;
  readonly cpuRatio: number;
}

async function measureStarts(): Promise<Row[]> {
  const measured = new Map<string, Start[]>(Object.keys(STARTS).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of Object.entries(STARTS)) measured.get(name)!.push(await start());
  const medians = [...measured].map(([name, starts]) => ({
    name,
    wallMs: median(starts.map(({ wallMs }) => wallMs)),
    cpuMs: median(starts.map(({ cpuMs }) => cpuMs)),
  }));
  const floor = medians[0]!;
  return medians.map((each) => ({
    ...each,
    wallRatio: each.wallMs / floor.wallMs,
    cpuRatio: each.cpuMs / floor.cpuMs,
  }));
}

interface Memory {
  readonly startedMb: number;
  readonly listedMb: number;
  readonly idleMb: number;
}

async function measureMemory(): Promise<Memory> {
  const service = await startInMemory(PROGRAM, [LONG_TTL]);
  const rssMb = (): number => readUsage(service.pid).rssBytes / MB;
  const startedMb = rssMb();
  await new Poster(service.url).list(servers);
  const listedMb = rssMb();
  await delay(1000 * idle);
  const idleMb = rssMb();
  await service.end();
  return { startedMb, listedMb, idleMb };
}

function goalOf({ name, wallRatio }: Row): string {
  const most = GOALS.find(([pattern]) => pattern.test(name))?.[1];
  return most === undefined ? '' : `≤ ${most} × ${wallRatio <= most ? '✓' : '✗'}`;
}

function printStarts(starts: readonly Row[], memory: Memory | undefined): string {
  const lines = [
    `Node ${process.version}, medians of ${rounds} alternated rounds; × is the ratio to ${FLOOR}`,
    '',
    ...tableOf(starts, [
      ['start', ({ name }) => name],
      ['ms', ({ wallMs }) => wallMs.toFixed(0)],
      ['CPU ms', ({ cpuMs }) => cpuMs.toFixed(0)],
      ['×', ({ wallRatio }) => wallRatio.toFixed(2)],
      ['× CPU', ({ cpuRatio }) => cpuRatio.toFixed(2)],
      ['goal', goalOf],
    ]),
    '',
  ];
  if (memory === undefined) return lines.join('\n');
  const { startedMb, listedMb, idleMb } = memory;
  return [
    ...lines,
    `Resident memory (VmRSS) in MB: ${startedMb.toFixed(0)} after the first answer, ${listedMb.toFixed(0)} once ` +
      `${servers} game servers were broadcast, ${idleMb.toFixed(0)} after ${idle} s without a request ` +
      `(goal: ≤ ${MOST_MB} ${idleMb <= MOST_MB ? '✓' : '✗'})`,
    '',
  ].join('\n');
}

const starts = await measureStarts();
await asked.end();
const memory = servers === 0 ? undefined : await measureMemory();
printResult(json, { starts, memory }, () => printStarts(starts, memory));
process.exit();
