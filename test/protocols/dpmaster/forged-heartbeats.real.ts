/**
 * The game server of OpenArena, which limits how often it answers, under packets that a third machine sends in its name
 * and in that of its master server. Each of the three is in a network of its own.
 */

import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openArenaCommand } from '../../support/dpmaster/openarena.ts';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../../support/processes.ts';
import { PROGRAM } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const FORGE = fileURLToPath(new URL('../../support/dpmaster/forge-packets.py', import.meta.url));
const HOSTS = { master: '10.214.0.1', game: '10.214.0.2', attacker: '10.214.0.3' };
const MASTER = `${HOSTS.master}:27950`;
const GAME = `${HOSTS.game}:27960`;

const EACH_HOST = Object.keys(HOSTS) as (keyof typeof HOSTS)[];

const ip = (words: string): string =>
  execFileSync('ip', words.split(' '), { encoding: 'utf8', stdio: 'pipe' });
const netOf = (host: keyof typeof HOSTS | 'switch'): string => `gsls${process.pid}${host}`;

function start(host: keyof typeof HOSTS, ...command: readonly string[]): RunningProcess {
  return startProgram('ip', ['netns', 'exec', netOf(host), ...command], { HOME: home() });
}
let home: () => string;

/** How long the last heartbeats have an effect after the program that sent them, in ms. */
const JUDGED_MS = 2000;

const get = (path: string): string =>
  ip(`netns exec ${netOf('master')} curl -s http://127.0.0.1:53600${path}`);

const isListed = (): boolean => get('/').includes('"count":1');

const count = (outcome: string): number =>
  valueOf(get('/metrics'), 'gsls_protocol_total', { protocol: 'dpmaster', outcome });

/** Sends these packets for so many seconds each, all at once, until they have had their effect. */
async function forge(secondsOf: Readonly<Record<string, number>>): Promise<void> {
  const attack = Object.entries(secondsOf).map(([what, s]) => {
    const way = what === 'questions' ? [MASTER, GAME] : [GAME, MASTER];
    return start('attacker', 'python3', FORGE, what, ...way, String(s));
  });
  await until(() => attack.every(({ ended }) => ended));
  expect(attack.flatMap(({ lines }) => lines)).to.deep.equal([]);
  await delay(JUDGED_MS);
}

/** The number of questions to the game server that had no answer. */
const unanswered = (): number => count('challenged') - count('refreshed') - count('listed');

needs('network namespaces', 'ip', 'curl', 'python3', 'openarena-server').describe(
  'forged packets about a game server of ioquake3',
  () => {
    home = useDirectory();
    let game: RunningProcess;

    before(async () => {
      const wires = netOf('switch');
      ip(`netns add ${wires}`);
      ip(`-n ${wires} link add wires type bridge`);
      ip(`-n ${wires} link set wires up`);
      for (const host of EACH_HOST) {
        const net = netOf(host);
        ip(`netns add ${net}`);
        ip(`link add eth0 netns ${net} type veth peer to-${host} netns ${wires}`);
        ip(`-n ${wires} link set to-${host} master wires up`);
        ip(`-n ${net} address add ${HOSTS[host]}/24 dev eth0`);
        for (const device of ['lo', 'eth0']) ip(`-n ${net} link set ${device} up`);
      }
      const service = start('master', process.execPath, ...PROGRAM, '--dpmaster-port=27950');
      await until(() => service.lines.some((line) => line.includes('listening on')), service);
      game = start('game', ...openArenaCommand(HOSTS.game, 27960, MASTER));
      await until(isListed, game);
    });
    after(async () => {
      await endProcesses();
      for (const host of ['switch', ...EACH_HOST] as const) ip(`netns delete ${netOf(host)}`);
    });

    it('do not take it off the list by more heartbeats than it answers questions', async () => {
      const before = unanswered();
      await forge({ heartbeats: 11 });
      expect(unanswered() - before).to.be.at.least(2);
      expect(count('left')).to.equal(0);
    });

    it('do not by questions beside them, which use its answers up', async () => {
      const before = unanswered();
      await forge({ questions: 6, heartbeats: 4 });
      expect(unanswered() - before).to.be.at.least(6);
      expect(count('left')).to.equal(0);
    });

    it('do not by refusals beside these, to each port that may have asked', async () => {
      await forge({ questions: 9, refusals: 8, heartbeats: 4 });
      expect(count('left')).to.equal(0);
    });

    it('leave it the way out: it is off the list when it has ended', async () => {
      await game.stop('SIGTERM');
      await until(() => count('left') === 1);
    });
  },
);
