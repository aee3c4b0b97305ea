/** A connection to one Redis that comes, goes, hangs and refuses. */

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES, type Deadlines } from '../../../../../src/runtime/deadlines.ts';
import { connectRedis, type RedisConnection } from '../../../../../src/registry/redis/connection/connect.ts';
import type { RedisAddress } from '../../../../../src/registry/redis/connection/redis-address.ts';
import { startForgetfulProxy } from '../../../../support/forgetful-proxy.ts';
import { until } from '../../../../support/until.ts';
import { startRedisServer, type RedisServer } from '../../../../support/redis-server.ts';
import { freePort } from '../../../../support/free-port.ts';
import { needs } from '../../../../support/needs.ts';
import { PATIENT } from '../../../../support/patient.ts';
import { Stopwatch } from '../../../../support/stopwatch.ts';

needs('redis-server').describe('a connection to Redis', () => {
  let redis: RedisServer | undefined;
  let connection: RedisConnection;
  let told: string[];
  let failures: string[];
  let risks: string[];

  const connect = (port: number, deadlines = PATIENT): void =>
    connectTo({ kind: 'standalone', host: '127.0.0.1', port, database: 0 }, deadlines);
  const connectTo = (address: RedisAddress, deadlines: Deadlines): void => {
    told = [];
    failures = [];
    risks = [];
    connection = connectRedis(
      address,
      {
        onUp: () => told.push('up'),
        onDown: ({ message }) => told.push(message),
        onFailure: ({ message }) => failures.push(message),
        onRisk: (risk) => risks.push(risk),
      },
      deadlines,
    );
  };

  afterEach(async () => {
    await connection.close();
    await redis?.stop();
    redis = undefined;
  });

  it('a connection is made as soon as Redis is there', async () => {
    const port = await freePort();
    connect(port);
    await connection.firstAttempt;
    expect(told).to.deep.equal([`connect ECONNREFUSED 127.0.0.1:${port}`]);
    redis = await startRedisServer({ port });
    const stopwatch = new Stopwatch();
    await until(() => told.length === 2);
    expect(stopwatch.stop()).to.be.below(1000);
    expect(await connection.client.ping()).to.equal('PONG');
  });

  it('an attempt that fails is reported each time, and that there is no connection only once', async () => {
    const port = await freePort();
    connect(port);
    await until(() => failures.length === 3);
    expect(new Set(failures)).to.deep.equal(new Set([`connect ECONNREFUSED 127.0.0.1:${port}`]));
    expect(told).to.have.lengthOf(1);
  });

  it('a lost connection is made again, and each change is reported once', async () => {
    redis = await startRedisServer();
    connect(redis.port);
    await connection.firstAttempt;
    await redis.crash();
    await until(() => told.length === 2);
    await redis.restart();
    await until(() => told.length === 3);
    expect([told[0], told[2]]).to.deep.equal(['up', 'up']);
  });

  it('a connection is made again also when the client has given up', async () => {
    redis = await startRedisServer();
    connect(redis.port);
    await connection.firstAttempt;
    connection.client.disconnect();
    await until(() => told.length === 3);
    expect(await connection.client.ping()).to.equal('PONG');
  });

  it('a new connection is not ended by an answer that the old one still awaited', async () => {
    redis = await startRedisServer();
    const proxy = await startForgetfulProxy(redis.port);
    connect(proxy.port, DEADLINES);
    await connection.firstAttempt;
    proxy.loseNextAnswer();
    const lostAt = performance.now();
    expect(await connection.client.ping().catch(String)).to.include('Connection is closed');
    await until(() => told.length === 3);
    // Longer than the limit for a Redis that hangs. A ping fails as well if this process is paused.
    while (performance.now() - lostAt < 2300) await connection.client.ping().catch(() => undefined);
    expect(told).to.have.lengthOf(3);
    expect(await connection.client.ping()).to.equal('PONG');
    await connection.close();
    await proxy.close();
  });

  it('a command to a Redis that hangs fails in time, and the connection is back when Redis goes on', async () => {
    redis = await startRedisServer();
    connect(redis.port, DEADLINES);
    await connection.firstAttempt;
    redis.freeze();
    const frozenAt = performance.now();
    const frozen = new Stopwatch();
    const errors: unknown[] = [];
    while (told.length === 1)
      await connection.client.incr('counter').catch((error: unknown) => errors.push(error));
    expect(performance.now() - frozenAt).to.be.at.least(1500);
    expect(frozen.stop()).to.be.at.most(3500);
    expect(told[1]).to.equal('Redis has not answered for 2 s');
    expect(errors).to.have.lengthOf.at.least(2);

    redis.thaw();
    const thawed = new Stopwatch();
    await until(() => told.length === 3);
    expect(thawed.stop()).to.be.below(1000);
    // Each command ran once or not at all, although its outcome is unknown: nothing is sent again.
    expect(Number(await connection.client.get('counter'))).to.be.at.most(errors.length);
  });

  describe('to a port that takes connections and says nothing', () => {
    let server: Server;
    let port: number;
    const sockets = new Set<Socket>();
    before(async () => {
      server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });

    it('is tried anew after a second without a handshake', async () => {
      const stopwatch = new Stopwatch();
      const address = { kind: 'standalone', host: '127.0.0.1', port, database: 0, tls: {} } as const;
      connectTo(address, { ...PATIENT, connectMs: DEADLINES.connectMs });
      await until(() => failures.length === 2);
      expect(stopwatch.stop()).to.be.below(3500);
      expect(new Set(failures)).to.deep.equal(new Set(['connect ETIMEDOUT']));
    });

    it('is no node of a Cluster after 0.6 s without an answer', async () => {
      const stopwatch = new Stopwatch();
      const nodes = [{ host: '127.0.0.1', port }];
      connectTo({ kind: 'cluster', nodes, database: 0 }, { ...PATIENT, slotsMs: DEADLINES.slotsMs });
      await until(() => failures.length === 1);
      expect(stopwatch.stop()).to.be.below(2000);
    });

    it('is not waited for at the start for longer than 2 s', async () => {
      const stopwatch = new Stopwatch();
      connect(port, { ...PATIENT, startMs: DEADLINES.startMs });
      await connection.firstAttempt;
      expect(stopwatch.stop()).to.be.below(3000);
      expect([told, failures]).to.deep.equal([[], []]);
    });
  });

  it('a connection to a Redis that is no longer the master is ended and made again', async () => {
    redis = await startRedisServer();
    connect(redis.port);
    await connection.firstAttempt;
    const admin = new Redis(redis.port);
    await admin.replicaof('127.0.0.1', 1);
    const error: unknown = await connection.client.set('key', 'value').catch((reason: unknown) => reason);
    expect(String(error)).to.include('READONLY');
    await until(() => told.length === 3);
    expect(told[2]).to.equal('up');
    admin.disconnect();
  });
});
