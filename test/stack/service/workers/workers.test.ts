/** A service with workers: who answers, what it says of itself, and how it starts and stops. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ask, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { childrenOf } from '../../../support/children-of.ts';
import { freePort } from '../../../support/free-port.ts';
import { needs } from '../../../support/needs.ts';
import { openRawConnection, plainRequest, type RawConnection } from '../../../support/raw-connection.ts';
import { startRedisServer } from '../../../support/redis-server.ts';
import { runCli, startListeningCli } from '../../../support/start-cli.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';
import { useWorkers } from './use-workers.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

needs('Linux', 'redis-server').describe('a service with workers', function () {
  this.timeout(120_000);
  const workers = useWorkers();
  const newPath = useDirectory();

  it('spreads connections evenly over them, and each line of a worker says which one it is', async () => {
    const service = await workers.start(['--log-level', 'debug']);
    for (let n = 0; n < 200; n += 1) expect((await ask(service, 'GET /')).status).to.equal(200);
    const answered = (): readonly { worker?: number }[] =>
      service.log.filter(({ msg }) => msg === 'a request was answered') as readonly { worker?: number }[];
    const of = (worker: number): number => answered().filter((line) => line.worker === worker).length;
    await until(() => answered().length >= 200);
    for (const worker of [1, 2]) expect(of(worker)).to.be.within(80, 130);
    expect(of(1) + of(2)).to.equal(answered().length);
  });

  it('says once where it listens, and that no key is set', async () => {
    const service = await workers.start();
    expect(service.messages(/^(listening on|no key is set)/)).to.have.lengthOf(2);
    expect(service.messages(/takes connections$/)).to.have.members([
      'worker 1 takes connections',
      'worker 2 takes connections',
    ]);
    service.kill('SIGTERM');
    const { stdout } = await service.exited;
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).to.be.an('object');
  });

  it('lists in each worker what any of them was told', async () => {
    const service = await workers.start();
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    for (let n = 0; n < 4; n += 1)
      expect((await ask(service, 'GET /')).text).to.include(String(body.server_id));
  });

  it('shows the metrics of all of them as one', async () => {
    const service = await workers.start();
    await ask(service, 'POST /broadcast', { body: aBroadcast() });
    for (let n = 0; n < 10; n += 1) await ask(service, 'GET /');
    const count = 'gsls_http_request_duration_seconds_count';
    expect(await service.metric(count, { route: '/', method: 'GET', status: 200 })).to.equal(10);
    expect(await service.metric('gsls_game_servers')).to.be.at.most(2);
    const open = await Promise.all([1, 2, 3, 4].map(() => openRawConnection(service)));
    for (const connection of open)
      expect((await connection.send(plainRequest('GET /health')).answer()).status).to.equal(200);
    expect(await service.metric('gsls_open_connections')).to.equal(4);
    for (const connection of open) connection.destroy();
    expect(await service.metric('gsls_redis_up')).to.equal(1);
    expect(await service.metric('process_start_time_seconds')).to.be.closeTo(Date.now() / 1000, 60);
  });

  it('divides its limits among them, and closes what is too much', async () => {
    const service = await workers.start(['--max-connections', '4']);
    const open: RawConnection[] = [];
    // One after the other, as those that come together go to whichever worker has taken the one before.
    for (let n = 0; n < 4; n += 1) {
      const connection = await openRawConnection(service);
      open.push(connection);
      expect((await connection.send(plainRequest('GET /health')).answer()).status).to.equal(200);
    }
    const tooMany = await openRawConnection(service);
    expect(await tooMany.send(plainRequest('GET /health')).answerOrEnd()).to.equal(undefined);
    for (const connection of open) connection.destroy();
    expect(await service.metric('gsls_connections_closed_total', { limit: 'all' })).to.equal(1);
  });

  it('counts the requests of a client together, whatever they ask for', async () => {
    const kinds = ['broadcast', 'ping', 'list', 'join', 'doctor'];
    const limits = kinds.map((kind) => `${kind}=4/h`).join(',');
    const service = await workers.start(['--rate-limit', limits, '--allow-unlisted']);
    const body = aBroadcast();
    for (const [request, options] of [
      ['POST /broadcast', { body }],
      ['POST /ping', { body }],
      ['GET /', {}],
      ['GET /join/AAAA-AAAA', {}],
      ['POST /doctor', { body: { port: 1 } }],
    ] as const) {
      const refused: boolean[] = [];
      for (let n = 0; n < 8; n += 1) refused.push((await ask(service, request, options)).status === 429);
      expect(refused, request).to.deep.equal([false, false, false, false, true, true, true, true]);
    }
  });

  it('SIGHUP reaches all of them', async () => {
    const path = newPath();
    writeFileSync(path, 'old\n');
    const service = await workers.start(['--key-file', path], { Authorization: 'Bearer old' });
    const statuses = async (key: string): Promise<number[]> => {
      const headers = { Authorization: `Bearer ${key}` };
      const answers = [1, 2, 3, 4].map(() => ask(service, 'GET /', { headers }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses('old')).to.deep.equal([200, 200, 200, 200]);
    writeFileSync(path, 'new\n');
    service.kill('SIGHUP');
    await until(async () => (await statuses('new')).every((status) => status === 200));
    expect(await statuses('old')).to.deep.equal([401, 401, 401, 401]);
  });

  it('SIGTERM lets all of them drain, and ends with code 0', async () => {
    const service = await workers.start();
    const pids = service.pids();
    service.kill('SIGTERM');
    await service.logged('draining');
    for (let n = 0; n < 2; n += 1) expectError(await ask(service, 'GET /health'), 'shutting_down');
    expect((await ask(service, 'GET /')).headers.connection).to.equal('close');
    const { code, stderr, stdout } = await service.exited;
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('"stopped"');
    expect(pids.filter(isRunning)).to.deep.equal([]);
  });

  it('signals to a worker have no effect: those of a terminal reach all processes', async () => {
    const service = await workers.start();
    const pids = service.pids();
    for (const pid of pids)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.kill(pid, signal);
    for (let n = 0; n < 4; n += 1) expect((await ask(service, 'GET /health')).status).to.equal(200);
    expect(service.pids()).to.deep.equal(pids);
  });

  it('a second signal ends all processes at once, with code 1', async () => {
    const service = await workers.start(['--drain-delay', '300']);
    const pids = service.pids();
    service.kill('SIGTERM');
    await service.logged('draining');
    service.kill('SIGINT');
    expect((await service.exited).code).to.equal(1);
    await until(() => !pids.some(isRunning));
  });

  it('where the primary is killed, the workers finish and end', async () => {
    const service = await workers.start();
    const pids = service.pids();
    const connection = await openRawConnection(service);
    expect((await connection.send(plainRequest('GET /')).answer()).status).to.equal(200);
    process.kill(service.pid, 'SIGKILL');
    await until(() => service.messages(/^this worker drains$/).length === 2);
    const answer = await connection.send(plainRequest('GET /')).answer();
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, 'close']);
    await until(() => !pids.some(isRunning));
  });

  it('a port in use is one line and code 1, and a file that cannot be used code 2', async () => {
    const taken = await workers.start();
    const args = ['--workers', '2', '--host', '127.0.0.1', '--redis', workers.redis.url];
    const { port } = taken.front;
    const busy = await runCli([...args, '--port', String(port)]);
    expectComplaint({ ...busy, stdout: '' }, 1, new RegExp(`^gsls: port ${port} is already in use: `));
    const path = newPath();
    writeFileSync(path, '{"type": "nothing that is"}');
    const wrong = await runCli([...args, '--port', '0', '--details-schema', path]);
    expectComplaint({ ...wrong, stdout: '' }, 2, /^gsls: the details schema .*; see gsls --help\n$/);
    for (const { stdout } of [busy, wrong]) expect(stdout).to.not.include('started again');
  });

  it('without its Redis it listens and refuses, and is ready as soon as Redis is there', async () => {
    const port = await freePort();
    const service = await startListeningCli(['--workers', '2', '--ops-port', '0'], {
      GSLS_REDIS: `redis://127.0.0.1:${port}`,
    });
    const { opsUrl } = await service.logged('listening on');
    try {
      expectError(await ask(service, 'GET /health'), 'registry_unavailable');
      expect((await ask({ url: opsUrl! }, 'GET /readyz')).status).to.equal(503);
      const redis = await startRedisServer({ port });
      try {
        await until(async () => (await ask({ url: opsUrl! }, 'GET /readyz')).status === 200);
        expect(childrenOf(service.pid)).to.have.lengthOf(2);
      } finally {
        await redis.stop();
      }
    } finally {
      await service.stop();
    }
  });

  it('SIGUSR2 to a service of one process is no more than a line of its log', async () => {
    const service = await startListeningCli();
    service.kill('SIGUSR2');
    expect((await service.logged('SIGUSR2 replaces workers')).level).to.equal(40);
    expect((await ask(service, 'GET /health')).status).to.equal(200);
    await service.stop();
  });
});
