/**
 * The page behind HAProxy while replicas and Redis go and come: it says how it stands, keeps its list, and recovers by
 * itself.
 */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses, startHaproxy } from '../../support/processes.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { serverBehind } from '../../support/server-behind.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useBrowser } from '../support/browser.ts';
import { SeenList } from '../support/seen-list.ts';

const HOST = '127.0.0.1';
const NAMES = ['Oslo', 'Paris', 'Lima', 'Quito', 'Rome'];
/** In which HAProxy notices that a replica is about to stop. */
const DRAIN_DELAY_MS = 1000;
/** A replica that starts, and a browser that waits before it tries again, on a busy machine. */
const RECOVERS_WITHIN_MS = 30_000;

/** As when its process is killed: at once, and with every connection. */
async function kill(replica: Service): Promise<void> {
  const server = await serverBehind(replica);
  const closed = replica.close();
  server.closeAllConnections();
  await closed;
}

needs('Linux', 'haproxy', 'redis-server', 'chromium').describe('the page during outages', function () {
  this.timeout(90_000);
  const browser = useBrowser({ pagesLast: 'block', isHasty: true });
  let redis: RedisServer;
  let ports: number[];
  let replicas: Service[] = [];
  let front: { readonly url: string };
  let list: SeenList;

  function start(port: number): Promise<Service> {
    return startTestService({
      GSLS_PORT: String(port),
      GSLS_REDIS: redis.url,
      GSLS_TTL: '3600',
      GSLS_FEED_INTERVAL: '100',
    });
  }

  const reach = (): Promise<void> =>
    until(async () => (await ask(front, 'GET /').catch(() => undefined))?.status === 200);

  /** As a game server does: again until it is listed. */
  const broadcast = (name: string, players: number): Promise<void> =>
    until(async () => {
      const answer = await ask(front, 'POST /broadcast', {
        body: aBroadcast({ server_name: name, players, max_players: 100, server_port: 1000 + name.length }),
        headers: { 'Idempotency-Key': name },
      });
      return answer.body.server_id !== undefined;
    });

  const says = (text: string): Promise<void> =>
    list.page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: RECOVERS_WITHIN_MS });

  /** Every row of the list, each once, in the order of the page. */
  async function expectTheList(): Promise<void> {
    await until(async () => {
      // Asked each time: one replica may find its way back to Redis later than the other.
      const { servers = [] } = (await ask(front, 'GET /')).body;
      const sorted = servers.toSorted((one, other) => other.players - one.players);
      return (
        servers.length > 0 &&
        isDeepStrictEqual(
          await list.names(),
          sorted.map(({ name }) => name),
        )
      );
    });
  }

  before(async () => {
    redis = await startRedisServer({ args: ['--appendonly', 'yes'] });
    ports = [await freePort(), await freePort()];
    replicas = await Promise.all(ports.map(start));
    const port = await freePort();
    startHaproxy({
      LISTEN: `${HOST}:${port}`,
      REPLICA_1: `${HOST}:${ports[0]}`,
      REPLICA_2: `${HOST}:${ports[1]}`,
    });
    front = { url: `http://${HOST}:${port}` };
    await reach();
    for (const [n, name] of NAMES.entries()) await broadcast(name, 9 - n);
    // What is tested: requests fail.
    browser.expectComplaints(/net::ERR_|status of 50\d/);
    list = new SeenList(await browser.open(`${front.url}/browse`));
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await endProcesses();
    await redis.stop();
  });

  beforeEach(async () => {
    await says(EN.feed.live);
    await expectTheList();
  });

  it('goes on when the replicas are replaced one after the other, and loses no server', async () => {
    for (const [n, replica] of replicas.entries()) {
      await replica.close({ delayMs: DRAIN_DELAY_MS });
      replicas[n] = await start(ports[n]!);
      await broadcast(`After replica ${n}`, 20 + n);
      await list.row(`After replica ${n}`).waitFor({ timeout: RECOVERS_WITHIN_MS });
    }
    await expectTheList();
    await says(EN.feed.live);
  });

  it('says that the service is away, keeps its list and filters it, and goes on when there are replicas again', async () => {
    await Promise.all(replicas.map(kill));
    await list.page.locator('.bottom-note.is-bad').waitFor({ timeout: RECOVERS_WITHIN_MS });
    const names = await list.names();
    expect(names).to.include.members(NAMES);
    await list.page.getByRole('link', { name: EN.columns.name }).click();
    await list.shows(names.toSorted());
    await list.page.getByRole('searchbox').first().fill('par');
    await list.shows(['Paris']);
    await list.page.getByRole('searchbox').first().fill('');
    await list.page.getByRole('link', { name: EN.columns.players }).click();
    replicas = await Promise.all(ports.map(start));
    await says(EN.feed.live);
    await expectTheList();
  });

  it('says that the list is stale while Redis is away, and that it is live again', async () => {
    await redis.crash();
    await says(EN.feed.stale);
    expect(await list.names()).to.include.members(NAMES);
    await redis.restart();
    await says(EN.feed.live);
    await reach();
    await broadcast('After Redis', 30);
    await list.row('After Redis').waitFor();
    await expectTheList();
  });
});
