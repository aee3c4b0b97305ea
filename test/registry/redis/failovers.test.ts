/** How a connection goes through a failover that scripted sentinels tell of. The pauses pass when the test says so. */

import { mock } from 'node:test';
import { expect } from 'chai';
import { connectRedis, type RedisConnection } from '../../../src/registry/redis/connection/connect.ts';
import { watchFailovers } from '../../../src/registry/redis/connection/failovers.ts';
import { startScriptedRedis, type ScriptedRedis } from '../../support/scripted-redis.ts';
import { until } from '../../support/until.ts';

const MASTER_NAME = 'mymaster';
const BEGIN = '+failover-state-select-slave';
const SWITCH = '+switch-master';
/** Between two attempts, with the jitter: after the first failure, and after many. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 450;

describe('a failover that the sentinels tell of', () => {
  let sentinel: ScriptedRedis;
  let old: ScriptedRedis;
  let successor: ScriptedRedis;
  let connection: RedisConnection;
  let heard: 'begin' | 'end' | undefined;
  let stopListening: () => void;

  beforeEach(async () => {
    [old, successor] = await Promise.all([startScriptedRedis(), startScriptedRedis()]);
    sentinel = await startScriptedRedis(([, question]) =>
      question?.toLowerCase() === 'get-master-addr-by-name' ? [old.host, String(old.port)] : [],
    );
    mock.timers.enable({ apis: ['setTimeout'] });
    const address = {
      kind: 'sentinel',
      sentinels: [sentinel],
      masterName: MASTER_NAME,
      database: 0,
    } as const;
    connection = connectRedis(address);
    await until(() => connection.client.status === 'ready' && sentinel.subscribers(SWITCH) === 1);
    // Told after the connection is.
    heard = undefined;
    stopListening = watchFailovers(
      address,
      {},
      { onBegin: () => void (heard = 'begin'), onEnd: () => void (heard = 'end') },
    );
    await until(() => sentinel.subscribers(SWITCH) === 2);
  });
  afterEach(async () => {
    mock.timers.reset();
    stopListening();
    await connection.close();
    for (const each of [sentinel, old, successor]) each.stop();
  });

  async function begin(): Promise<void> {
    sentinel.publish(BEGIN, `master ${MASTER_NAME} ${old.host} ${old.port}`);
    await until(() => heard === 'begin');
  }

  /** The sentinel may go on naming the old master for a moment. */
  async function end(): Promise<void> {
    sentinel.publish(SWITCH, `${MASTER_NAME} ${old.host} ${old.port} ${successor.host} ${successor.port}`);
    await until(() => heard === 'end');
  }

  const hasStatus = (status: string) => until(() => connection.client.status === status);

  it('the old master is left alone from when it begins, also where an attempt was due', async () => {
    old.hangUp();
    await hasStatus('end');
    await begin();
    mock.timers.tick(LONGEST_PAUSE_MS);
    expect(connection.client.status).to.equal('end');
    await end();
    mock.timers.tick(SHORTEST_PAUSE_MS);
    await hasStatus('ready');
    expect([old.connections, successor.connections]).to.deep.equal([1, 1]);
  });

  it('a sentinel that has not heard of it yet leads to the successor as well', async () => {
    await begin();
    await hasStatus('end');
    await end();
    mock.timers.tick(SHORTEST_PAUSE_MS);
    await hasStatus('ready');
    expect([old.connections, successor.connections]).to.deep.equal([1, 1]);
  });

  it('the old master may become the master again', async () => {
    await begin();
    await hasStatus('end');
    await end();
    await begin();
    heard = undefined;
    sentinel.publish(SWITCH, `${MASTER_NAME} ${successor.host} ${successor.port} ${old.host} ${old.port}`);
    await until(() => heard === 'end');
    mock.timers.tick(SHORTEST_PAUSE_MS);
    await hasStatus('ready');
    expect([old.connections, successor.connections]).to.deep.equal([2, 0]);
  });

  it('the successor is tried after the shortest pause, however often the old master was in vain', async () => {
    old.stop();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await hasStatus('end');
      mock.timers.tick(LONGEST_PAUSE_MS);
      await until(() => connection.client.status !== 'end');
    }
    await hasStatus('end');
    await begin();
    await end();
    mock.timers.tick(SHORTEST_PAUSE_MS);
    await hasStatus('ready');
  });
});
