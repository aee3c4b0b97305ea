/**
 * A service with other deadlines than those in force: it goes by its own, and gives up what they say and nothing else.
 */

import { expect } from 'chai';
import { DEADLINES, type Deadlines } from '../../src/runtime/deadlines.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { PATIENT } from '../support/patient.ts';
import { startRedisServer, type RedisServer } from '../support/redis-server.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';
import { Stopwatch } from '../support/stopwatch.ts';

describe('the deadlines in force', () => {
  it('leave each request time for an answer within 2 s', () => {
    const { sharedCountMs, retryMs, commandMs, listMs, fileWriteMs, eventLoopDelayMs } = DEADLINES;
    expect(sharedCountMs + retryMs + commandMs).to.be.below(2000);
    expect(listMs).to.be.below(commandMs);
    expect(2 * fileWriteMs).to.be.below(2000);
    expect(Math.max(...Object.values(eventLoopDelayMs))).to.be.at.most(commandMs);
  });
});

needs('redis-server').describe('a deadline of a service whose Redis hangs', function () {
  this.timeout(60_000);
  let redis: RedisServer;
  /** How many tests have begun: each has a registry of its own. */
  let tests = 0;
  const services: Service[] = [];

  const start = async (deadlines: Partial<Deadlines>): Promise<Service> => {
    const given = { ...PATIENT, ...deadlines };
    const environment = {
      GSLS_REDIS: redis.url,
      GSLS_REGISTRY: `test-${tests}`,
      GSLS_RATE_LIMIT: 'broadcast=5/h',
    };
    const service = await startTestService(environment, silentLogger, given);
    services.push(service);
    return service;
  };
  /** What a service that is in a hurry answers while Redis hangs, and then a patient one that was asked as well. */
  async function answersOf(
    hurry: Partial<Deadlines>,
    what: string,
    body?: object,
  ): Promise<readonly [TestAnswer, TestAnswer]> {
    const [hasty, patient] = [await start(hurry), await start({})];
    redis.freeze();
    const later = ask(patient, what, body && { body });
    const stopwatch = new Stopwatch();
    const first = await ask(hasty, what, body && { body });
    expect(stopwatch.stop()).to.be.below(2000);
    redis.thaw();
    return [first, await later];
  }

  before(async () => {
    redis = await startRedisServer();
  });
  beforeEach(() => (tests += 1));
  afterEach(async () => {
    redis.thaw();
    await Promise.all(services.splice(0).map((service) => service.close()));
  });
  after(() => redis.stop());

  it('of a command is after what a write is refused', async () => {
    const [hasty, patient] = await answersOf({ commandMs: 300 }, 'POST /broadcast', aBroadcast());
    expectError(hasty, 'registry_unavailable');
    expect(patient.status).to.equal(200);
  });

  it('of a list is after what the last one is shown, as stale', async () => {
    const [hasty, patient] = await answersOf({ listMs: DEADLINES.listMs }, 'GET /');
    expect(hasty.status).to.equal(200);
    expect(hasty.headers).to.include({ warning: '110 - "Response is Stale"' });
    expect(patient.headers).to.not.have.property('warning');
  });

  it('of the shared count is after what a client gets the count of this replica', async () => {
    await ask(await start({}), 'POST /broadcast', { body: aBroadcast() });
    const hurry = { sharedCountMs: 100, commandMs: 300 };
    const [hasty, patient] = await answersOf(hurry, 'POST /broadcast', aBroadcast());
    expect(hasty.headers['ratelimit']).to.match(/^"broadcast";r=4;/);
    expect(patient.headers['ratelimit']).to.match(/^"broadcast";r=[23];/);
  });
});
