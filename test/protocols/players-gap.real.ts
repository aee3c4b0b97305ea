/** A real game server that is empty, and whose announcement claims 60 players: it leads the numbers that do not fit. */

import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { openArenaCommand } from '../support/dpmaster/openarena.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startProgram } from '../support/processes.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';

interface Told {
  readonly name: string;
  readonly players: number;
  readonly players_seen?: number;
  readonly players_gap?: number;
}

describe('the query of Quake III', () => {
  const newPath = useDirectory();
  let service: Service;
  afterEach(async () => {
    await endProcesses();
    await service.close();
  });

  needs('openarena-server').it('finds that nobody is where an announcement claims 60 players', async () => {
    service = await startTestService({
      GSLS_VERIFY: 'quake3',
      GSLS_VERIFY_NETWORKS: 'loopback',
      GSLS_UNVERIFIED: 'show',
      GSLS_ADMIN_KEY: 'boss',
      GSLS_PLAYERS_SEEN: 'true',
    });
    const port = await freePort();
    const [command, ...args] = openArenaCommand('127.0.0.1', port, '127.0.0.1:1');
    const program = startProgram(command, args, { HOME: newPath() });
    await until(() => program.lines.some((line) => line.includes('AAS initialized')), program);
    for (const [server_name, players] of [
      ['honest', 0],
      ['liar', 60],
      ['small liar', 7],
    ] as const) {
      const said = { players, max_players: 64, server_ip: '127.0.0.1', server_port: port };
      await ask(service, 'POST /broadcast', { body: aBroadcast({ server_name, ...said }) });
    }
    const headers = { Authorization: 'boss' };
    const listed = async (path: string): Promise<readonly Told[]> =>
      (JSON.parse((await ask(service, `GET ${path}`, { headers })).text) as { servers: Told[] }).servers;
    const byGap = (): Promise<readonly Told[]> => listed('/admin/servers?sort=-players_gap');
    await until(async () => (await byGap()).every(({ players_seen: seen }) => seen !== undefined), program);
    expect((await byGap()).map(({ name, players, players_gap: gap }) => [name, players, gap])).to.deep.equal([
      ['liar', 60, 60],
      ['small liar', 7, 7],
      ['honest', 0, 0],
    ]);
    expect((await listed('/servers')).map(({ players }) => players)).to.deep.equal([0, 0, 0]);
    expect((await listed('/')).map(({ players }) => players)).to.deep.equal([0, 60, 7]);
  });
});
