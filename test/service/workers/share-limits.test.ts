/** What a worker may take of the limits of its service. */

import { expect } from 'chai';
import { shareLimits } from '../../../src/service/workers/share-limits.ts';
import { soleDeployment } from '../../../src/service/deployment/deployment.ts';
import { configOf } from '../config/config-of.ts';

describe('a worker', () => {
  it('has its part of what counts in one process, rounded up, so that it has at least 1', () => {
    const environment = {
      GSLS_MAX_WAITING: '2000001',
      GSLS_MAX_CONNECTIONS: '1000',
      GSLS_MAX_CONNECTIONS_PER_ADDRESS: '2',
      GSLS_MAX_STREAMS: '10',
      GSLS_MAX_STREAMS_PER_ADDRESS: '4',
    };
    expect(shareLimits(soleDeployment(configOf({ environment })), 4).config).to.include({
      maxWaiting: 500_001,
      maxConnections: 250,
      maxConnectionsPerAddress: 1,
      maxStreams: 3,
      maxStreamsPerAddress: 1,
    });
  });

  it('has no limit where the service has none, no streams where it offers none, and all else unchanged', () => {
    const config = configOf({ environment: { GSLS_MAX_STREAMS: '0', GSLS_RATE_LIMIT: 'ping=9/m' } });
    expect(shareLimits(soleDeployment(config), 4).registries[0]!.config).to.deep.equal({
      ...config,
      maxWaiting: config.maxWaiting / 4,
      maxStreamsPerAddress: 25,
    });
  });
});
