/** How a moderator signs in at the desk, and what of it a browser keeps and sends. */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { broadcastFrom, DESK, MODERATED, namesSeen, signIn } from '../support/desk.ts';
import { eventually } from '../support/seen-list.ts';

/** A header has bytes, and a key may be any text. */
const OWN_KEY = 'modération';

needs('chromium').describe('the desk', () => {
  const service = useService({ ...MODERATED, GSLS_ADMIN_KEY: OWN_KEY, GSLS_KEY: 'reader' });
  const without = useService();
  const browser = useBrowser();

  before(() =>
    broadcastFrom(
      service,
      '203.0.113.7',
      { server_name: 'Oslo', server_port: 1000 },
      { Authorization: 'Bearer reader' },
    ),
  );

  it('is not there without a key that may moderate', async () => {
    expect((await ask(without, 'GET /desk')).status).to.equal(404);
  });

  it('tells nothing to a wrong key, and to a key that may not moderate', async () => {
    browser.expectComplaints(/status of 40[13]/);
    const page = await browser.open(`${service.url}/desk`);
    for (const [key, status] of [
      ['wrong', 401],
      ['reader', 403],
    ] as const) {
      const answered = page.waitForResponse(/\/admin\//);
      await signIn(page, key);
      const answer = await answered;
      expect(answer.status()).to.equal(status);
      expect(await answer.text()).to.not.include('Oslo');
      await page.getByRole('alert').getByText(DESK.signIn.refused).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).to.equal(0);
    }
    expect(browser.requested.filter((url) => url.includes('/admin/'))).to.deep.equal(
      Array.from({ length: 2 }, () => `${service.url}/admin/me`),
    );
  });

  it('keeps the key for the tab alone, sends it as Authorization, and has no cookies', async () => {
    const page = await browser.open(`${service.url}/desk`);
    const context = page.context();
    const sent = page.waitForRequest(/\/admin\/servers/);
    await signIn(page, OWN_KEY);
    await eventually(() => namesSeen(page), ['Oslo']);
    const headers = await (await sent).allHeaders();
    expect(headers['authorization']).to.match(/^Bearer mod/);
    expect(headers).to.not.have.property('cookie');
    await page.reload();
    await eventually(() => namesSeen(page), ['Oslo']);
    expect(await context.cookies()).to.deep.equal([]);
    expect(await page.evaluate(() => [localStorage.length, location.href])).to.deep.equal([
      0,
      `${service.url}/desk`,
    ]);
    const tab = await context.newPage();
    await tab.goto(`${service.url}/desk`);
    await tab.getByRole('heading', { name: DESK.title }).waitFor();
    expect(await tab.getByLabel(DESK.signIn.key).inputValue()).to.equal('');
    await page.getByRole('button', { name: DESK.signIn.out }).click();
    await page.getByLabel(DESK.signIn.key).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).to.equal(0);
    await page.reload();
    await page.getByLabel(DESK.signIn.key).waitFor();
  });
});
