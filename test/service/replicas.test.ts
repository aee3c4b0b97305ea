/** Several whole services on one real Redis, over HTTP. */

import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { Checker } from '../support/load/checker.ts';
import { FULL_LOAD, Load } from '../support/load/load.ts';
import { Recorder } from '../support/load/recorder.ts';
import { addressOf, ask, type AskOptions, type TestAnswer } from '../support/ask.ts';
import { aBroadcast, type ListedBody } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { startRedisServer, type RedisServer } from '../support/redis-server.ts';
import { runs } from '../support/runs.ts';
import { startListeningCli } from '../support/start-cli.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';

needs('redis-server').describe('replicas on one Redis', function () {
  this.timeout(60_000);
  let redis: RedisServer;
  let replicas: Service[];
  let agent: Agent;
  const closers: (() => Promise<unknown>)[] = [];

  before(async () => {
    agent = new Agent({ keepAlive: true });
    redis = await startRedisServer();
    replicas = await Promise.all([0, 1, 2].map(() => startTestService({ GSLS_REDIS: redis.url })));
  });
  after(async () => {
    agent.destroy();
    await Promise.all([...closers.map((close) => close()), ...replicas.map((replica) => replica.close())]);
    await redis.stop();
  });

  const askReplica = (replica: number, call: string, options: AskOptions = {}): Promise<TestAnswer> =>
    ask(replicas[replica % replicas.length]!, call, { agent, ...options });

  async function entriesOf(replica: number): Promise<readonly ListedBody[]> {
    return (await askReplica(replica, 'GET /')).body.servers!;
  }

  it('list in the very next list what another replica acknowledged, again and again', async function () {
    this.timeout(120_000);
    let missed = 0;
    const pairs = runs(60);
    const play = async (player: number): Promise<void> => {
      for (let i = 0; i < pairs / 6; i += 1) {
        const writer = player + i;
        const fields = aBroadcast({ server_port: 1 + (i % 60_000) });
        const { server_id } = (await askReplica(writer, 'POST /broadcast', { body: fields })).body;
        const lists = await Promise.all([entriesOf(writer + 1), entriesOf(writer + 2)]);
        for (const list of lists) missed += list.some(({ id }) => id === server_id) ? 0 : 1;
        // A removal is a write like any other. It also keeps the lists short.
        const removal = { server_id, server_ip: fields['server_ip'] };
        await askReplica(writer + 1, 'POST /remove', { body: removal });
        missed += (await entriesOf(writer)).some(({ id }) => id === server_id) ? 1 : 0;
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(play));
    expect(missed).to.equal(0);
  });

  it('accept the ping of a game server that broadcast to another replica', async () => {
    const { body } = await askReplica(0, 'POST /broadcast', { body: aBroadcast() });
    const ping = aBroadcast({ server_id: body.server_id, players: 9 });
    const pinged = await askReplica(1, 'POST /ping', { body: ping });
    expect(pinged).to.deep.include({ status: 200, body: { status: 'success' } });
    const pingedEntry = (await entriesOf(2)).find(({ id }) => id === body.server_id);
    expect(pingedEntry).to.include({ players: 9 });
  });

  it('give lists of the same bytes and tag, also a replica that joins later', async () => {
    const { length: earlier } = await entriesOf(0);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        askReplica(i, 'POST /broadcast', { body: aBroadcast({ server_port: i + 1 }) }),
      ),
    );
    replicas.push(await startTestService({ GSLS_REDIS: redis.url }));
    const answers = await Promise.all(replicas.map((_, replica) => askReplica(replica, 'GET /')));
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    const [{ headers, body }, ...others] = answers as [TestAnswer, ...TestAnswer[]];
    const tag = headers.etag!;
    expect(new Set(others.map((other) => other.headers.etag))).to.deep.equal(new Set([tag]));
    for (const replica of replicas.keys()) {
      const { status } = await askReplica(replica, 'GET /', { headers: { 'If-None-Match': tag } });
      expect(status).to.equal(304);
    }
    expect(body.count).to.equal(earlier + 60);
  });

  it('lose nothing when one of them is killed', async function () {
    this.timeout(120_000);
    // The checker knows of every entry of this registry.
    const environment = { GSLS_REDIS: redis.url, GSLS_REGISTRY: 'checked' };
    const [survivor, victim] = await Promise.all([
      startTestService(environment),
      startListeningCli([], environment),
    ]);
    closers.push(
      () => survivor.close(),
      () => victim.stop(),
    );
    const ttlMs = 60_000;
    const recorder = new Recorder();
    const checker = new Checker(recorder, ttlMs);
    const options = { ...FULL_LOAD, fleet: 10, broadcastsPerSecond: 200, pingIntervalMs: 0 };
    const load = new Load({ front: addressOf(victim), serving: [], ttlMs }, recorder, checker, options);
    await load.start();
    await until(() => recorder.listed.size >= 50);
    victim.kill('SIGKILL');
    await load.stop();
    expect((await load.list(addressOf(survivor), survivor.url)).complete).to.equal(true);
    expect(checker.reasons).to.deep.equal([]);
    const acknowledged = [...recorder.listed].find(({ claimedSince }) => claimedSince === Infinity);
    const ping = aBroadcast({ server_id: acknowledged!.id });
    const { status } = await ask(survivor, 'POST /ping', { body: ping });
    expect(status).to.equal(200);
  });
});
