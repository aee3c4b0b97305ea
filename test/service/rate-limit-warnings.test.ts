/** What the log says of rate limits that would hit the wrong ones. */

import { expect } from 'chai';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { createDoubtLog, openRateLimits } from '../../src/service/open-rate-limits.ts';
import { configOf } from './config/config-of.ts';
import { silentLogger } from '../support/start-test-service.ts';

describe('the log of rate limits', () => {
  let warnings: string[];
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  beforeEach(() => {
    warnings = [];
  });

  async function open(limits: string, ttlS: number): Promise<void> {
    const config = configOf({ environment: { GSLS_RATE_LIMIT: limits } });
    await openRateLimits({ config, lifetime: createLifetime(ttlS * 1000), logger, redis: undefined });
  }

  it('warns of a limit that leaves one game server less than three pings in its interval', async () => {
    await open('ping=8/m', 60);
    await open('ping=179/m', 3);
    expect(warnings).to.have.length(2);
    for (const warning of warnings) expect(warning).to.include('the rate limit of pings is too low');
  });

  it('is silent about the limits of the examples, with any TTL', async () => {
    for (const ttlS of [3, 10, 60, 86_400])
      await open('broadcast=30/m,ping=240/m,remove=30/m,list=120/m', ttlS);
    expect(warnings).to.deep.equal([]);
  });

  it('warns once of a proxy that is not trusted', () => {
    const warn = createDoubtLog(logger);
    for (let n = 0; n < 3; n += 1) warn();
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('--trust-proxy');
  });
});
