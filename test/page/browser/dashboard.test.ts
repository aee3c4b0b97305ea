/** The dashboard of examples/, and a plain EventSource, in a real browser before a real service. */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { StreamProxy, type ProxiedRequest } from '../../support/stream-proxy.ts';
import { until } from '../../support/until.ts';
import { useBrowser } from '../support/browser.ts';
import { useForeignPages } from '../support/use-foreign-pages.ts';

/** The pages: a dashboard of one region, one of all behind a load balancer, and a plain EventSource behind another. */
const [EUROPE, EVERYWHERE, PLAIN] = [0, 1, 2];

/** Shows each event: the id, whether it is the tag, and the names. */
const plainPage = (url: string): string => `<body><pre></pre><script>
  new EventSource('${url}/changes?region=eu').addEventListener('changes', ({ data, lastEventId }) => {
    const { tag, full, servers } = JSON.parse(data);
    document.querySelector('pre').append([lastEventId, tag === lastEventId, full, ...servers.map(({ name }) => name)] + '\\n');
  });
</script>`;

needs('chromium').describe('a browser', function () {
  this.timeout(60_000);
  const browser = useBrowser({ pagesLast: 'block' });
  const serve = useForeignPages();
  const balancer = new StreamProxy(() => service.url);
  const recorder = new StreamProxy(() => service.url);
  let port: number;
  let service: Service;
  const pages: Page[] = [];

  const start = (): Promise<Service> =>
    startTestService({ GSLS_PORT: String(port), GSLS_FEED_INTERVAL: '100', GSLS_TTL: '3600' });

  async function broadcast(fields: Record<string, unknown>): Promise<string> {
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(fields) });
    return body.server_id!;
  }

  /** Its own pauses are ten times shorter; those of the browser are what the proxies say. */
  async function open(html: string, query: string): Promise<void> {
    const page = await browser.open('about:blank');
    await page.addInitScript(() => {
      const wait = window.setTimeout;
      window.setTimeout = ((run: () => void, ms = 0, ...args: unknown[]) =>
        wait(run, ms / 10, ...args)) as typeof setTimeout;
    });
    await page.goto(`${await serve(html)}?${query}`);
    pages.push(page);
  }

  async function linesOf(page: number): Promise<string[]> {
    const text = await pages[page]!.innerText('body');
    return text.split('\n').filter((line) => line !== '');
  }

  const shows = (page: number, lines: readonly string[]): Promise<void> =>
    until(async () => isDeepStrictEqual((await linesOf(page)).slice(1), lines));

  /** The tag of all that was broadcast so far. */
  async function currentTag(): Promise<string> {
    return (JSON.parse((await ask(service, 'GET /changes?region=eu')).text) as { readonly tag: string }).tag;
  }

  before(async () => {
    port = await freePort();
    service = await start();
    const [balancerUrl, recorderUrl] = [await balancer.start(), await recorder.start()];
    const html = readDocument('examples/dashboard.html');
    await open(html, `service=${service.url}&region=eu`);
    await open(html, `service=${balancerUrl}`);
    await open(plainPage(recorderUrl), '');
  });
  after(async () => {
    balancer.stop();
    recorder.stop();
    await service?.close();
  });

  describe('with examples/dashboard.html', () => {
    it('shows changes as they come, of those that match its query', async () => {
      await shows(EUROPE, ['0 servers, 0 players']);
      const id = await broadcast({ server_name: 'Zürich 🎮', region: 'eu', map: 'de_dust2', players: 2 });
      await broadcast({ server_name: 'Tōkyō', region: 'asia', players: 5 });
      await shows(EVERYWHERE, ['2 servers, 7 players', '5/16 Tōkyō', '2/16 Zürich 🎮 de_dust2']);
      await shows(EUROPE, ['1 servers, 2 players', '2/16 Zürich 🎮 de_dust2']);
      const body = { ...aBroadcast({ server_name: 'Moved', region: 'na', players: 9 }), server_id: id };
      await ask(service, 'POST /ping', { body });
      await shows(EVERYWHERE, ['2 servers, 14 players', '9/16 Moved', '5/16 Tōkyō']);
      await shows(EUROPE, ['0 servers, 0 players']);
    });

    it('shows a name with markup as text', async () => {
      const name = `<img src=x onerror="document.body.textContent='taken over'">`;
      await broadcast({ server_name: name, region: 'eu', players: 3 });
      await shows(EUROPE, ['1 servers, 3 players', `3/16 ${name}`]);
    });
  });

  describe('with a plain EventSource', () => {
    let first: ProxiedRequest;
    let bookmark: string;

    it('has the tag of the list as the id of the last event', async () => {
      await until(async () => (await linesOf(PLAIN)).some((line) => line.includes('<img')));
      for (const line of await linesOf(PLAIN)) expect(line).to.match(/^[\w-]+\.\w+,true,/);
    });

    it('takes a heartbeat for a bookmark, and goes on there when its connection was lost', async () => {
      [first] = recorder.requests as [ProxiedRequest];
      expect(first.lastEventId).to.equal(undefined);
      const eventsBefore = (await linesOf(PLAIN)).length;
      await broadcast({ server_name: 'Not for it', region: 'na' });
      bookmark = await currentTag();
      // A browser drops what it has not read yet when it loses the connection: the second one it may lose.
      await until(() => first.text.split(`id: ${bookmark}\n\n`).length > 2);
      recorder.loseConnections();
      await until(() => recorder.requests.length === 2);
      expect(recorder.requests[1]).to.include({ path: first.path, lastEventId: bookmark });
      await broadcast({ server_name: 'For it', region: 'eu', players: 0 });
      await until(async () => (await linesOf(PLAIN)).length > eventsBefore);
      // The bookmark was no event.
      const events = (await linesOf(PLAIN)).slice(eventsBefore);
      expect(events).to.deep.equal([`${await currentTag()},true,false,For it`]);
    });
  });

  describe('whose service restarts', () => {
    before(() => browser.expectComplaints(/net::ERR_|CORS policy/));

    it('connects again by itself, and shows the list of now', async () => {
      await service.close();
      // A browser gives up at this answer: the page has to ask again.
      await until(() => [balancer, recorder].every(({ requests }) => requests.at(-1)!.status === 503));
      service = await start();
      await broadcast({ server_name: 'After the restart', region: 'eu', players: 1 });
      for (const page of [EUROPE, EVERYWHERE])
        await shows(page, ['1 servers, 1 players', '1/16 After the restart']);
    });

    it('asks for what has changed since the list that it shows, also after a 503', async () => {
      const before = balancer.requests.at(-1)!;
      balancer.isAway = true;
      balancer.loseConnections();
      await until(() => balancer.requests.at(-1)!.status === 503);
      balancer.isAway = false;
      await broadcast({ server_name: 'Later', region: 'na', players: 0 });
      await shows(EVERYWHERE, ['2 servers, 1 players', '1/16 After the restart', '0/16 Later']);
      const { path, text } = balancer.requests.at(-1)!;
      const [tag] = before.text.match(/(?<="tag":")[^"]+(?="}\n\n(?!.*"tag"))/s)!;
      expect(path).to.equal(`/changes?since=${tag}&`);
      expect(text).to.include('"full":false').and.to.not.include('"full":true');
    });
  });
});
