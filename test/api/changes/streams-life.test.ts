/** How long a stream lasts, by a clock that the test moves. The client reads a real socket. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { parseChangesQuery } from '../../../src/api/changes/wanted-list.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { Streams } from '../../../src/api/changes/streams.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { aGameServer, anEndpointRequest, broadcastTo } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { until } from '../../support/until.ts';

/** So many that half of the time is over for some of them, and not for all. */
const CLIENTS = 40;
const LIFE_MS = 60_000;

describe('the life of a stream', () => {
  let registry: MemoryRegistry;
  let clock: ManualClock;
  let server: Server;
  let url: string;
  /** How many are open, as the replica counts them. */
  let open: number;

  beforeEach(async () => {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    await broadcastTo(registry, aGameServer());
    clock = new ManualClock();
    open = 0;
    const streams = new Streams({
      registry,
      turns: new Turns(),
      most: 100,
      ofAll: { most: Infinity, open: 0 },
      mostPerAddress: 100,
      intervalMs: 1000,
      maxWaitingBytes: 2 ** 26,
      lifeMs: LIFE_MS,
      clock,
      events: {
        onStreams: (count) => (open = count),
        onEvents: () => undefined,
        onWaiting: () => undefined,
        onCutOff: (reason) => expect.fail(reason),
        onError: (error) => expect.fail(String(error)),
      },
    });
    const listing = await registry.list();
    server = createServer((_, response) => {
      const { wanted } = parseChangesQuery('');
      const request = { wanted, since: undefined, asker: anEndpointRequest(), isGzip: false };
      streams.open(request, listing).start(response);
    });
    await listen(server, '127.0.0.1', 0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await registry.close();
  });

  /** Second by second, so that clients read meanwhile. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await clock.advance(1000);
      await nextTurn();
    }
  }

  it('is nine tenths of an hour to an hour, another one for each client, and its end says when to connect again', async () => {
    expect(DEADLINES.streamMs).to.equal(60 * LIFE_MS);
    const texts = Array.from({ length: CLIENTS }, async () => (await fetch(url)).text());
    await until(() => open === CLIENTS);
    await pass(53);
    // At the last beat before the first that may end one.
    expect(open).to.equal(CLIENTS);
    await pass(3);
    await until(() => open < CLIENTS);
    expect(open).to.be.greaterThan(0);
    await pass(4);
    for (const text of await Promise.all(texts))
      expect(text).to.match(/\n\nid: \S+\n\nretry: (\d{3}|1000)\n\n$/);
    await until(() => open === 0);
    expect(clock.timers, 'timers without a stream').to.equal(0);
  });
});
