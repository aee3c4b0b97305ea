/** `GET /metrics` of a replica with Redis. */

import { expect } from 'chai';
import { DEADLINES, type Deadlines } from '../../../src/runtime/deadlines.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';

needs('redis-server').describe('the metrics of a replica with Redis', () => {
  let redis: RedisServer;
  let replica: Awaited<ReturnType<typeof startTestService>>;
  const start = async (deadlines?: Deadlines): Promise<void> => {
    redis = await startRedisServer();
    replica = await startTestService(
      { GSLS_REDIS: redis.url, GSLS_SERVER_HISTORY_MOST: '0' },
      silentLogger,
      deadlines,
    );
  };
  afterEach(async () => {
    await replica.close();
    await redis.stop();
  });
  const read = async (): Promise<string> => (await fetch(`${replica.url}/metrics`)).text();

  it('tell how old the list is while Redis is away, and nothing of calls that could not be sent', async () => {
    await start({ ...DEADLINES, retryMs: 0 });
    let text = await read();
    expect(valueOf(text, 'gsls_game_servers')).to.equal(0);
    expect(valueOf(text, 'gsls_list_stale_seconds')).to.equal(0);
    expect(valueOf(text, 'gsls_registry_available')).to.equal(1);
    await redis.stop();
    while (valueOf(text, 'gsls_redis_up') === 1 || valueOf(text, 'gsls_registry_available') === 1)
      text = await read();
    expect(valueOf(text, 'gsls_list_stale_seconds')).to.be.above(0);
    const failures = (): number => valueOf(text, 'gsls_redis_errors_total', { kind: 'connection' });
    const [callsBefore, failuresBefore] = [pollsIn(text), failures()];
    while (failures() < failuresBefore + 5) text = await read();
    expect(pollsIn(text)).to.equal(callsBefore);
  });

  it('tell apart a Redis that is gone from one that hangs', async () => {
    await start({ ...DEADLINES, retryMs: 0 });
    const before = await read();
    expect(valueOf(before, 'gsls_redis_up')).to.equal(1);
    expect(valueOf(before, 'gsls_redis_breaker_open')).to.equal(0);
    redis.freeze();
    let hung = before;
    while (valueOf(hung, 'gsls_redis_breaker_open') === 0) hung = await read();
    expect(valueOf(hung, 'gsls_redis_up')).to.equal(1);
    expect(valueOf(hung, 'gsls_redis_errors_total', { kind: 'timeout' })).to.be.above(0);
    await redis.stop();
    let gone = hung;
    while (valueOf(gone, 'gsls_redis_up') === 1) gone = await read();
    while (valueOf(gone, 'gsls_redis_errors_total', { kind: 'connection' }) === 0) gone = await read();
  });

  it('tell how long each script takes, by calls and not by requests, and how many polls there were', async () => {
    await start();
    const { body } = await ask(replica, 'POST /broadcast', { body: aBroadcast() });
    const ping = { ...aBroadcast(), server_id: body.server_id };
    let text = '';
    const count = (script: string): number =>
      valueOf(text, 'gsls_redis_call_duration_seconds_count', { script });
    let pings = 0;
    // Until some of them have come so close together that they were one call.
    do {
      await Promise.all(Array.from({ length: 40 }, () => ask(replica, 'POST /ping', { body: ping })));
      pings += 40;
      text = await read();
    } while (count('ping') === pings);
    expect(count('ping')).to.be.within(1, pings - 1);
    expect(count('broadcast')).to.equal(1);
    expect(count('mend')).to.equal(0);
    expect(valueOf(text, 'gsls_redis_call_duration_seconds_sum', { script: 'ping' })).to.be.within(
      0.0001,
      10,
    );

    // What the polls of the feed confirmed, and what they told.
    const before = await read();
    await ask(replica, 'POST /broadcast', { body: aBroadcast() });
    const reads = 30;
    await Promise.all(Array.from({ length: reads }, () => ask(replica, 'GET /')));
    const after = await read();
    const grown = (name: string): number => valueOf(after, name) - valueOf(before, name);
    // A scrape reads the list as well.
    expect(grown('gsls_feed_reads_total')).to.equal(reads + 1);
    expect(grown('gsls_feed_polls_total')).to.be.above(0);
    expect(grown('gsls_feed_changes_total')).to.equal(1);
  });
});

/** The polls of the feed whose time was measured. */
function pollsIn(text: string): number {
  return valueOf(text, 'gsls_redis_call_duration_seconds_count', { script: 'changes' });
}
