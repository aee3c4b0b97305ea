/** Game servers that say hostile things of themselves: the page shows them as text, in a row like any other. */

import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { areRowsWhole, SeenList } from '../support/seen-list.ts';

/** Each of them in every field that is a text. Control characters and bidi overrides the service refuses by itself. */
const HOSTILE = [
  `<script>alert(1)</script>`,
  `<img src=x onerror=alert(1)>`,
  `"><svg onload=alert(1)>`,
  `' onmouseover='alert(1)' x='`,
  `</td></tr></table><h1>Taken over`,
  `javascript:alert(document.domain)`,
  `{{constructor.constructor('alert(1)')()}}`,
  `\${alert(1)} <%= 7*7 %> #{7*7}`,
  `Z${'\u0300\u0301\u0302\u0316\u0317\u0318\u0488'.repeat(8)}algo`,
  `👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏿🇩🇪🧑🏽‍🚀`,
  `مرحبا بالعالم (שלום) 1/2 >>>`,
  'W'.repeat(120),
  `__proto__`,
  `null`,
  `&lt;b&gt;&amp;#x3c;script&#62;`,
];

const LONGEST_NAME = 128;
const LONGEST = { map: 64, mode: 64, version: 64, region: 32, tag: 32 };

/** As far as a field takes it. */
function cut(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('').trim();
}

needs('chromium').describe('a page of hostile game servers', () => {
  const service = useService({
    GSLS_PAGE_CONNECT: 'game://{host}:{port}/?name={name}',
    GSLS_TTL: '3600',
  });
  const browser = useBrowser();
  const names = HOSTILE.map((text) => cut(text, LONGEST_NAME));
  let id: string;

  before(async () => {
    const broadcasts = HOSTILE.map((text, n) =>
      service.broadcast({
        server_name: names[n],
        server_port: 1000 + n,
        players: 15 - n,
        map: cut(text, LONGEST.map),
        mode: cut(text, LONGEST.mode),
        version: cut(text, LONGEST.version),
        region: cut(text, LONGEST.region),
        tags: [cut(text, LONGEST.tag)],
        meta: { [text]: text, description: text, website: text, discord: `https://${text}`, mods: [text] },
      }),
    );
    [id] = (await Promise.all(broadcasts)) as [string];
    // The last one is as harmless as can be: its row is the measure of the others.
    await service.broadcast({ server_name: 'Harmless', players: 0, server_port: 2000 });
  });

  /** So high that all rows are in view. */
  async function open(viewport: { readonly width: number; readonly height: number }): Promise<SeenList> {
    const list = new SeenList(await browser.open(`${service.url}/browse`, { viewport }));
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await list.shows([...names, 'Harmless']);
    await areRowsWhole(list.page);
    return list;
  }

  it('shows every name as it is, in rows of one height', async () => {
    const list = await open({ width: 1280, height: 1200 });
    const heights = await list.rows.evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(heights)).to.have.property('size', 1);
    expect(await list.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).to.equal(false);
    expect(await list.page.getByRole('heading', { level: 1 }).count()).to.equal(1);
  });

  it('shows every name as it is in 320 px', async () => {
    const list = await open({ width: 320, height: 2000 });
    const heights = await list.rows.evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(heights)).to.have.property('size', 1);
    expect(await list.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).to.equal(false);
  });

  it('shows every detail as it is, and has no link that runs a script', async () => {
    const list = await open({ width: 1280, height: 1200 });
    const { page } = list;
    for (const [n, text] of HOSTILE.entries()) {
      await list.rows.nth(n).locator('.name a').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: names[n]!, exact: true }).waitFor();
      await dialog.locator('.meta').first().waitFor();
      expect(await dialog.textContent()).to.include(text);
      const hrefs = await page
        .locator('a')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
      expect(hrefs.filter((protocol) => !['http:', 'https:', 'game:'].includes(protocol))).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('shows every name, and a detail, as it is without JavaScript', async () => {
    const list = new SeenList(await browser.open(`${service.url}/browse`, { javaScriptEnabled: false }));
    expect(await list.names()).to.deep.equal([...names, 'Harmless']);
    await list.page.goto(`${service.url}/browse/${id}`);
    expect(await list.page.getByRole('heading', { level: 2 }).textContent()).to.equal(names[0]);
    expect(await list.page.locator('main').textContent()).to.include(HOSTILE[0]);
  });

  it('takes a hostile look of a frame for none', async () => {
    const page = await browser.open('about:blank');
    const look = (): Promise<unknown> =>
      page.evaluate(() => ({
        theme: document.documentElement.dataset['theme'],
        styles: [...document.styleSheets].map(({ href }) => href),
        ground: getComputedStyle(document.body).backgroundColor,
        accent: getComputedStyle(document.querySelector('.embed-head a')!).color,
        columns: [...document.querySelectorAll('thead th')].filter((each) => each.clientWidth > 0).length,
      }));
    await page.goto(`${service.url}/browse?embed`);
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    const plain = await look();
    const styles = ['}*{color:red}', '#fff;}*{display:none', 'url(//evil.example/x)', 'var(--bad)', 'red'];
    for (const text of [...styles, ...HOSTILE.slice(0, 3), '../../evil']) {
      const value = encodeURIComponent(text);
      await page.goto(`${service.url}/browse?embed&theme=${value}&accent=${value}&columns=${value}`);
      await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
      expect(await look(), text).to.deep.equal(plain);
      await areRowsWhole(page);
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
      expect(
        links.filter((href) => !/^(http:\/\/127|game:)/.test(href) || href.includes('evil')),
      ).to.deep.equal([]);
    }
  });

  it('takes a hostile address of its own as text', async () => {
    browser.expectComplaints(/status of 4\d\d/);
    const page = await browser.open('about:blank');
    // Each text is the value of some parameters, and the name of one.
    for (let first = 0; first < HOSTILE.length; first += 4) {
      const texts = [...HOSTILE.slice(first), ...HOSTILE].map(encodeURIComponent);
      const parameters = ['q', 'map', 'meta.x', 'sort', 'server', 'lang', 'cursor', ...texts.slice(0, 4)];
      const query = parameters.map((name, n) => `${name}=${texts[n]}`).join('&');
      await page.goto(`${service.url}/browse?${query}`);
      await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    }
  });
});
