/** The metrics as Prometheus wants them: zeros before the first request, so that an alert sees the first error. */

import { expect } from 'chai';
import { ERRORS } from '../../../src/model/errors.ts';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { emptyRegistry, valueOf } from '../../support/metrics.ts';

describe('the metrics before the first request', () => {
  const labels: Readonly<Record<string, readonly string[]>> = {
    'gsls_reloads_total.reason': ['epoch', 'rollback', 'digest', 'floor', 'reset', 'damage'],
    'gsls_refused_total.code': Object.keys(ERRORS),
    'gsls_load_shedding.kind': ['list', 'broadcast', 'ping'],
    'gsls_queries_total.matches': ['kept', 'new'],
    'gsls_work_refused_total.reason': ['queue', 'wait', 'gone'],
    'gsls_list_bytes.encoding': ['identity', 'gzip', 'br'],
    'gsls_list_render_duration_seconds_count.encoding': ['identity', 'gzip', 'br'],
    'gsls_redis_errors_total.kind': ['timeout', 'connection', 'auth', 'read_only', 'loading', 'other'],
    'gsls_redis_call_duration_seconds_count.script': ['broadcast', 'ping', 'remove', 'changes', 'restore'],
  };

  it('show zeros for every value of every label', async () => {
    const text = await createMetrics({ hasRedis: true }).render(emptyRegistry);
    for (const [name, values] of Object.entries(labels)) {
      const [metric, label] = name.split('.');
      for (const value of values) {
        const series = `${metric}{${label}="${value}"}`;
        expect(valueOf(text, series), series).to.equal(0);
      }
    }
  });

  it('have a value for every metric but those whose labels are of requests', async () => {
    const options = { hasRedis: true, hasDataFile: true, protocols: ['ddnet'], origins: ['eu'] };
    const text = await createMetrics(options).render(emptyRegistry);
    const names = [...text.matchAll(/^# TYPE (gsls_\S+)/gm)].map(([, name]) => name!);
    expect(
      names.filter((name) => !new RegExp(`^${name}(_count)?(\\{.*\\})? \\d`, 'm').test(text)),
    ).to.deep.equal(['gsls_http_request_duration_seconds', 'gsls_key_requests_total']);
  });
});
