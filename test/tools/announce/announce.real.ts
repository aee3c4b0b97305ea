/** OpenArena of Debian, unchanged, kept listed by `gsls announce`: how soon it is there, gone, and back. */

import { expect } from 'chai';
import type { ListedBody } from '../../support/builders.ts';
import { ask } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { findProgram, needs } from '../../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../../support/processes.ts';
import { startCli, startListeningCli, type Cli, type ListeningCli } from '../../support/start-cli.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const TTL_S = 6;
const QUERY_INTERVAL_S = 2;

needs('openarena-server').describe('gsls announce beside OpenArena', () => {
  const newPath = useDirectory();
  let service: ListeningCli;
  let announce: Cli;
  let port: number;
  before(async () => {
    port = await freePort();
    service = await startListeningCli(['--ttl', String(TTL_S)]);
    const query = ['--query', 'quake3', `127.0.0.1:${port}`, '--query-interval', String(QUERY_INTERVAL_S)];
    announce = startCli(['announce', '--to', service.url, '--token-dir', newPath(), ...query]);
  });
  after(async () => {
    announce.kill('SIGKILL');
    await service.stop();
    await endProcesses();
  });

  function startGame(): RunningProcess {
    const settings = {
      net_ip: '127.0.0.1',
      net_enabled: 1,
      net_port: port,
      dedicated: 1,
      sv_hostname: '^1Red',
    };
    const sets = Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)]);
    return startProgram(findProgram('openarena-server')!, [...sets, '+map', 'oa_dm1'], { HOME: newPath() });
  }

  const listed = async (): Promise<ListedBody | undefined> =>
    (await ask(service, 'GET /servers')).body.servers![0];

  const said = (text: string): number => announce.log.filter(({ msg }) => msg.startsWith(text)).length;

  it('lists it, lets it leave when it is killed, and has it back with its id', async () => {
    const first = startGame();
    await until(async () => (await listed()) !== undefined, first);
    expect(await listed()).to.include({ name: 'Red', map: 'oa_dm1', port, players: 0 });
    const { id } = (await listed())!;

    const killedAt = performance.now();
    await first.stop('SIGKILL');
    await until(async () => (await listed()) === undefined);
    const goneWithinS = (performance.now() - killedAt) / 1000;
    expect(goneWithinS).to.be.below(3 * QUERY_INTERVAL_S + TTL_S + 2);

    const second = startGame();
    await until(() => said('The game server answers') === 2, second);
    const answeredAt = performance.now();
    await until(async () => (await listed()) !== undefined, second);
    expect((performance.now() - answeredAt) / 1000).to.be.below(2 * QUERY_INTERVAL_S);
    expect((await listed())!.id).to.equal(id);

    announce.kill('SIGTERM');
    expect((await announce.exited).code).to.equal(0);
    expect(await listed()).to.equal(undefined);
  });
});
