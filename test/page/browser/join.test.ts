/** A join code on the page: the field for it, links with it, and what is said of one that leads nowhere. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hasSaid, SeenList } from '../support/seen-list.ts';

/** The tries of an address in a minute. */
const MOST_TRIES = 12;

async function enter(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: EN.join.code }).fill(text);
  // What was said of the text before is said no more.
  await eventually(() => page.locator('.join-outcome').innerText(), '');
  await page.keyboard.press('Enter');
}

needs('chromium').describe('a join code on the page', () => {
  const service = useService({
    GSLS_ALLOW_UNLISTED: 'true',
    GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}',
    GSLS_TTL: '3600',
    GSLS_RATE_LIMIT: `join=${MOST_TRIES}/m`,
  });
  const without = useService();
  const browser = useBrowser();
  let code: string;

  before(async () => {
    await service.broadcast({ server_name: 'Public' });
    const body = aBroadcast({ server_name: 'Our evening', unlisted: true });
    const { headers } = await ask(service, 'POST /broadcast', { body });
    code = headers['server-join-code'] as string;
  });

  const open = async (query: string, url = service.url): Promise<Page> => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await browser.open(`${url}/browse${query}`, { permissions });
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    return page;
  };
  it('that is typed, in any spelling, shows its server, and is in no address', async () => {
    const page = await open('');
    await page.getByRole('link', { name: EN.join.open }).click();
    await enter(page, ` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `);
    await page.getByRole('dialog', { name: 'Our evening' }).waitFor();
    const pages = browser.requested.filter((url) => url.includes('/browse?'));
    expect(pages.join(' ')).to.not.include('join=');
    // One step back is where the field was opened.
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
  });

  it('leads to a favourite that is said to be unlisted, and opens, copies and connects', async () => {
    const page = await open(`?join=${code}`);
    const dialog = page.getByRole('dialog', { name: 'Our evening' });
    await dialog.getByText(EN.details.unlisted).waitFor();
    expect(await dialog.getByRole('button', { name: EN.details.copyLink }).count()).to.equal(0);
    await dialog.getByRole('button', { name: EN.favouriteOf('Our evening') }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: EN.filters.favourites }).click();
    const favourite = page.getByRole('listitem').filter({ hasText: 'Our evening' });
    await page.getByRole('heading', { name: EN.unlistedFavourites }).waitFor();
    const connect = favourite.getByRole('link', { name: EN.connectTo('Our evening') });
    expect(await connect.getAttribute('href')).to.equal('steam://connect/203.0.113.7:7777');
    const said = hasSaid(page, '[role=status]', EN.addressCopied);
    await favourite.getByRole('button', { name: EN.copyAddressOf('Our evening') }).click();
    await said;
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('203.0.113.7:7777');
    await favourite.getByRole('link', { name: 'Our evening', exact: true }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The list has a server at the same address, which is no favourite.
    const list = new SeenList(page);
    await list.shows([]);
    // The service has been asked since the favourites were opened.
    expect(await page.getByText(EN.notListedNow).count()).to.equal(0);
    // The game server registers anew: who comes to it once more finds it in place of the one before.
    const body = aBroadcast({ server_name: 'Our next evening', unlisted: true });
    const { headers } = await ask(service, 'POST /broadcast', { body });
    await page.goto(`${service.url}/browse?favourites&join=${String(headers['server-join-code'])}`);
    await page.getByRole('dialog', { name: 'Our next evening' }).waitFor();
    await page.keyboard.press('Escape');
    const next = page.getByRole('listitem').filter({ hasText: 'Our next evening' });
    await next.waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Our evening' }).count()).to.equal(0);
    await next.getByRole('button', { name: EN.removeFavouriteOf('Our next evening') }).click();
    await next.waitFor({ state: 'detached' });
  });

  it('of a link shows its server, and is then in the address no more', async () => {
    const page = await open(`?join=${code}`);
    await page.getByRole('dialog', { name: 'Our evening' }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).to.match(/^\/browse\/~[\w-]+$/);
    expect([...searchParams.keys()]).to.deep.equal(['list']);
    expect(await page.evaluate(() => history.length)).to.be.at.most(2);
  });

  it('that no server has is said to be wrong, whatever it is, and so is one too many', async () => {
    browser.expectComplaints(/status of 4(?:04|29)/);
    const page = await open('?join=0000000000');
    const dialog = page.getByRole('dialog', { name: EN.join.title });
    await dialog.getByText(EN.join.outcome.unknown).waitFor();
    const asked = (): number => browser.requested.filter((url) => url.includes('/join/')).length;
    const before = asked();
    // What is no code at all is not asked for.
    for (const text of ['../servers', '..', '<img src=x>', '%2e%2e', 'a?b=c', '🎮', '\u202ecode']) {
      await enter(page, text);
      await dialog.getByText(EN.join.outcome.unknown).waitFor();
    }
    expect(asked()).to.equal(before);
    let status = 404;
    // A new minute may begin meanwhile, but not a second one.
    for (let n = 0; status === 404 && n <= 2 * MOST_TRIES; n += 1) {
      const answer = page.waitForResponse(/\/join\//);
      await enter(page, `ZZZZZZZZ${10 + n}`);
      status = (await answer).status();
    }
    expect(status).to.equal(429);
    await dialog.getByText(EN.join.outcome.limited).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.search === '');
  });

  it('is not asked for where there are no unlisted servers', async () => {
    const page = await open('', without.url);
    expect(await page.getByRole('link', { name: EN.join.open }).count()).to.equal(0);
  });

  it('is sent to no other site: the page has no referrer', async () => {
    const { headers, text } = await ask(service, `GET /browse?join=${code}`);
    expect(headers['referrer-policy']).to.equal('no-referrer');
    // No link or file of the page without its script has it.
    expect(text).to.not.include(code);
  });
});
