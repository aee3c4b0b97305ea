import { expect } from 'chai';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FromWorker, Rows } from '../../../src/page/connection/messages.ts';
import { systemEnvironment } from '../../../src/client/environment.ts';
import { ListWorker } from '../../../src/page/worker/list-worker.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { aServer, changesEvent, changesOf } from './support/page-servers.ts';

const FIRST = changesEvent({ servers: [aServer('a')], full: true, tag: 't1' });
const SECOND = changesEvent({ servers: [aServer('b')], tag: 't2' });

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text);
}

describe('the worker of the page and a service', () => {
  let messages: FromWorker[];
  let worker: ListWorker;

  const start = (port: number): void => {
    messages = [];
    worker = new ListWorker(systemEnvironment, (message) => messages.push(structuredClone(message)));
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

  describe('that fails', () => {
    let server: Server;
    let port: number;
    let answer: (response: ServerResponse, since: string | null, isStream: boolean) => void;

    beforeEach(async () => {
      server = createServer(({ url, headers }, response) => {
        const { searchParams, pathname } = new URL(url!, 'http://service.test');
        if (pathname === '/servers') response.end('<p>');
        else answer(response, searchParams.get('since'), headers.accept === 'text/event-stream');
      });
      await listen(server, '127.0.0.1', 0);
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('keep the list when a stream is cut in the middle of an event, and go on there', async () => {
      answer = (response, since) => {
        if (since === 't1') return stream(response, SECOND);
        stream(response, `retry: 1\n\n${FIRST}${SECOND.slice(0, 60)}`);
        setImmediate(() => response.destroy());
      };
      start(port);
      await until(() => names() === 'Server a Server b');
    });

    it('poll where streams are refused', async () => {
      answer = (response, since, isStream) => {
        response.writeHead(isStream ? 429 : 200, { 'Content-Type': 'application/json' });
        if (isStream) response.end('{"code":"too_many_streams"}');
        else response.end(changesOf({ servers: [aServer('a')], full: since === null, tag: 't1' }));
      };
      start(port);
      await until(() => names() === 'Server a' && state() === 'live');
    });

    it('keep the list while a proxy answers with a page of its own', async () => {
      let isBroken = false;
      answer = (response, since) => {
        if (isBroken) response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
        else if (since === 't1') stream(response, SECOND);
        else stream(response, `retry: 1\n\n${FIRST}`);
      };
      start(port);
      await until(() => names() === 'Server a');
      isBroken = true;
      server.closeAllConnections();
      await until(() => state() === 'away');
      expect(names()).to.equal('Server a');
      isBroken = false;
      worker.receive({ type: 'retry' });
      await until(() => names() === 'Server a Server b' && state() === 'live');
    });
  });
});
