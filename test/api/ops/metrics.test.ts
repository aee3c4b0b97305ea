/** `GET /metrics`: what a replica counts, for Prometheus. */

import { expect } from 'chai';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { emptyRegistry, valueOf } from '../../support/metrics.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useService } from '../../support/use-service.ts';

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

  it('tell the numbers of the list, the bans and the limits', async () => {
    const limited = await startTestService({ GSLS_MAX_SERVERS: '5', GSLS_ADMIN_KEY: 'admin' });
    try {
      await ask(limited, 'POST /broadcast', { body: aBroadcast({ players: 3 }) });
      await ask(limited, 'POST /broadcast', { body: aBroadcast({ players: 4 }) });
      const body = { name: 'another', reason: 'spam' };
      await ask(limited, 'POST /admin/bans', { body, headers: { Authorization: 'Bearer admin' } });
      const text = await (await fetch(`${limited.url}/metrics`)).text();
      expect(valueOf(text, 'gsls_game_servers')).to.equal(2);
      expect(valueOf(text, 'gsls_players')).to.equal(7);
      expect(valueOf(text, 'gsls_max_game_servers')).to.equal(5);
      expect(valueOf(text, 'gsls_bans')).to.equal(1);
    } finally {
      await limited.close();
    }
  });

  it('tell what the list takes, and how often it is rendered', async () => {
    const own = await startTestService();
    try {
      const read = async (): Promise<string> => (await fetch(`${own.url}/metrics`)).text();
      await ask(own, 'POST /broadcast', { body: aBroadcast() });
      // First: for a client that compresses, a list that is a second old is rendered in brotli too.
      const gzip = await fetch(own.url, { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await ask(own, 'GET /');
      await Promise.all([1, 2, 3].map(() => ask(own, 'GET /')));
      const text = await read();
      expect(valueOf(text, 'gsls_list_bytes', { encoding: 'identity' })).to.equal(
        Buffer.byteLength(plain.text),
      );
      expect(valueOf(text, 'gsls_list_bytes', { encoding: 'gzip' })).to.equal(
        Number(gzip.headers.get('content-length')),
      );
      const renderings = (encoding: string): number =>
        valueOf(text, 'gsls_list_render_duration_seconds_count', { encoding });
      expect(['identity', 'gzip', 'br'].map(renderings)).to.deep.equal([1, 1, 0]);
      expect(valueOf(text, 'gsls_list_render_duration_seconds_sum', { encoding: 'identity' })).to.be.within(
        0.000001,
        1,
      );
    } finally {
      await own.close();
    }
  });

  it('tell of queries whether what matches was kept', async () => {
    const own = await startTestService();
    try {
      for (const query of ['servers?map=a', 'servers?map=a', 'servers?map=b', 'stats?map=a', 'stats?map=a'])
        await ask(own, `GET /${query}`);
      // Another page of the same query.
      await ask(own, 'GET /servers?map=a&limit=5');
      await ask(own, 'GET /servers?nonsense=1');
      const text = await (await fetch(`${own.url}/metrics`)).text();
      expect(valueOf(text, 'gsls_queries_total', { matches: 'new' })).to.equal(3);
      expect(valueOf(text, 'gsls_queries_total', { matches: 'kept' })).to.equal(3);
    } finally {
      await own.close();
    }
  });

  it('tell whether the data file can be written', async () => {
    const { dataFile, render } = createMetrics({ hasDataFile: true });
    const writable = async (): Promise<number> =>
      valueOf(await render(emptyRegistry), 'gsls_data_file_writable');
    expect(await writable()).to.equal(1);
    dataFile!.onUnwritable(new Error('no space left'));
    expect(await writable()).to.equal(0);
    dataFile!.onWritable();
    expect(await writable()).to.equal(1);
  });

  it('leave out what there is not', async () => {
    const text = await createMetrics().render(emptyRegistry);
    expect(text).to.not.match(/gsls_(redis|feed|data_file)_/);
    expect(valueOf(text, 'gsls_max_game_servers')).to.equal(0);
  });

  it('tell the versions of GSLS and Node', async () => {
    const text = await createMetrics({ version: '1.2.3', nodeVersion: '20.19.0' }).render(emptyRegistry);
    expect(text).to.include('gsls_build_info{version="1.2.3",node="20.19.0"} 1\n');
  });

  it('count the events of the registry', async () => {
    const { events, render } = createMetrics();
    events.onExpired([{ id: 'a' }, { id: 'b' }]);
    events.onListed({ id: 'a' }, 'new');
    events.onListed({ id: 'a' }, 'revived');
    events.onLeft({ id: 'a' }, 'parked');
    events.onLeft({ id: 'a' }, 'removed');
    events.onRestored([{ id: 'c' }, { id: 'd' }, { id: 'e' }]);
    events.onReload('rollback');
    events.onExpiryHeld({ silent: 40, listed: 60 });
    events.onUnavailable(undefined);
    const during = await render(emptyRegistry);
    expect(valueOf(during, 'gsls_expired_total')).to.equal(2);
    expect(valueOf(during, 'gsls_revived_total')).to.equal(1);
    expect(valueOf(during, 'gsls_parked_total')).to.equal(1);
    expect(valueOf(during, 'gsls_restored_total')).to.equal(3);
    expect(valueOf(during, 'gsls_reloads_total', { reason: 'rollback' })).to.equal(1);
    expect(valueOf(during, 'gsls_reloads_total', { reason: 'epoch' })).to.equal(0);
    expect(valueOf(during, 'gsls_mass_silence_game_servers')).to.equal(40);
    expect(valueOf(during, 'gsls_registry_available')).to.equal(0);
    events.onExpiryReleased();
    events.onAvailable();
    const after = await render(emptyRegistry);
    expect(valueOf(after, 'gsls_mass_silence_game_servers')).to.equal(0);
    expect(valueOf(after, 'gsls_registry_available')).to.equal(1);
  });

  it('tell whether writes are accepted apart from whether the registry is available', async () => {
    const { events, render } = createMetrics();
    const isWritable = async (): Promise<number> =>
      valueOf(await render(emptyRegistry), 'gsls_registry_writable');
    expect(await isWritable()).to.equal(1);
    events.onWritesRefused(new Error('OOM'));
    expect(await isWritable()).to.equal(0);
    expect(valueOf(await render(emptyRegistry), 'gsls_registry_available')).to.equal(1);
    events.onWritesAccepted();
    expect(await isWritable()).to.equal(1);
    // An outage ends a refusal.
    events.onWritesRefused(new Error('OOM'));
    events.onUnavailable(undefined);
    expect(await isWritable()).to.equal(0);
    events.onAvailable();
    expect(await isWritable()).to.equal(1);
  });
});
