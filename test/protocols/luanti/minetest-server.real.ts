/** The game server of Luanti, unchanged, at a service in place of its server list. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { has, needs } from '../../support/needs.ts';
import { endProcesses } from '../../support/processes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { anUpdate } from './builders.ts';
import { announce, announceAndWait, counted, luantiRows } from './luanti-driver.ts';
import { startMinetestServer } from './minetest-server.ts';

/** From its answer to the ping until all lists have it. */
const MOST_DELAY_MS = 1000;

needs('minetestserver').describe('the game server of Luanti', () => {
  let service: Service;
  let listUrl: string;
  const newPath = useDirectory();
  beforeEach(async () => {
    const geoFile = newPath();
    writeFileSync(
      geoFile,
      mmdb({ networks: { '127.0.0.0/8': inCountry('DE'), '::1/128': inCountry('DE') } }),
    );
    service = await startTestService({
      GSLS_PROTOCOLS: 'luanti',
      GSLS_HOST: has('IPv6') ? '::' : '127.0.0.1',
      GSLS_GEO_FILE: geoFile,
    });
    listUrl = `http://127.0.0.1:${new URL(service.url).port}/luanti`;
  });
  afterEach(async () => {
    await endProcesses();
    await service.close();
  });

  it('is in both lists a second after it has answered', async () => {
    const server = await startMinetestServer(listUrl, {
      server_name: 'Real',
      server_description: 'Ä "test"',
    });
    await until(async () => (await counted(service)).taken === 1, server);
    const takenAt = performance.now();
    await until(async () => (await luantiRows(service)).length === 1, server);
    expect(performance.now() - takenAt).to.be.below(MOST_DELAY_MS);
    const [row] = await luantiRows(service);
    expect(row).to.deep.include({
      name: 'Real',
      description: 'Ä "test"',
      address: '127.0.0.1',
      port: server.port,
      gameid: 'devtest',
      clients: 0,
      clients_list: [],
      clients_max: 15,
      privs: 'interact,shout',
      mapgen: 'v7',
      dedicated: true,
      geo_continent: 'EU',
    });
    expect(row!['mods']).to.include.members(['bucket', 'testtools']);
    expect(row).not.to.have.any.keys('url', 'action');
    const { body } = await ask(service, 'GET /servers?protocol=luanti&game=devtest');
    expect(body.servers![0]).to.include({ name: 'Real', ip: '127.0.0.1', port: server.port, players: 0 });
  });

  it('keeps its mods with an update', async () => {
    const server = await startMinetestServer(listUrl);
    await until(async () => (await luantiRows(service)).length === 1, server);
    const [before] = await luantiRows(service);
    // It would send one itself after five minutes.
    expect(await announceAndWait(service, anUpdate({ port: server.port }))).to.include({ outcome: 'taken' });
    await until(async () => (await luantiRows(service))[0]!['uptime'] === 300);
    expect((await luantiRows(service))[0]!['mods']).to.deep.equal(before!['mods']);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`is gone at once when it is stopped by ${signal}`, async () => {
      const server = await startMinetestServer(listUrl);
      await until(async () => (await luantiRows(service)).length === 1, server);
      expect(await server.stop(signal)).to.equal(0);
      expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
    });

  it('stays listed when it is killed: it has no time to say so', async () => {
    const server = await startMinetestServer(listUrl);
    await until(async () => (await luantiRows(service)).length === 1, server);
    await server.stop('SIGKILL');
    expect((await ask(service, 'GET /')).body.servers).to.have.length(1);
  });

  it('says in its log what was wrong with the announcement before', async () => {
    const port = await freePort();
    // Nobody answers there yet.
    await announceAndWait(service, anUpdate({ port }));
    const server = await startMinetestServer(listUrl, { port: String(port) });
    await until(
      () => server.lines.some((line) => line.includes(`port ${port} did not respond to ping`)),
      server,
    );
    expect(server.lines.join('\n')).to.include('409');
    await until(async () => (await luantiRows(service)).length === 1, server);
  });

  it('says in its log that its address is a mistake', async () => {
    const server = await startMinetestServer(listUrl, { server_address: 'game.example.net' });
    await until(() => server.lines.some((line) => line.includes('example value')), server);
    expect(await luantiRows(service)).to.deep.equal([]);
  });

  it('is listed with a hostile name, which costs its clients no other server', async () => {
    const hostile = await startMinetestServer(listUrl, {
      server_name: '\u001b(c@#f00)Red\u001b(c@#fff) ^1"],\u202e<b>',
      server_url: "javascript:'",
    });
    const honest = await startMinetestServer(listUrl, { server_name: 'Honest' });
    await until(async () => (await luantiRows(service)).length === 2, hostile);
    const names = (await luantiRows(service)).map(({ name }) => name);
    expect(names).to.have.members(['\u001b(c@#f00)Red\u001b(c@#fff) ^1"],\u202e<b>', 'Honest']);
    const { body } = await ask(service, 'GET /servers?protocol=luanti&sort=name');
    expect(body.servers!.map(({ name }) => name)).to.have.members(['Honest', 'Red ^1"], <b>']);
    await announce(service, { action: 'delete', port: honest.port });
  });
});
