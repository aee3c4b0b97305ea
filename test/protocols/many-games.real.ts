/** Game servers of others, unchanged, at the registries of one service: each by the address of its own. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { startDdnetServer } from '../support/ddnet/ddnet-server.ts';
import { readAsClient } from '../support/ddnet/read-as-client.ts';
import { openArenaCommand } from '../support/dpmaster/openarena.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startProgram } from '../support/processes.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until, type Dependency } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { luantiRows } from './luanti/luanti-driver.ts';
import { startMinetestServer } from './luanti/minetest-server.ts';

describe('a game server of others at one of several registries', () => {
  const newPath = useDirectory();
  let service: Service;
  let masterPort: number;
  before(async () => {
    masterPort = await freePort();
    const path = newPath();
    writeFileSync(
      path,
      `registries:
  tees: { path: /games/tees, protocols: [ddnet] }
  mines: { protocols: [luanti] }
  arena: { dpmaster-host: 127.0.0.1, dpmaster-port: ${masterPort} }
  other: { protocols: [ddnet, luanti], dpmaster-host: 127.0.0.1, dpmaster-port: ${await freePort()} }
`,
    );
    service = await startTestService({ GSLS_CONFIG: path });
  });
  afterEach(endProcesses);
  after(() => service.close());

  const countAt = async (path: string): Promise<number> =>
    (await ask(service, `GET ${path}/`)).body.servers!.length;

  /** Resolves once this registry lists it, and no other one does. */
  async function isListedAt(path: string, server: Dependency): Promise<void> {
    await until(async () => (await countAt(path)) === 1, server);
    const others = ['/games/tees', '/mines', '/arena', '/other'].filter((each) => each !== path);
    expect(await Promise.all(others.map(countAt))).to.deep.equal([0, 0, 0]);
  }

  needs('minetestserver').it('is listed from Luanti by serverlist_url, and leaves', async () => {
    const server = await startMinetestServer(`${service.url}/mines/luanti`, { server_name: 'Mine' });
    await isListedAt('/mines', server);
    const rows = await luantiRows({ url: `${service.url}/mines` });
    expect(rows.map(({ name }) => name)).to.deep.equal(['Mine']);
    expect(await server.stop('SIGTERM')).to.equal(0);
    expect(await countAt('/mines')).to.equal(0);
  });

  needs('openarena-server').it('is listed from OpenArena by the UDP port, and leaves', async () => {
    const home = newPath();
    mkdirSync(home);
    const command = openArenaCommand('127.0.0.1', await freePort(), `127.0.0.1:${masterPort}`);
    const server = startProgram(command[0], command.slice(1), { HOME: home });
    await isListedAt('/arena', server);
    await server.stop('SIGTERM');
    await until(async () => (await countAt('/arena')) === 0);
  });

  needs('DDNet-Server').it('is listed from DDNet by sv_register_url', async () => {
    const registerUrl = `${service.url}/games/tees/ddnet/15/register`;
    const server = await startDdnetServer({ registerUrl, name: 'Tees', register: 'tw0.6/ipv4' });
    await isListedAt('/games/tees', server);
    const list = readAsClient((await ask(service, 'GET /games/tees/ddnet/15/servers.json')).bytes)!;
    expect(list.map(({ name }) => name)).to.deep.equal(['Tees']);
  });
});
