/** `GET /metrics`: what a replica counts, for Prometheus. */

import { expect } from 'chai';
import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import { ask, expectError } from '../support/ask.ts';
import { valueOf } from '../support/metrics.ts';
import { useService } from '../support/use-service.ts';

describe('the metrics', () => {
  const service = useService({ GSLS_KEY: 'secret' });
  const headers = { Authorization: 'Bearer secret' };

  it('are text for Prometheus, require the key, and are closed to other origins', async () => {
    const answer = await ask(service, 'HEAD /metrics', { headers });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).to.not.have.property('access-control-allow-origin');
    expectError(await ask(service, 'GET /metrics'), 'unauthorized');
  });

  it('count the events of the registry', async () => {
    const { events, render } = createMetrics();
    const nothing = { list: () => Promise.reject(new Error('no list yet')) };
    events.onExpired(['a', 'b']);
    events.onRestored(3);
    events.onReload('rollback');
    events.onExpiryHeld({ silent: 40, listed: 60 });
    events.onUnavailable(undefined);
    const during = await render(nothing);
    expect(valueOf(during, 'gsls_expired_total')).to.equal(2);
    expect(valueOf(during, 'gsls_restored_total')).to.equal(3);
    expect(valueOf(during, 'gsls_reloads_total', { reason: 'rollback' })).to.equal(1);
    expect(valueOf(during, 'gsls_reloads_total', { reason: 'epoch' })).to.equal(0);
    expect(valueOf(during, 'gsls_mass_silence_game_servers')).to.equal(40);
    expect(valueOf(during, 'gsls_registry_available')).to.equal(0);
    events.onExpiryReleased();
    events.onAvailable();
    const after = await render(nothing);
    expect(valueOf(after, 'gsls_mass_silence_game_servers')).to.equal(0);
    expect(valueOf(after, 'gsls_registry_available')).to.equal(1);
  });
});
