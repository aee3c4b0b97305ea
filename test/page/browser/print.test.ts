/** The list on paper. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { areRowsWhole } from '../support/seen-list.ts';

/** A4 with its margins, in px. */
const PAPER = { width: 718, height: 1047 };

needs('chromium').describe('the list on paper', () => {
  const service = useService({ GSLS_TTL: '3600', GSLS_PAGE_CONNECT: 'game://{ip}:{port}' });
  const browser = useBrowser();

  before(async () => {
    for (let n = 0; n < 300; n += 1)
      await service.broadcast({
        server_name: `A server with a name that is quite long ${n}`,
        server_port: 10_000 + n,
        players: 1000 - n,
        max_players: 1000,
        map: 'a_very_long_map_name_of_a_proud_author',
        mode: 'team deathmatch with friends',
        region: 'Europe (Frankfurt am Main)',
        version: '2.0.0-beta.3+build.20241012',
        tags: ['friendly', 'beginners welcome', 'modded'],
      });
  });

  async function open(): Promise<Page> {
    const page = await browser.open(`${service.url}/browse`, { viewport: PAPER });
    await page.locator('table[aria-rowcount="301"] .row').first().waitFor();
    // On paper no more of them are drawn.
    await areRowsWhole(page);
    return page;
  }

  it('is a table of all that paper has a use for, with nothing cut', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    const shown = await page
      .locator('thead th')
      .evaluateAll((heads) =>
        heads
          .filter((head) => getComputedStyle(head).display === 'table-cell')
          .map((head) => head.className.split(' ')[0]),
      );
    expect(shown).to.deep.equal(['name', 'region', 'version', 'players']);
    const first = page.locator('.row').first();
    for (const part of ['map', 'mode', 'tag'])
      expect(await first.locator(`.${part}`).first().isVisible()).to.equal(true);
    expect(await layoutFaults(page)).to.deep.equal([]);
  });

  it('has no page without rows', async () => {
    const page = await open();
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type \/Page\b/g)!.length;
    await page.emulateMedia({ media: 'print' });
    const { rows, last, height } = await page.evaluate(() => {
      const all = [...document.querySelectorAll('.row')];
      const bottom = all.at(-1)!.getBoundingClientRect().bottom + scrollY;
      return { rows: all.length, last: bottom, height: document.documentElement.scrollHeight };
    });
    expect(rows).to.be.within(15, 60);
    expect(height - last).to.be.below(100);
    // Rows are not cut in two: a page may end early.
    expect(pages).to.be.at.most(Math.ceil((1.2 * height) / PAPER.height));
  });
});
