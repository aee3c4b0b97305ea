/**
 * What an error answer says and does not say. Every error at every operation: test/docs/errors.test.ts.
 */

import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../../src/service/config/config.ts';
import { NO_DECISIONS } from '../../../src/registry/decisions/decisions.ts';
import { ERRORS } from '../../../src/model/errors.ts';
import { ServiceError } from '../../../src/model/service-error.ts';
import { errorAnswer } from '../../../src/api/http/answer.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import { createListener } from '../../support/create-listener.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { silentLogger } from '../../support/start-test-service.ts';

const SECRET = 'the password is hunter2, see /var/lib/registry.ts:12';

const broken = async (): Promise<never> => {
  throw new TypeError(SECRET);
};

const brokenRegistry: Backend = {
  broadcast: broken,
  ping: broken,
  rebroadcast: broken,
  remove: broken,
  park: broken,
  list: broken,
  entries: broken,
  evict: broken,
  known: () => undefined,
  close: broken,
  moderation: {
    decided: NO_DECISIONS,
    decide: broken,
    findBan: () => undefined,
    mayBeTold: () => true,
  },
  history: { points: broken },
  serverHistories: { of: broken },
  lease: { take: broken },
  secret: { text: 'secret' },
  reachability: { note: broken },
  reports: { all: broken, add: broken, dismiss: broken },
  nativeEntries: {
    publish: broken,
    withdraw: broken,
    documentOf: () => undefined,
  },
  fates: { of: broken, expiredOf: broken },
  hasList: true,
  glance: broken,
};

/** The answer to a broadcast, on a registry with a defect. */
async function answerOnABrokenRegistry(logged: object[], path: string): Promise<TestAnswer> {
  const config = createConfig({ flags: {}, environment: {}, readFile: () => '' });
  const lifetime = createLifetime(60_000);
  const logger = { ...silentLogger, error: (fields: object) => logged.push(fields) };
  const server = createServer(createListener({ config, registry: brokenRegistry, lifetime, logger }));
  await listen(server, '127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  try {
    return await ask({ url: `http://127.0.0.1:${port}` }, `POST ${path}`, { body: aBroadcast() });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('an error answer', () => {
  for (const path of ['/broadcast', '/broadcast?by=the-other-lane'])
    it(`lets nothing of a defect out, and logs it in full, at ${path}`, async () => {
      const logged: { err?: Error; path?: string }[] = [];
      const answer = await answerOnABrokenRegistry(logged, path);
      expect(answer.body).to.deep.equal({
        status: 'error',
        error: ERRORS.internal_error.message,
        code: 'internal_error',
      });
      expect(JSON.stringify(answer.headers)).to.not.include('hunter2');
      expect(logged).to.have.length(1);
      expect(logged[0]?.err).to.be.instanceOf(TypeError).with.property('message', SECRET);
      expect(logged[0]?.path).to.equal('/broadcast');
    });

  it('Retry-After is never later than the next ping is due', () => {
    const told = Array.from(
      { length: 100 },
      () => errorAnswer(new ServiceError('registry_unavailable'), 2).headers['Retry-After'],
    );
    expect(new Set(told)).to.deep.equal(new Set(['1', '2']));
  });
});
