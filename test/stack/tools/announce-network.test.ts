/**
 * Whom `gsls announce` talks to: it runs in a network of its own, with one way out, on which every packet is counted.
 * Game servers and service are on the loopback device there.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { startProgram, type RunningProcess } from '../../support/processes.ts';
import { PROGRAM } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** No other test has this process id. */
const NET = `gsls-announce-${process.pid}`;
const PORT = 53_600;
/** Of documentation (RFC 5737): behind the way out. */
const ELSEWHERE = '203.0.113.9';

const ip = (...words: readonly string[]): string => execFileSync('ip', words, { encoding: 'utf8' });

/** Packets on the way out. */
function countSent(): number {
  const [{ stats64 }] = JSON.parse(ip('-n', NET, '-s', '-j', 'link', 'show', 'out')) as [
    { readonly stats64: { readonly tx: { readonly packets: number } } },
  ];
  return stats64.tx.packets;
}

const inside = (...args: readonly string[]): RunningProcess =>
  startProgram('ip', ['netns', 'exec', NET, process.execPath, ...PROGRAM, ...args]);

const said = ({ lines }: RunningProcess, text: string): number =>
  lines.filter((line) => line.includes(text)).length;

needs('ip', 'network namespaces').describe('the network of gsls announce', () => {
  const newPath = useDirectory();

  before(() => {
    ip('netns', 'add', NET);
    ip('-n', NET, 'link', 'set', 'lo', 'up');
    ip('-n', NET, 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'sink');
    // IPv6 asks for its neighbours by itself.
    for (const link of ['out', 'sink']) {
      ip('-n', NET, 'link', 'set', link, 'addrgenmode', 'none');
      ip('-n', NET, 'link', 'set', link, 'up');
    }
    ip('-n', NET, 'address', 'add', '192.0.2.2/24', 'dev', 'out');
    ip('-n', NET, 'route', 'add', 'default', 'via', '192.0.2.1');
  });
  after(() => ip('netns', 'delete', NET));

  it('has its game servers and services, and nobody else', async () => {
    const [state, config] = [newPath(), newPath()];
    writeFileSync(state, JSON.stringify({ server_name: 'By file', players: 1, max_players: 8 }));
    const program = `"${process.execPath}" -p "JSON.stringify({ players: 3 })"`;
    writeFileSync(
      config,
      JSON.stringify({
        to: `http://127.0.0.1:${PORT}`,
        'query-interval': 2,
        servers: [
          { state, port: 7777 },
          {
            exec: program,
            port: 7778,
            name: 'By exec',
            'max-players': 4,
            'query-interval': 20,
            'query-timeout': 19_000,
          },
          { query: 'a2s 127.0.0.1:27015' },
        ],
      }),
    );
    const service = inside('--port', String(PORT), '--host', '127.0.0.1', '--ttl', '3');
    await until(() => said(service, 'listening on') > 0, service);
    const before = countSent();
    const announce = inside('announce', '--config', config, '--token-dir', newPath(), '--ops-port', '0');
    await until(() => said(announce, 'listed as') === 2 && said(announce, 'is away') === 1, announce);
    expect(await announce.stop('SIGTERM')).to.equal(0);
    expect(said(announce, 'left the list')).to.equal(2);
    await service.stop('SIGKILL');
    expect(countSent() - before).to.equal(0);
  });

  it('would be seen to be another', async () => {
    const state = newPath();
    writeFileSync(state, JSON.stringify({ server_name: 'By file', players: 1, max_players: 8 }));
    const before = countSent();
    const to = ['--to', `http://${ELSEWHERE}`, '--token-dir', newPath()];
    const announce = inside('announce', ...to, '--state', state, '--port', '7777');
    await until(() => countSent() > before, announce);
    await announce.stop('SIGKILL');
  });
});
