/** Game servers of others, unchanged, at two registries: the list that a mirror of both hands to their clients. */

import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { startDdnetServer } from '../support/ddnet/ddnet-server.ts';
import { ageForClient, readAsClient } from '../support/ddnet/read-as-client.ts';
import { needs } from '../support/needs.ts';
import { endProcesses } from '../support/processes.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { luantiRows } from './luanti/luanti-driver.ts';
import { startMinetestServer } from './luanti/minetest-server.ts';

describe('a mirror of two registries', () => {
  let origins: readonly Service[];
  let mirror: Service;
  beforeEach(async () => {
    const environment = { GSLS_PROTOCOLS: 'ddnet,luanti', GSLS_FEED_INTERVAL: '100' };
    origins = [await startTestService(environment), await startTestService(environment)];
    const mirrors = origins.map(({ url }, n) => `origin${n}=${url}`).join();
    mirror = await startTestService({ ...environment, GSLS_MIRRORS: mirrors });
  });
  afterEach(async () => {
    await endProcesses();
    await Promise.all([mirror, ...origins].map((service) => service.close()));
  });

  needs('DDNet-Server').it('lists the game servers of DDNet at both, as their clients read it', async () => {
    const servers = await Promise.all(
      origins.map(({ url }, n) =>
        startDdnetServer({
          registerUrl: `${url}/ddnet/15/register`,
          name: `Tees ${n}`,
          register: 'tw0.6/ipv4',
        }),
      ),
    );
    const path = 'GET /ddnet/15/servers.json';
    const read = async (from: Service) => readAsClient((await ask(from, path)).bytes)!;
    await until(async () => (await read(mirror)).length === 2, servers[0]);
    expect(await read(mirror)).to.have.deep.members((await Promise.all(origins.map(read))).flat());
    expect((await read(mirror)).map(({ name }) => name)).to.have.members(['Tees 0', 'Tees 1']);
    expect(ageForClient((await ask(mirror, path)).headers)).to.be.below(15);
    await servers[0]!.stop('SIGTERM');
    await until(async () => (await read(mirror)).map(({ name }) => name).join() === 'Tees 1', servers[1]);
  });

  needs('minetestserver').it(
    'lists the game servers of Luanti at both, as their clients read it',
    async () => {
      const servers = await Promise.all(
        origins.map(({ url }, n) => startMinetestServer(`${url}/luanti`, { server_name: `Mine ${n}` })),
      );
      await until(async () => (await luantiRows(mirror)).length === 2, servers[0]);
      const rows = (await Promise.all(origins.map(luantiRows))).flat();
      const listed = await luantiRows(mirror);
      expect(listed).to.have.deep.members(rows);
      expect(listed.map(({ name }) => name)).to.have.members(['Mine 0', 'Mine 1']);
      await servers[0]!.stop('SIGTERM');
      await until(
        async () => (await luantiRows(mirror)).map(({ name }) => name).join() === 'Mine 1',
        servers[1],
      );
    },
  );
});
