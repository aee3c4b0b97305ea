/** The game server of OpenArena, on ioquake3 as Debian has it: a service is its only master server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { openArenaCommand } from '../../support/dpmaster/openarena.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../../support/processes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

/** Silence after the farewell, and the look at its port. */
const MOST_FAREWELL_MS = 4000;

describe('dpmaster with programs of others', () => {
  let service: Service;
  let masterPort: number;
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gsls-openarena-'));
    masterPort = await freePort();
    service = await startTestService({
      GSLS_DPMASTER_PORT: String(masterPort),
      GSLS_DPMASTER_HOST: '127.0.0.1',
      GSLS_RATE_LIMIT: 'ping=1000/s',
    });
  });
  afterEach(async () => {
    await endProcesses();
    await service.close();
    await rm(home, { recursive: true, force: true });
  });

  async function rows(): Promise<readonly object[]> {
    return (await ask(service, 'GET /')).body.servers ?? [];
  }

  async function startOpenArena(): Promise<RunningProcess & { readonly port: number }> {
    const port = await freePort();
    const [command, ...args] = openArenaCommand('127.0.0.1', port, `127.0.0.1:${masterPort}`);
    const program = startProgram(command, args, { HOME: home });
    return Object.assign(program, { port });
  }

  needs('openarena-server').it('lists a game server of ioquake3, until that signs off', async () => {
    const server = await startOpenArena();
    await until(async () => (await rows()).length === 1, server);
    const [row] = (await ask(service, 'GET /servers?protocol=dpmaster')).body.servers!;
    expect(row).to.include({
      name: 'Red Arena',
      ip: '127.0.0.1',
      port: server.port,
      players: 0,
      max_players: 12,
      game: 'Quake3Arena',
      map: 'oa_dm1',
      mode: 'ffa',
      password: false,
    });
    await server.stop('SIGTERM');
    const stoppedAt = performance.now();
    await until(async () => (await rows()).length === 0);
    expect(performance.now() - stoppedAt).to.be.below(MOST_FAREWELL_MS);
  });
});
