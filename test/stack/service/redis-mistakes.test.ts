/** What is told when the address leads to something else than it says: on real servers, by what they do. */

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { needs } from '../../support/needs.ts';
import { clusterAt, reasonAt, redisAt, sentinelAt } from '../../support/reason-at.ts';
import { until } from '../../support/until.ts';
import { startRedisServer, useRedis, type RedisServer } from '../../support/redis-server.ts';
import { runCli } from '../../support/start-cli.ts';

const host = '127.0.0.1';
needs('redis-server').describe('a wrong address of Redis', function () {
  this.timeout(60_000);
  const redis = useRedis();
  let sentinel: RedisServer;
  const closers: (() => Promise<unknown>)[] = [];
  const listen = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    server.listen(0, host);
    await once(server, 'listening');
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  };

  before(async () => {
    sentinel = await startRedisServer({
      sentinel: [`sentinel monitor mymaster ${host} ${redis.access.port} 1`],
    });
  });
  after(() => sentinel.stop());
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  it('the address of a server of HTTP is explained', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('hello')));
    const reason =
      'another program than Redis answers: it says "HTTP/1.1 400 Bad Request": is this the right port?';
    for (const address of [redisAt(port), redisAt(port, { tls: {} }), sentinelAt(port), clusterAt(port)])
      expect(await reasonAt(address)).to.equal(reason);
  });

  it('the address of a program that speaks first is explained, without its control characters', async () => {
    const port = await listen(createServer((socket) => void socket.write('\u001B[2JSSH-2.0\r\nmore')));
    expect(await reasonAt(redisAt(port))).to.include(
      'another program than Redis answers: it says "\\u{1b}[2JSSH-2.0"',
    );
  });

  it('the address of a program that says nothing is explained', async () => {
    const port = await listen(createServer());
    expect(await reasonAt(redisAt(port))).to.match(/^it does not answer: /);
  });

  it('the address of a program that closes each connection is explained', async () => {
    const port = await listen(createServer((socket) => void socket.end()));
    expect(await reasonAt(redisAt(port))).to.match(/^it closes the connection without an answer: /);
  });

  it('a Redis that refuses before it is asked is explained', async () => {
    const full = await startRedisServer({ args: ['--maxclients', '1'] });
    closers.push(() => full.stop());
    const holder = new Redis(full.access);
    // It may connect before the connection that waited for the start has ended.
    holder.on('error', () => undefined);
    await until(() =>
      holder.ping().then(
        () => true,
        () => false,
      ),
    );
    for (const address of [redisAt(full.port), clusterAt(full.port)])
      expect(await reasonAt(address)).to.match(/^ERR max number of clients reached: raise maxclients /);
    holder.disconnect();
  });

  it('a Redis in protected mode is explained, by its first sentence', async () => {
    const words =
      '-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. In this mode connections are only accepted from the loopback interface. If you want to connect from external computers to Redis you may adopt one of the following solutions: 1) Just disable protected mode sending the command\r\n';
    // As Redis does it, but not on the loopback interface.
    const port = await listen(createServer((socket) => void socket.end(words, () => socket.destroy())));
    for (const address of [redisAt(port), sentinelAt(port), clusterAt(port)])
      expect(await reasonAt(address)).to.match(
        /^DENIED Redis is running in protected mode .* for the default user: without a password it refuses all other machines/,
      );
  });

  it('a closed port and an unknown name are explained', async () => {
    for (const address of [redisAt(1), sentinelAt(1), clusterAt(1)])
      expect(await reasonAt(address)).to.match(/^connect ECONNREFUSED 127\.0\.0\.1:1: nothing listens there/);
    // No name at all, so that no DNS server is waited for.
    expect(await reasonAt(redisAt(1, { host: 'redis..invalid' }))).to.match(
      /^getaddrinfo E\w+ redis\.\.invalid: /,
    );
  });

  it('a sentinel in the place of a Redis is explained, and the other way round', async () => {
    expect(await reasonAt(redisAt(sentinel.port))).to.match(
      /^ERR unknown command 'eval': .*--redis-sentinel$/,
    );
    expect(await reasonAt(clusterAt(sentinel.port))).to.match(/^ERR unknown command 'cluster': /);
    expect(await reasonAt(sentinelAt(redis.access.port))).to.match(
      /^the sentinel 127\.0\.0\.1:\d+ says ERR unknown command 'SENTINEL': this is not a sentinel; /,
    );
  });

  it('an unknown master is explained, also when the first sentinel is not there', async () => {
    const sentinels = [1, sentinel.port].map((port) => ({ host, port }));
    expect(await reasonAt(sentinelAt(1, { sentinels, masterName: 'other' }))).to.match(
      /^the sentinels know no master "other": .*--redis-master$/,
    );
  });

  it('a Redis in the place of a Cluster is explained', async () => {
    expect(await reasonAt(clusterAt(redis.access.port))).to.match(
      /^ERR This instance has cluster support disabled: this is not a node of a Cluster; /,
    );
  });

  it('a database that does not exist is explained, and the first one is not used instead', async () => {
    expect(await reasonAt(redisAt(redis.access.port, { database: 77 }))).to.match(
      /^ERR DB index is out of range: choose another --redis-database/,
    );
  });

  it('gsls reset explains it as well', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('hello')));
    expect(await runCli(['reset', '--yes', '--redis', `redis://${host}:${port}`])).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `gsls: Redis at ${host}:${port} cannot be used: another program than Redis answers: it says "HTTP/1.1 400 Bad Request": is this the right port?\n`,
    });
  });
});
