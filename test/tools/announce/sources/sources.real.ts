/**
 * The game servers of Debian, unchanged, asked as a sidecar does. None knows a master server: they talk to us alone.
 */

import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GameState, QueryKind, Reading } from '../../../../src/tools/announce/sources/game-state.ts';
import { createQuery } from '../../../../src/tools/announce/sources/query.ts';
import { startDdnetServer } from '../../../support/ddnet/ddnet-server.ts';
import { freePort } from '../../../support/free-port.ts';
import { findProgram, needs } from '../../../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../../../support/processes.ts';
import { until } from '../../../support/until.ts';

type Started = RunningProcess & { readonly port: number };

describe('a game server of Debian', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gsls-sources-'));
  });
  afterEach(async () => {
    await endProcesses();
    await rm(home, { recursive: true, force: true });
  });

  async function startOpenArena(): Promise<Started> {
    const port = await freePort();
    const settings = {
      net_ip: '127.0.0.1',
      net_enabled: 1,
      net_port: port,
      // 2 would be announced at public master servers.
      dedicated: 1,
      sv_hostname: '^1Red ^7Arena',
      sv_maxclients: 12,
      sv_privateclients: 2,
    };
    const sets = Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)]);
    const program = startProgram(findProgram('openarena-server')!, [...sets, '+map', 'oa_dm1'], {
      HOME: home,
    });
    return Object.assign(program, { port });
  }

  async function startTeeworlds(): Promise<Started> {
    const port = await freePort();
    const settings = `bindaddr 127.0.0.1; sv_port ${port}; sv_register 0; sv_name Tee party; sv_max_clients 9; password x`;
    const program = startProgram(findProgram('teeworlds-server')!, [settings], { HOME: home }, home);
    return Object.assign(program, { port });
  }

  needs('openarena-server').it('tells its state by getinfo and getstatus: OpenArena', async () => {
    await expectTold('quake3', await startOpenArena(), {
      name: 'Red Arena',
      players: 0,
      maxPlayers: 10,
      map: 'oa_dm1',
      mode: 'ffa',
      password: false,
    });
  });

  needs('teeworlds-server').it('tells its state by the query of 0.7: Teeworlds', async () => {
    await expectTold('teeworlds', await startTeeworlds(), {
      name: 'Tee party',
      players: 0,
      maxPlayers: 9,
      map: 'dm1',
      mode: 'DM',
      password: true,
    });
  });

  needs('DDNet-Server').it('tells its state by the extended query of 0.6: DDNet', async () => {
    const server = await startDdnetServer({
      // Nobody listens there.
      registerUrl: 'http://127.0.0.1:9',
      name: 'Race',
      register: '0',
    });
    await expectTold('teeworlds', server, {
      name: 'Race',
      players: 0,
      maxPlayers: 64,
      map: 'Tutorial',
      password: false,
    });
  });
});

/** What it tells once it runs; and after its end it tells nothing. */
async function expectTold(kind: QueryKind, server: Started, state: GameState): Promise<void> {
  const source = createQuery(kind, { host: 'localhost', port: server.port }, { timeoutMs: 3000 });
  const read = (): Promise<Reading> => source.read(new AbortController().signal);
  let reading: Reading | undefined;
  await until(async () => (reading = await read()).is === 'told', server);
  expect(reading).to.have.property('state').that.includes(state);
  await server.stop('SIGKILL');
  expect((await read()).is).to.be.oneOf(['silent', 'refused']);
}
