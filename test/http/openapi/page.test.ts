/** `GET /docs`, as a browser shows it: it works without the internet, and under its own policy. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { BrowserPage } from '../../support/devtools.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

/** The operation that is tried. */
const LIST = '#operations-Lists-list';
const RESPONSE = `${LIST} .live-responses-table tbody .response`;

async function appears(page: BrowserPage, selector: string): Promise<void> {
  await until(async () => (await page.valueOf(`document.querySelector('${selector}') !== null`)) === true);
}

async function click(page: BrowserPage, selector: string): Promise<void> {
  await appears(page, selector);
  await page.valueOf(`void document.querySelector('${selector}').click()`);
}

/** Opens the page, asks for the list by it, and resolves with the text that it shows for the answer. */
async function tryTheList(page: BrowserPage, { url }: Pick<UsedService, 'url'>): Promise<string> {
  await page.goTo(`${url}/docs`);
  await click(page, `${LIST} .opblock-summary-control`);
  await click(page, `${LIST} .try-out__btn`);
  await click(page, `${LIST} .execute`);
  await appears(page, `${RESPONSE} .highlight-code`);
  return (await page.valueOf(`document.querySelector('${RESPONSE}').innerText`)) as string;
}

needs('chromium').describe('the page that shows the description of the API', function () {
  this.timeout(60_000);
  const path = useDirectory();
  const service = useService({ GSLS_ADMIN_KEY: 'boss' });
  const withKey = useService({ GSLS_KEY: 'geheim' });
  let page: BrowserPage | undefined;
  afterEach(() => page?.close());

  it('shows every operation, and asks for one, with no request to another host and no complaint', async () => {
    const id = await service.broadcast();
    page = await BrowserPage.open(path());
    expect(await tryTheList(page, service))
      .to.match(/^200/)
      .and.to.include(id);
    const { text } = await ask(service, 'GET /openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    const shown = await page.valueOf("document.querySelectorAll('.opblock').length");
    expect(shown).to.equal(Object.values(paths).flatMap((item) => Object.keys(item)).length);
    const hosts = page.requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin);
    expect([...new Set(hosts)]).to.deep.equal([new URL(service.url).origin]);
    expect(page.complaints).to.deep.equal([]);
  });

  it('works behind a path of a reverse proxy', async () => {
    const id = await service.broadcast();
    const proxy = createServer((incoming, outgoing) => {
      const url = incoming.url!.replace(/^\/lists\/games/, service.url);
      if (!url.startsWith(service.url)) {
        outgoing.writeHead(502).end();
        return;
      }
      request(url, { headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      }).end();
    });
    await listen(proxy, '127.0.0.1', 0);
    const { port } = proxy.address() as AddressInfo;
    page = await BrowserPage.open(path());
    const shown = await tryTheList(page, { url: `http://127.0.0.1:${port}/lists/games` });
    proxy.closeAllConnections();
    proxy.close();
    expect(shown).to.match(/^200/).and.to.include(id);
  });

  it('works with a key, for which the browser asks', async () => {
    page = await BrowserPage.open(path(), 'geheim');
    expect(await tryTheList(page, withKey)).to.match(/^200/);
  });
});

describe('the page that shows the description of the API', () => {
  const service = useService();

  it('may load nothing but its own files, and be in no frame', async () => {
    const { headers, text } = await ask(service, 'GET /docs');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).to.not.match(/<script>|<style|style=|https?:/);
  });

  it('has files that caches keep, by names that change with them', async () => {
    const { text } = await ask(service, 'GET /docs');
    const files = [...text.matchAll(/"(docs\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files).to.have.length(3);
    for (const file of files) {
      expect(file).to.match(/^docs\/[a-z-]+-[\w-]{12}\.(js|css)$/);
      const { status, headers } = await ask(service, `GET /${file}`);
      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(headers['content-type']).to.match(/^text\/(javascript|css); charset=utf-8$/);
    }
  });

  it('has no other files', async () => {
    for (const path of [
      '/docs/',
      '/docs/swagger-ui.css',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/a/b',
    ])
      expectError(await ask(service, `GET ${path}`), 'not_found');
  });
});
