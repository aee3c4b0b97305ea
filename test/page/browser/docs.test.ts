/** `GET /docs` in a browser: it works without the internet, and under its own policy. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ask } from '../../support/ask.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';

/** Asks for the list by the page, and resolves with the text that it shows for the answer. */
async function tryTheList(page: Page): Promise<string> {
  const list = page.locator('#operations-Lists-list');
  await list.locator('.opblock-summary-control').click();
  await list.locator('.try-out__btn').click();
  await list.locator('.execute').click();
  const response = list.locator('.live-responses-table tbody .response');
  await response.locator('.highlight-code').first().waitFor();
  return response.first().innerText();
}

needs('chromium').describe('the page that shows the description of the API', function () {
  this.timeout(120_000);
  const service = useService({ GSLS_ADMIN_KEY: 'boss' });
  const withKey = useService({ GSLS_KEY: 'geheim' });
  const browser = useBrowser();

  it('shows every operation, and asks for one, with no request to another host and no complaint', async () => {
    const id = await service.broadcast();
    const page = await browser.open(`${service.url}/docs`);
    expect(await tryTheList(page))
      .to.match(/^200/)
      .and.to.include(id);
    const { text } = await ask(service, 'GET /openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((item) => Object.keys(item));
    expect(await page.locator('.opblock').count()).to.equal(operations.length);
    const hosts = browser.requested
      .filter((url) => !url.startsWith('data:'))
      .map((url) => new URL(url).origin);
    expect([...new Set(hosts)]).to.deep.equal([new URL(service.url).origin]);
  });

  it('works behind a path of a reverse proxy, with a key for which the browser asks', async () => {
    browser.expectComplaints(/401/);
    const proxy = createServer((incoming, outgoing) => {
      const url = incoming.url!.replace(/^\/lists\/games/, withKey.url);
      if (!url.startsWith(withKey.url)) {
        outgoing.writeHead(502).end();
        return;
      }
      request(url, { headers: incoming.headers, agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(outgoing);
      })
        .on('error', () => outgoing.destroy())
        .end();
    });
    await listen(proxy, '127.0.0.1', 0);
    const { port } = proxy.address() as AddressInfo;
    const httpCredentials = { username: 'any', password: 'geheim' };
    const page = await browser.open(`http://127.0.0.1:${port}/lists/games/docs`, { httpCredentials });
    const shown = await tryTheList(page);
    proxy.closeAllConnections();
    proxy.close();
    expect(shown).to.match(/^200/).and.to.include('"count": 0');
  });
});
