/** The page in a frame of another page: examples/embed.html before a real service. */

import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { DEFAULT_SORT } from '../../../src/page/address/sort-order.ts';
import { EN } from '../../../src/page/texts/en.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually } from '../support/seen-list.ts';
import { useForeignPages } from '../support/use-foreign-pages.ts';

/** What Chromium says where details open in the frame of another site. */
const FOCUS = /Blocked autofocusing/;

const hasHeight = (page: Page, test: string): Promise<unknown> =>
  page.waitForFunction(
    `(() => { const height = document.querySelector('iframe').offsetHeight; return ${test}; })()`,
  );

needs('chromium').describe('the page in a frame of another page', () => {
  const service = useService({ GSLS_PAGE_EMBED_ORIGINS: '*', GSLS_TTL: '3600' });
  const browser = useBrowser();
  const serve = useForeignPages();
  const html = readDocument('examples/embed.html');

  before(async () => {
    for (let n = 0; n < 60; n += 1)
      await service.broadcast({
        server_name: `Number ${n}`,
        server_port: 1000 + n,
        region: n < 2 ? 'eu' : 'na',
        map: 'Harbour',
      });
  });

  /** `change`: of the example. */
  async function open(change: (example: string) => string = String): Promise<{ page: Page; frame: Frame }> {
    const page = await browser.open(
      await serve(change(html.replaceAll('https://list.example.com', service.url))),
    );
    const frame = await (await page.locator('iframe').first().elementHandle()).contentFrame();
    // Before its script takes over, the frame has other links, and a form.
    await frame!.locator('table[aria-rowcount] .row').first().waitFor();
    return { page, frame: frame! };
  }

  it('shows the servers of its address, without a head, and the way to the page itself', async () => {
    const { frame } = await open();
    await frame.getByText('Number 1').waitFor();
    expect(await frame.getByText('Number 2').count()).to.equal(0);
    expect(await frame.getByRole('navigation').count()).to.equal(0);
    const link = frame.getByRole('link', { name: EN.openWholePage });
    expect(await link.getAttribute('href')).to.equal('/browse?region=eu');
    expect(await link.getAttribute('rel')).to.equal('noopener');
  });

  it('is as tall as its servers need', async () => {
    const { page, frame } = await open();
    await hasHeight(page, 'height < 500');
    await eventually(() => frame.evaluate('document.documentElement.scrollHeight <= innerHeight'), true);
  });

  it('is scrolled where there are more servers than a page of others has room for', async () => {
    const { page, frame } = await open((example) => example.replace('region=eu', 'max_players=16'));
    await hasHeight(page, 'height === 1200');
    expect(await frame.evaluate('document.documentElement.scrollHeight > innerHeight')).to.equal(true);
  });

  it('is as tall as its own servers need beside another one', async () => {
    const { page } = await open((example) => {
      const [first] = /<iframe[^]*?<\/iframe>/.exec(example)!;
      return example.replace(first, `${first}${first.replace('region=eu', 'max_players=16')}`);
    });
    const heights = (): Promise<number[]> =>
      page.locator('iframe').evaluateAll((all) => all.map((each) => (each as HTMLElement).offsetHeight));
    await eventually(async () => (await heights())[1], 1200);
    await hasHeight(page, 'height < 500');
  });

  it('has the look that its address asks for, which stays from one address to the next', async () => {
    browser.expectComplaints(FOCUS);
    const look = 'theme=dark&accent=%23ff0000&columns=players,map&search=0';
    const { frame } = await open((example) => example.replace('region=eu', `region=eu&${look}`));
    expect(await frame.getByRole('columnheader').allInnerTexts()).to.deep.equal([
      EN.columns.name,
      `${EN.orders[DEFAULT_SORT]} ${EN.columns.players}`,
    ]);
    expect(await frame.locator('.row .map').allInnerTexts()).to.deep.equal(['Harbour', 'Harbour']);
    expect(await frame.locator('.row .region').count()).to.equal(0);
    expect(await frame.getByRole('searchbox').count()).to.equal(0);
    const seen = await frame.evaluate(() => {
      const { colorScheme, backgroundColor } = getComputedStyle(document.body);
      const probe = document.querySelector('.embed-head a')!;
      return { colorScheme, backgroundColor, color: getComputedStyle(probe).color };
    });
    expect(seen).to.deep.include({ colorScheme: 'dark', backgroundColor: 'rgb(15, 17, 22)' });
    // Red, as light as it has to be on a dark ground.
    expect(seen.color)
      .to.match(/^rgb\(255, (\d+), \1\)$/)
      .and.to.not.equal('rgb(255, 0, 0)');
    await frame.getByRole('link', { name: 'Number 1', exact: true }).click();
    await frame.getByRole('dialog').waitFor();
    expect(frame.url()).to.include('theme=dark&accent=ff0000&columns=players,map&search=0');
    const whole = await frame.locator('.embed-head a').getAttribute('href');
    expect(whole).to.match(/^\/browse\/[\w-]+\?list&region=eu$/);
  });

  it('keeps locked filters: they have no link, and what clears the others leaves them', async () => {
    const { frame } = await open((example) => example.replace('region=eu', 'region=eu&lock=1'));
    const chips = frame.locator('.filter-chips');
    await chips.getByText('eu').waitFor();
    expect(await chips.getByRole('link').count()).to.equal(0);
    const search = frame.getByRole('searchbox');
    await search.fill('nothing');
    await frame.getByText(EN.nothingMatches).waitFor();
    expect(new URL(frame.url()).search).to.equal('?embed&region=eu&lock=1&q=nothing');
    const remove = frame.locator('.empty-result a');
    // Until the service has told their number, all filters can be cleared.
    await eventually(() => remove.allInnerTexts(), ['Remove "nothing" (2 servers)']);
    await remove.click();
    await frame.getByText('Number 1', { exact: true }).waitFor();
    expect(await frame.getByText('Number 2', { exact: true }).count()).to.equal(0);
    await frame.evaluate(() => history.pushState(null, '', `${location.search}&max_players=16&mode!=x`));
    await frame.evaluate(() => void dispatchEvent(new PopStateEvent('popstate')));
    await chips.getByRole('link', { name: EN.filters.clearAll }).click();
    await eventually(() => chips.getByRole('link').count(), 0);
    expect(new URL(frame.url()).search).to.equal('?embed&region=eu&lock=1');
    const whole = await frame.locator('.embed-head a').getAttribute('href');
    expect(whole).to.equal('/browse?region=eu');
  });

  it('has no stars, since its readers could not see their favourites', async () => {
    browser.expectComplaints(FOCUS);
    const { frame } = await open();
    const stars = frame.getByRole('button', { name: EN.favouriteOf('Number 0') });
    expect(await stars.count()).to.equal(0);
    const link = frame.getByRole('link', { name: 'Number 0', exact: true });
    await link.press('f');
    await link.click();
    await frame.getByRole('dialog').waitFor();
    expect(await stars.count()).to.equal(0);
    expect(await frame.evaluate(() => localStorage.length)).to.equal(0);
  });

  it('shows the servers in the page that docs/tutorial.md writes', async () => {
    const [, site] = /^cat >site\.html <<'END'\n(.*?)^END$/ms.exec(readDocument('docs/tutorial.md'))!;
    const { page, frame } = await open(() => site!.replaceAll('http://localhost:53600', service.url));
    await frame.getByText('Number 1', { exact: true }).waitFor();
    await hasHeight(page, 'height > 500');
  });

  it('stays as it is for messages of others', async () => {
    const { page } = await open();
    await hasHeight(page, 'height < 500');
    // The frame may tell another height of its own meanwhile.
    const now = await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => {
        if (data.height === 900) resolve(document.querySelector('iframe').offsetHeight);
      });
      postMessage({ type: 'gsls:height', height: 900 }, '*');
    })`);
    expect(now).to.be.below(500);
  });
});
