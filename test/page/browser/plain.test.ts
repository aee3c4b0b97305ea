/** The page in a browser without JavaScript. */

import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, SeenList } from '../support/seen-list.ts';

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

needs('chromium').describe('the page without JavaScript', () => {
  const service = useService({ GSLS_PAGE_TITLE: 'Ironvale', GSLS_TTL: '3600' });
  const browser = useBrowser();

  before(async () => {
    for (let n = 0; n < 101; n += 1)
      await service.broadcast({
        server_name: `Number ${n}`,
        // The search finds addresses, too: a port has the digits of its name.
        server_ip: '203.0.222.7',
        server_port: 7000 + n,
        players: n,
        max_players: 200,
        region: n % 2 === 0 ? 'eu' : 'na',
      });
  });

  const open = async (query = ''): Promise<SeenList> =>
    new SeenList(await browser.open(`${service.url}/browse${query}`, WITHOUT_SCRIPT));

  it('shows the first hundred servers, those with the most players first', async () => {
    const list = await open();
    const names = await list.names();
    expect(names).to.have.length(100);
    expect(names.slice(0, 2)).to.deep.equal(['Number 100', 'Number 99']);
    expect(await list.page.title()).to.equal('Ironvale');
  });

  it('goes on to the next ones, and back', async () => {
    const list = await open();
    await list.page.getByRole('link', { name: EN.plain.nextPage }).click();
    await list.shows(['Number 0']);
    await list.page.getByRole('link', { name: EN.plain.firstPage }).click();
    await eventually(async () => (await list.names()).length, 100);
  });

  it('sorts by the heads of its columns, and searches in that order', async () => {
    const list = await open('?region=eu');
    await list.page.getByRole('link', { name: EN.columns.name }).click();
    await list.page.waitForURL(/sort=name/);
    await eventually(async () => (await list.names()).slice(0, 2), ['Number 0', 'Number 10']);
    await list.page.getByRole('searchbox').fill('number 1');
    await list.page.keyboard.press('Enter');
    await list.page.waitForURL(/q=number/);
    await list.shows(['Number 10', 'Number 100', ...[12, 14, 16, 18].map((n) => `Number ${n}`)]);
  });

  it('searches, within the filters of its address', async () => {
    const list = await open('?region=eu');
    await list.page.getByRole('searchbox').fill('number 1');
    await list.page.keyboard.press('Enter');
    await list.page.waitForURL(/q=number/);
    await list.shows(['Number 100', ...[18, 16, 14, 12, 10].map((n) => `Number ${n}`)]);
    expect(new URL(list.page.url()).searchParams.get('region')).to.equal('eu');
  });

  it('says that no server matches', async () => {
    const list = await open('?region=mars');
    expect(await list.page.locator('main').innerText()).to.include(EN.nothingMatches);
  });

  it('shows one server, and the way back', async () => {
    const list = await open('?region=eu');
    await list.page.getByRole('link', { name: 'Number 42' }).click();
    await list.page.getByRole('link', { name: EN.plain.allServers }).waitFor();
    expect(await list.page.getByRole('heading', { level: 2 }).innerText()).to.equal('Number 42');
    await list.page.locator('main').getByText(':7042').first().waitFor();
    await list.page.getByRole('link', { name: EN.plain.allServers }).click();
    await list.row('Number 42').waitFor();
  });

  it('says of a server that it is not listed any more', async () => {
    browser.expectComplaints(/404/);
    const list = await open('/nobody');
    expect(await list.page.locator('main').innerText()).to.include(EN.details.state['not listed']);
  });

  it('says what is wrong with an address', async () => {
    browser.expectComplaints(/400/);
    const list = await open('?players=many');
    expect(await list.page.getByRole('alert').innerText()).to.include(EN.plain.wrongAddress);
  });
});
