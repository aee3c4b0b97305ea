/** What the operator says of game servers, and what players report: on the players' page. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { DE } from '../../../src/page/texts/de.ts';
import { EN, type Texts } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { violationsInAllLooks } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { broadcastFrom, decide, KEY, MODERATED } from '../support/desk.ts';
import { hearsKeys, isLive, SeenList } from '../support/seen-list.ts';

async function dialogOf(page: Page, texts: Texts): Promise<ReturnType<Page['locator']>> {
  await page.getByRole('button', { name: texts.report.open }).click();
  return page.getByRole('dialog', { name: 'Paris' });
}

needs('chromium').describe('a player of a list with labels', function () {
  this.timeout(120_000);
  const service = useService({ ...MODERATED, GSLS_PAGE_HIDE_LABELS: '18+' });
  const browser = useBrowser();
  let paris: string;

  before(async () => {
    const named = (name: string, n: number, players: number, tags: readonly string[] = []): Promise<string> =>
      broadcastFrom(service, `203.0.113.${n}`, { server_name: name, server_port: 1000 + n, players, tags });
    const oslo = await named('Oslo', 1, 9);
    paris = await named('Paris', 2, 5, ['official', 'ranked']);
    const night = await named('Night', 3, 3);
    await decide(service, 'labels', { id: oslo, label: 'official' });
    await decide(service, 'labels', { id: night, label: '18+' });
  });

  async function open(path = '', locale = 'en-GB'): Promise<SeenList> {
    const list = new SeenList(await browser.open(`${service.url}/browse${path}`, { locale }));
    await isLive(list.page);
    await hearsKeys(list.page);
    return list;
  }

  it('sees a label as a mark with a word, and a tag of the same name as a tag', async () => {
    const list = await open();
    await list.shows(['Oslo', 'Paris']);
    const marks = (name: string, kind: string): Promise<string[]> =>
      list.row(name).locator(`.${kind}`).allTextContents();
    expect(await marks('Oslo', 'label')).to.deep.equal(['official']);
    expect(await marks('Paris', 'label')).to.deep.equal([]);
    expect(await marks('Paris', 'tag')).to.deep.equal(['official', 'ranked']);
    await list.page.goto(`${service.url}/browse/${paris}`);
    await isLive(list.page);
    expect(await list.page.locator('.label').count()).to.equal(0);
  });

  it('filters by labels, by an address or in the filters, which show those that are hidden', async () => {
    const list = await open('?labels=official');
    await list.shows(['Oslo']);
    const { page } = list;
    await page.getByRole('button', { name: EN.filters.title(1) }).click();
    const group = page.getByRole('group', { name: EN.columns.labels });
    await group.getByRole('checkbox', { name: '18+' }).check();
    await list.shows(['Oslo', 'Night']);
    expect(new URL(page.url()).search).to.equal('?labels=official,18%2B');
  });

  for (const [locale, texts] of [
    ['en-GB', EN],
    ['de-DE', DE],
  ] as const)
    it(`is told which are hidden, and sees them when it asks: ${locale}`, async () => {
      const list = await open('', locale);
      const { page } = list;
      await list.shows(['Oslo', 'Paris']);
      await page.getByRole('link', { name: `${texts.filters.hidden} 18+` }).click();
      await list.shows(['Oslo', 'Paris', 'Night']);
      await page.reload();
      await isLive(page);
      await list.shows(['Oslo', 'Paris', 'Night']);
      expect(await list.row('Night').locator('.label').allTextContents()).to.deep.equal(['18+']);
    });

  it('has no hidden server in the list without the script either', async () => {
    const page = await browser.open(`${service.url}/browse`, { javaScriptEnabled: false });
    expect(await new SeenList(page).names()).to.deep.equal(['Oslo', 'Paris']);
  });

  async function reports(): Promise<unknown> {
    const headers = { Authorization: `Bearer ${KEY}` };
    const { text } = await ask(service, 'GET /admin/reports', { headers });
    return (
      JSON.parse(text) as { reports: readonly { reasons: unknown; notes: readonly { note: string }[] }[] }
    ).reports.map(({ reasons, notes }) => [reasons, notes.map(({ note }) => note)]);
  }

  it('reports a server by pointer, in German', async () => {
    const { page } = await open(`/${paris}`, 'de-DE');
    const dialog = await dialogOf(page, DE);
    await dialog.getByLabel(DE.report.reason).selectOption('spam');
    await dialog.getByLabel(DE.report.note).fill('<b>Shop</b>');
    await dialog.getByRole('button', { name: DE.report.open }).click();
    await dialog.getByText(DE.report.done).waitFor();
    expect(await reports()).to.deep.equal([[{ spam: 1 }, ['<b>Shop</b>']]]);
  });

  it('reports it again by keyboard: its last voice counts, and the focus comes back', async () => {
    const { page } = await open(`/${paris}`);
    const button = page.getByRole('button', { name: EN.report.open });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Paris' });
    await dialog.waitFor();
    await dialog.getByLabel(EN.report.reason).focus();
    await page.keyboard.type('cheating');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText(EN.report.done).waitFor();
    expect(await reports()).to.deep.equal([[{ cheating: 1 }, []]]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button.evaluate((each) => each === document.activeElement)).to.equal(true);
  });

  it('is told when a report fails', async () => {
    browser.expectComplaints(/ERR_FAILED/);
    const { page } = await open(`/${paris}`);
    await page.route('**/report', (route) => route.abort());
    const dialog = await dialogOf(page, EN);
    await dialog.getByRole('button', { name: EN.report.open }).click();
    await dialog.getByText(EN.join.outcome.away).waitFor();
  });

  it('finds nothing wrong with axe-core in rows, chips and the report', async () => {
    const list = await open();
    expect(await violationsInAllLooks(list.page, '.label, .filter-chip')).to.deep.equal([]);
    const { page } = await open(`/${paris}`);
    await dialogOf(page, EN);
    expect(await violationsInAllLooks(page, '.dialog')).to.deep.equal([]);
  });
});
