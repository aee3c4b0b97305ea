/** Several whole services on one real Redis, over HTTP. */

import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { aBroadcast, type ListBody } from '../support/builders.ts';
import { hasRedisServer, startRedisServer, type RedisServer } from '../support/redis-server.ts';
import { startListeningCli, type ListeningCli } from '../support/start-cli.ts';
import { startTestService } from '../support/start-test-service.ts';

async function post(
  url: string,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function list(url: string): Promise<ListBody> {
  return (await (await fetch(url)).json()) as ListBody;
}

describe('replicas on one Redis', () => {
  if (!hasRedisServer()) return;
  let redis: RedisServer;
  let replicas: Service[];
  const processes: ListeningCli[] = [];

  beforeEach(async () => {
    redis = await startRedisServer();
    replicas = await Promise.all([0, 1, 2].map(() => startTestService({ GSLS_REDIS: redis.url })));
  });
  afterEach(async () => {
    await Promise.all([
      ...replicas.map((replica) => replica.close()),
      ...processes.splice(0).map((each) => each.stop()),
    ]);
    await redis.stop();
  });

  it('a change that one replica acknowledged is in the very next list of another, thousands of times', async function () {
    this.timeout(120_000);
    let missed = 0;
    const pairs = 3000;
    const play = async (lane: number): Promise<void> => {
      for (let i = 0; i < pairs / 6; i += 1) {
        const [writer, ...readers] = [0, 1, 2].map((n) => replicas[(lane + i + n) % 3]!.url) as [
          string,
          string,
          string,
        ];
        const { body } = await post(writer, '/broadcast', aBroadcast({ server_port: 1 + (i % 60_000) }));
        const id = body['server_id']!;
        const lists = await Promise.all(readers.map(list));
        for (const { servers } of lists) missed += servers.some((each) => each.id === id) ? 0 : 1;
        // Keeps the lists short: a removal is a write like any other, and must be seen as well.
        await post(readers[0], '/remove', { server_id: id, server_ip: aBroadcast()['server_ip'] });
        missed += (await list(writer)).servers.some((each) => each.id === id) ? 1 : 0;
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(play));
    expect(missed).to.equal(0);
  });

  it('a ping to another replica than the broadcast succeeds', async () => {
    const { body } = await post(replicas[0]!.url, '/broadcast', aBroadcast());
    const ping = aBroadcast({ server_id: body['server_id'], players: 9 });
    expect(await post(replicas[1]!.url, '/ping', ping)).to.deep.equal({
      status: 200,
      body: { status: 'success' },
    });
    expect((await list(replicas[2]!.url)).servers[0]).to.include({ id: body['server_id'], players: 9 });
  });

  it('the list has the same bytes on every replica, also on one that joins later', async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        post(replicas[i % 3]!.url, '/broadcast', aBroadcast({ server_port: i + 1 })),
      ),
    );
    replicas.push(await startTestService({ GSLS_REDIS: redis.url }));
    const answers = await Promise.all(replicas.map(({ url }) => fetch(url)));
    const lists = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(lists).size).to.equal(1);
    const [tag, ...otherTags] = answers.map(({ headers }) => headers.get('etag')!);
    expect(new Set(otherTags)).to.deep.equal(new Set([tag]));
    for (const { url } of replicas) {
      const { status } = await fetch(url, { headers: { 'If-None-Match': tag! } });
      expect(status).to.equal(304);
    }
    expect((JSON.parse(lists[0]!) as ListBody).count).to.equal(300);
  });

  it('nothing is lost when a replica is killed', async function () {
    this.timeout(30_000);
    const victim = await startListeningCli([], { GSLS_REDIS: redis.url });
    processes.push(victim);
    const acknowledged: string[] = [];
    const broadcasting = (async () => {
      for (;;) {
        const { body } = await post(victim.url, '/broadcast', aBroadcast());
        acknowledged.push(body['server_id']!);
        if (acknowledged.length === 200) victim.kill('SIGKILL');
      }
    })();
    await broadcasting.catch(() => undefined);
    expect(acknowledged.length).to.be.at.least(200);
    for (const { url } of replicas) {
      expect((await list(url)).servers.map(({ id }) => id)).to.include.members(acknowledged);
    }
    const ping = aBroadcast({ server_id: acknowledged[0] });
    expect((await post(replicas[0]!.url, '/ping', ping)).status).to.equal(200);
  });
});
