/**
 * nginx before the UDP ports of two replicas, with deploy/nginx/dpmaster-udp.conf and the routes that it asks for, in
 * networks of their own: game servers are listed under their own addresses, and each keeps to one replica.
 */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { PROGRAM } from '../../support/program.ts';
import { replaceEach } from '../../support/replace-each.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const CONFIGURATION = 'deploy/nginx/dpmaster-udp.conf';
const GAME_SERVERS = fileURLToPath(
  new URL('../../support/dpmaster/game-servers-process.mjs', import.meta.url),
);
const COUNT = 40;
const ADDRESSES = ['10.0.1.2', ...Array.from({ length: 7 }, (_, n) => `10.0.1.${11 + n}`)];
const REPLICAS = ['10.0.2.2', '10.0.3.2'];

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
const inside = (net: string, ...command: readonly string[]): string =>
  execFileSync('ip', ['netns', 'exec', net, ...command], { encoding: 'utf8', stdio: 'pipe' });

interface Shown {
  readonly ip: string;
  readonly name: string;
}

needs('network namespaces', 'ip', 'iptables', 'nginx', 'redis-server', 'curl').describe(
  'nginx before the UDP ports of replicas',
  () => {
    const newPath = useDirectory();
    const running: ChildProcess[] = [];
    const nets = { games: '', balancer: '', one: '', two: '' };
    for (const name of Object.keys(nets) as (keyof typeof nets)[])
      nets[name] = `gsls${process.pid}${name.slice(0, 2)}`;

    function start(net: string, ...command: readonly string[]): void {
      // Without the variables of a lane: the service refuses those that it does not know.
      const env = { PATH: process.env['PATH'] };
      running.push(spawn('ip', ['netns', 'exec', net, ...command], { stdio: 'ignore', env }));
    }
    function connect(net: string, device: string, subnet: string): void {
      ip('link', 'add', 'eth0', 'netns', net, 'type', 'veth', 'peer', device, 'netns', nets.balancer);
      ip('-n', net, 'address', 'add', `${subnet}.2/24`, 'dev', 'eth0');
      ip('-n', nets.balancer, 'address', 'add', `${subnet}.1/24`, 'dev', device);
      ip('-n', net, 'link', 'set', 'eth0', 'up');
      ip('-n', nets.balancer, 'link', 'set', device, 'up');
      ip('-n', net, 'route', 'add', 'default', 'via', `${subnet}.1`);
      inside(nets.balancer, 'sysctl', '-qw', `net.ipv4.conf.${device}.rp_filter=0`);
    }

    before(() => {
      for (const net of Object.values(nets)) {
        ip('netns', 'add', net);
        ip('-n', net, 'link', 'set', 'lo', 'up');
      }
      inside(nets.balancer, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
      connect(nets.games, 'games', '10.0.1');
      connect(nets.one, 'one', '10.0.2');
      connect(nets.two, 'two', '10.0.3');
      for (const address of ADDRESSES.slice(1))
        ip('-n', nets.games, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      // The commands of the comment, word for word.
      for (const [, command] of readFileSync(CONFIGURATION, 'utf8').matchAll(/^# {3}(\S.*)$/gm))
        inside(nets.balancer, 'sh', '-c', command!.replace(/^sysctl /, 'sysctl -qw '));
    });

    after(async () => {
      for (const child of running)
        if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close');
      for (const net of Object.values(nets)) ip('netns', 'delete', net);
    });

    const listed = (replica: string): readonly Shown[] => {
      const url = `http://${replica}:53600/servers?protocol=dpmaster&limit=100`;
      const page = JSON.parse(inside(nets.balancer, 'curl', '-s', url)) as { readonly servers: Shown[] };
      return page.servers;
    };
    const answersOf = (replica: string, path: string): boolean => {
      try {
        inside(nets.balancer, 'curl', '-sf', `http://${replica}:53600${path}`);
        return true;
      } catch {
        return false;
      }
    };

    it('lists game servers under their own addresses, each by one replica', async () => {
      start(nets.balancer, 'redis-server', '--port', '6379', '--save', '', '--protected-mode', 'no');
      for (const [net, gateway] of [
        [nets.one, '10.0.2.1'],
        [nets.two, '10.0.3.1'],
      ] as const)
        start(
          net,
          process.execPath,
          ...PROGRAM,
          '--host=0.0.0.0',
          '--port=53600',
          `--redis=redis://${gateway}`,
          '--dpmaster-port=27950',
        );
      await until(() => REPLICAS.every((replica) => answersOf(replica, '/health')));
      const configuration = newPath();
      const stream = replaceEach(readFileSync(CONFIGURATION, 'utf8'), [
        ['10.0.0.6', REPLICAS[0]!],
        ['10.0.0.7', REPLICAS[1]!],
      ]);
      writeFileSync(
        configuration,
        `load_module modules/ngx_stream_module.so;\nuser root;\ndaemon off;\npid ${newPath()};\nerror_log stderr;\nevents {}\n${stream}`,
      );
      start(nets.balancer, 'nginx', '-c', configuration);
      await until(() => inside(nets.balancer, 'ss', '-lun').includes(':27950'));

      const [program, addresses] = [process.execPath, ADDRESSES.join(',')];
      start(nets.games, program, GAME_SERVERS, '10.0.1.1', '27950', addresses, String(COUNT));
      await until(() => REPLICAS.every((replica) => listed(replica).length === COUNT));
      for (const { ip: shown, name } of listed(REPLICAS[0]!))
        expect(shown, name).to.equal(ADDRESSES[Number(name.split(' ')[1]) % ADDRESSES.length]);
      const taken = REPLICAS.map((replica) => {
        const text = inside(nets.balancer, 'curl', '-s', `http://${replica}:53600/metrics`);
        const count = (outcome: string): number =>
          valueOf(text, 'gsls_protocol_total', { protocol: 'dpmaster', outcome });
        // Whoever has asked has the answer as well, and no other.
        expect(count('listed') + count('refreshed')).to.be.at.most(count('challenged'));
        return count('listed');
      });
      expect(taken[0]! + taken[1]!).to.equal(COUNT);
      expect(Math.min(...taken)).to.be.above(0);
    });
  },
);
