import { expect } from 'chai';
import type { FromWorker, Rows } from '../../../src/page/connection/messages.ts';
import { systemEnvironment, type Environment } from '../../../clients/typescript/src/environment.ts';
import { ListWorker } from '../../../src/page/worker/list-worker.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

/** Time passes five times as fast for the worker, which tells rows once a second and waits for seconds. */
const hurried: Environment = {
  ...systemEnvironment,
  now: () => 5 * systemEnvironment.now(),
  after: (ms, task) => systemEnvironment.after(ms / 5, task),
};

describe('the worker of the page and a service', () => {
  let messages: FromWorker[];
  let worker: ListWorker;

  const start = (port: number): void => {
    messages = [];
    worker = new ListWorker(hurried, (message) => messages.push(structuredClone(message)));
    worker.receive({
      type: 'start',
      baseUrl: `http://127.0.0.1:${port}/`,
      metaKeys: [],
      view: { filters: '', sort: 'name', ids: undefined, firstRegions: [] },
      range: { start: 0, count: 100 },
    });
  };
  const rows = (): Rows | undefined => messages.findLast((each) => each.type === 'rows');
  const names = (): string | undefined => rows()?.rows.map(({ server }) => server.name).join(' '); // prettier-ignore
  const state = (): string | undefined => messages.findLast((each) => each.type === 'state')?.state.is;

  afterEach(() => worker.stop());

  it('show each change of its list, also after a restart of it', async () => {
    const port = await freePort();
    const environment = { GSLS_PORT: String(port), GSLS_FEED_INTERVAL: '100' };
    const broadcast = (name: string): Promise<unknown> =>
      ask({ host: '127.0.0.1', port }, 'POST /broadcast', { body: aBroadcast({ server_name: name }) });

    let service = await startTestService(environment);
    try {
      await broadcast('b');
      start(port);
      await until(() => names() === 'b' && state() === 'live');
      await broadcast('a');
      await until(() => names() === 'a b');
    } finally {
      await service.close();
    }
    worker.receive({ type: 'retry' });
    await until(() => state() === 'away');
    expect(names()).to.equal('a b');

    service = await startTestService(environment);
    try {
      await broadcast('c');
      worker.receive({ type: 'retry' });
      await until(() => names() === 'c' && state() === 'live');
    } finally {
      await service.close();
    }
  });
});
