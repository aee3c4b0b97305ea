/** Keys that are refused are seen in the log, and cannot fill it. */

import { expect } from 'chai';
import { createWrongKeyLog } from '../../src/service/wrong-key-log.ts';
import { ask, expectError } from '../support/ask.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';

const MESSAGE = 'requests with a wrong key were refused';

describe('the log of wrong keys', () => {
  const lines: object[] = [];
  const info = (fields: object, message: string): void => {
    if (message === MESSAGE) lines.push(fields);
  };
  const logger = { ...silentLogger, info };
  beforeEach(() => void lines.splice(0));

  it('has a line for a wrong key, and none for a request without one', async () => {
    const service = await startTestService(
      { GSLS_KEY: 'key', GSLS_ADMIN_KEY: 'boss', GSLS_LOG_ADDRESSES: 'masked' },
      logger,
    );
    try {
      for (const call of ['GET /', 'GET /admin/bans', 'DELETE /nothing'])
        expectError(await ask(service, call), 'unauthorized');
      expect(lines).to.deep.equal([]);
      expectError(
        await ask(service, 'GET /', { headers: { Authorization: 'Bearer guess' } }),
        'unauthorized',
      );
      expect(lines).to.deep.equal([{ count: 1, address: '127.0.0.0/24' }]);
      for (const call of ['GET /', 'GET /admin/bans', 'DELETE /nothing'])
        expectError(await ask(service, call, { headers: { Authorization: 'guess' } }), 'unauthorized');
      expect(lines).to.have.length(1);
    } finally {
      await service.close();
    }
  });

  it('says once a minute how many there were', () => {
    let now = 0;
    const note = createWrongKeyLog(logger, () => now);
    for (; now < 150_000; now += 10_000) note('192.0.2.1');
    expect(lines).to.deep.equal([1, 6, 6].map((count) => ({ count, address: '192.0.2.1' })));
  });
});
