/** The events `state` of a stream, while a real Redis is away and comes back. */

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { EventParser, type ServerSentEvent } from '../../support/event-parser.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

interface State {
  readonly stale: boolean;
  readonly as_of?: string;
}

function statesIn(events: readonly ServerSentEvent[]): readonly State[] {
  return events.flatMap(({ type, data }) => (type === 'state' ? [JSON.parse(data) as State] : []));
}

needs('redis-server').describe('the state of the list in a stream', () => {
  let redis: RedisServer;
  let service: Service;
  const open: IncomingMessage[] = [];
  beforeEach(async () => {
    redis = await startRedisServer();
    const environment = { GSLS_REDIS: redis.url, GSLS_FEED_INTERVAL: '100' };
    service = await startTestService(environment, silentLogger, DEADLINES);
    await ask(service, 'POST /broadcast', { body: aBroadcast() });
  });
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.destroy();
    await service.close();
    await redis.stop();
  });

  async function follow(): Promise<readonly ServerSentEvent[]> {
    const asked = request(`${service.url}/changes`, {
      agent: false,
      headers: { Accept: 'text/event-stream' },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    open.push(answer);
    const events: ServerSentEvent[] = [];
    const parser = new EventParser((event) => events.push(event));
    answer.on('error', () => undefined);
    answer.on('data', (part: Buffer) => parser.push(part.toString()));
    await until(() => events.some(({ type }) => type === 'changes'));
    return events;
  }

  for (const [what, goAway, comeBack] of [
    ['frozen', () => redis.freeze(), () => redis.thaw()],
    ['killed', () => redis.crash(), () => redis.restart()],
  ] as const)
    it(`says since when the list is not current while Redis is ${what}, and that it is again`, async () => {
      const before = Date.now();
      const events = await follow();
      await goAway();
      await until(() => statesIn(events).at(-1)?.stale === true);
      const state = statesIn(events).at(-1);
      expect(state).to.have.all.keys('stale', 'as_of').and.to.include({ stale: true });
      expect(Date.parse(state!.as_of!)).to.be.within(before - 10_000, Date.now());
      const late = await follow();
      expect(late[0]).to.include({ type: 'state' });
      await comeBack();
      await until(() => [events, late].every((each) => statesIn(each).at(-1)?.stale === false));
      // On a busy machine Redis may be late more than once; but nothing is told twice.
      const told = statesIn(events).map(({ stale }) => stale);
      expect(told).to.deep.equal(told.map((_, index) => index % 2 === 0));
      expect(events.filter(({ type }) => type === 'changes')).to.have.length(1);
    });
});
