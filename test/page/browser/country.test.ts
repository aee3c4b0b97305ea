/** The countries of servers, as a player sees and chooses them. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { violationsInAllLooks } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, isLive, SeenList } from '../support/seen-list.ts';

/** More than are shown at first. */
const COUNTRIES = ['DE', 'FR', 'US', 'JP', 'BR', 'GB', 'SG', 'AU', 'PL', 'ZA'];

needs('chromium').describe('a player who looks for servers in a country', () => {
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    writeFileSync(path, mmdb({ networks: { '198.51.100.0/24': inCountry('FR') } }));
    return { GSLS_TTL: '3600', GSLS_GEO_FILE: path };
  });
  const browser = useBrowser();
  let id: string;

  before(async () => {
    for (const [n, country] of COUNTRIES.entries())
      id = await service.broadcast({ server_name: country, server_port: 1000 + n, players: 15 - n, country });
    await service.broadcast({ server_name: 'Nowhere', server_port: 2000, players: 1, region: 'eu' });
  });

  async function open(query = '', options = {}): Promise<SeenList> {
    const list = new SeenList(await browser.open(`${service.url}/browse${query}`, options));
    await isLive(list.page);
    return list;
  }

  it('sees the country of each server, by flag and letters, with its name', async () => {
    const list = await open();
    await list.shows([...COUNTRIES, 'Nowhere']);
    const mark = list.row('DE').locator('.region').getByRole('img', { name: 'Germany' });
    expect(await mark.innerText()).to.equal('🇩🇪 DE');
    expect(await list.row('Nowhere').getByRole('img').count()).to.equal(0);
    expect(await violationsInAllLooks(list.page, 'tbody')).to.deep.equal([]);
  });

  it('chooses among all countries by their names', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const group = list.page.getByRole('group', { name: EN.columns.country });
    await eventually(() => group.getByRole('checkbox').count(), 8);
    await group.getByRole('searchbox').fill('south');
    await group.getByRole('checkbox', { name: 'South Africa' }).check();
    await group.getByRole('searchbox').fill('GERM');
    await group.getByRole('checkbox', { name: 'Germany' }).check();
    await list.shows(['DE', 'ZA']);
    expect(new URL(list.page.url()).search).to.equal('?country=ZA,DE');
    const chip = EN.filters.remove(`${EN.filters.is(EN.columns.country)} South Africa`);
    await list.page.getByRole('link', { name: chip }).click();
    await list.shows(['DE']);
  });

  it('reads the names in German', async () => {
    const list = await open('?country=DE', { locale: 'de-AT' });
    await list.row('DE').getByRole('img', { name: 'Deutschland' }).first().waitFor();
    await list.page.getByText(`${DE.columns.country}: Deutschland`).waitFor();
  });

  it('comes from the details of a server to all of its country', async () => {
    const list = await open(`/${id}`);
    await list.page.getByRole('link', { name: 'South Africa' }).click();
    await list.shows(['ZA']);
  });

  it('is told where the country is that of the address', async () => {
    const found = await service.broadcast({ server_ip: '198.51.100.7', server_port: 3000, players: 0 });
    const list = await open(`/${found}`);
    await list.page.locator('dd').getByText(`France${EN.details.byAddress}`).waitFor();
    await list.page.goto(`${service.url}/browse/${id}`);
    await list.page.getByRole('link', { name: 'South Africa' }).waitFor();
    expect(await list.page.getByText(EN.details.byAddress).count()).to.equal(0);
    await ask(service, 'POST /remove', { body: { server_id: found, server_ip: '198.51.100.7' } });
  });

  it('sees it without JavaScript', async () => {
    const list = new SeenList(
      await browser.open(`${service.url}/browse?country=FR`, { javaScriptEnabled: false }),
    );
    await list.shows(['FR']);
    expect(await list.rows.first().locator('td.region').innerText()).to.equal('🇫🇷 FR');
    await list.page.goto(`${service.url}/browse/${id}`);
    await list.page.getByRole('link', { name: 'South Africa' }).waitFor();
  });
});
