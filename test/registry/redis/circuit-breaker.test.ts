import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import { CircuitBreaker } from '../../../src/registry/redis/scripts/circuit-breaker.ts';

function failure(message: string, name: string): () => Promise<never> {
  const cause = Object.assign(new Error(message), { name });
  return async () => {
    throw new ServiceError('registry_unavailable', { cause });
  };
}

const timeout = failure('Command timed out', 'Error');
const broken = failure('Connection is closed.', 'Error');

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );
}

describe('a circuit breaker', () => {
  let told: string[];
  let breaker: CircuitBreaker;
  beforeEach(() => {
    told = [];
    breaker = new CircuitBreaker({ onOpen: () => told.push('open'), onClose: () => told.push('close') });
  });

  it('lets operations pass while they succeed', async () => {
    expect(await breaker.run(async () => 7)).to.equal(7);
    expect(breaker.isOpen).to.equal(false);
  });

  it('stays closed if a probe fails that nobody needs by then', async () => {
    let isNeeded = true;
    const probed = breaker.probe(timeout, () => isNeeded);
    isNeeded = false;
    expect(await codeOf(probed)).to.equal('registry_unavailable');
    expect([breaker.isOpen, told]).to.deep.equal([false, []]);
  });

  for (const [what, fail] of Object.entries({ timeout, broken })) {
    it(`opens at the first that fails for want of an answer: ${what}`, async () => {
      expect(await codeOf(breaker.run(fail))).to.equal('registry_unavailable');
      expect(breaker.isOpen).to.equal(true);
      let ran = false;
      const refused = breaker.run(async () => (ran = true));
      expect(await codeOf(refused)).to.equal('registry_unavailable');
      expect(ran).to.equal(false);
    });
  }

  for (const reply of ['READONLY', 'NOREPLICAS', 'MASTERDOWN', 'LOADING', 'CLUSTERDOWN', 'TRYAGAIN']) {
    it(`opens at ${reply}`, async () => {
      await codeOf(breaker.run(failure(`${reply} of Redis`, 'ReplyError')));
      expect(breaker.isOpen).to.equal(true);
    });
  }

  for (const reply of ['OOM', 'MISCONF', 'NOPERM', 'ERR', 'WRONGTYPE']) {
    it(`stays closed at ${reply}, which is an answer`, async () => {
      const refused = breaker.run(failure(`${reply} of Redis`, 'ReplyError'));
      expect(await codeOf(refused)).to.equal('registry_unavailable');
      expect(breaker.isOpen).to.equal(false);
    });
  }

  it('reports what Redis has refused, and no outage', async () => {
    const refused: unknown[] = [];
    const reporting = new CircuitBreaker({
      onOpen: () => undefined,
      onClose: () => undefined,
      onRefused: (error) => refused.push((error as Error).message),
    });
    await codeOf(reporting.run(failure('OOM of Redis', 'ReplyError')));
    await codeOf(reporting.run(timeout));
    expect(refused).to.deep.equal(['OOM of Redis']);
  });

  it('closes at a probe that succeeds, and tells of each turn once', async () => {
    await Promise.all([codeOf(breaker.run(timeout)), codeOf(breaker.run(timeout))]);
    expect(await codeOf(breaker.probe(timeout))).to.equal('registry_unavailable');
    expect(told).to.deep.equal(['open']);
    expect(await breaker.probe(async () => 7)).to.equal(7);
    await breaker.probe(async () => 7);
    expect(told).to.deep.equal(['open', 'close']);
    expect(await breaker.run(async () => 8)).to.equal(8);
  });

  it('is not closed by an operation that was under way as it opened', async () => {
    const redis = new EventEmitter();
    const slow = breaker.run(() => once(redis, 'answer'));
    await codeOf(breaker.run(timeout));
    redis.emit('answer', 7);
    expect(await slow).to.deep.equal([7]);
    expect(breaker.isOpen).to.equal(true);
  });
});
