/** The desk while game servers come and go, others decide, and the service is away. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { useService } from '../../support/use-service.ts';
import { useServices } from '../../support/use-services.ts';
import { useBrowser } from '../support/browser.ts';
import {
  broadcastFrom,
  decide,
  DESK,
  KEY,
  MODERATED,
  namesSeen,
  report,
  showTab,
  signIn,
} from '../support/desk.ts';
import { eventually } from '../support/seen-list.ts';

needs('chromium', 'redis-server').describe('an open desk', () => {
  const redis = useRedis();
  const browser = useBrowser({ isHasty: true });
  const services = useServices(() => ({ ...MODERATED, GSLS_REDIS: redis.url }));
  const oslo = { server_name: 'Oslo', server_port: 1000 };
  let here: Service;
  let there: Service;
  let id: string;
  let page: Page;

  beforeEach(async () => {
    await redis.client.flushall();
    [here, there] = await Promise.all([services.start(), services.start()]);
    id = await broadcastFrom(here, '203.0.113.7', oslo);
    page = await browser.open(`${here.url}/desk`);
    await signIn(page);
    await eventually(() => namesSeen(page), ['Oslo']);
  });

  it('shows what happens at another replica: an entry, a report, decisions of another moderator', async () => {
    const rome = await broadcastFrom(there, '198.51.100.7', { server_name: 'Rome', server_port: 1001 });
    await eventually(() => namesSeen(page), ['Rome', 'Oslo']);
    const row = page.getByRole('row').filter({ hasText: 'Rome' });
    await report(there, rome, 2);
    await eventually(() => row.locator('.is-reports').innerText(), '2');
    await decide(there, 'labels', { id: rome, label: 'featured' });
    await row.getByText('featured').waitFor();
    await decide(there, 'bans', { id: rome, reason: 'a copy', mode: 'silent' });
    await row.getByText(DESK.hiddenBy['ban']!, { exact: true }).waitFor();
    await page.getByRole('link', { name: DESK.tabs.audit }).click();
    await eventually(() => page.locator('tbody tr').count(), 2);
    // Both decide at once.
    await Promise.all([
      page.getByRole('button', { name: DESK.actions.undo }).first().click(),
      decide(there, 'labels', { id, label: 'official' }),
    ]);
    await eventually(() => page.locator('tbody tr').count(), 4);
    const { body } = await ask(here, 'GET /');
    expect(body.servers!.map(({ name }) => name)).to.have.members(['Oslo', 'Rome']);
  });

  it('undoes an undo: the ban ends when it would have ended', async () => {
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    await decide(here, 'bans', { name: 'Rome', reason: 'a copy', expires_at: ends });
    await showTab(page, 'audit');
    const undo = page.getByRole('button', { name: DESK.actions.undo });
    for (const rows of [2, 3]) {
      await undo.first().click();
      await eventually(() => page.locator('tbody tr').count(), rows);
    }
    const headers = { Authorization: `Bearer ${KEY}` };
    const { text } = await ask(there, 'GET /admin/bans', { headers });
    const { bans } = JSON.parse(text) as { readonly bans: readonly object[] };
    expect(bans).to.have.length(1);
    expect(bans[0]).to.include({ name: 'Rome', reason: 'a copy', author: 'mona', expires_at: ends });
  });

  it('keeps an entry that leaves while it is open, and says so', async () => {
    browser.expectComplaints(/status of 404/);
    await page.getByRole('button', { name: 'Oslo' }).click();
    const sheet = page.getByRole('dialog', { name: DESK.entry.title });
    await sheet.getByText('203.0.113.7', { exact: true }).first().waitFor();
    await ask(there, 'POST /remove', { body: { ...aBroadcast(oslo), server_id: id } });
    await sheet.getByRole('alert').getByText(DESK.entry.gone).waitFor();
    await sheet.getByText('203.0.113.7', { exact: true }).first().waitFor();
    await eventually(() => namesSeen(page), []);
    await page.getByText(DESK.none).waitFor();
  });

  it('says that the service is away, keeps what it shows, and goes on when it is back', async () => {
    browser.expectComplaints(/ERR_FAILED/);
    await page.route('**/admin/**', (route) => route.abort());
    const alert = page.getByRole('alert').getByText(DESK.away);
    await alert.waitFor();
    expect(await namesSeen(page)).to.deep.equal(['Oslo']);
    await page.getByRole('button', { name: 'Oslo' }).click();
    await page.getByRole('dialog').getByText(DESK.away).waitFor();
    await page.keyboard.press('Escape');
    await page.unroute('**/admin/**');
    await alert.waitFor({ state: 'hidden' });
    // Also while it signs in again with what the tab keeps.
    await page.route('**/admin/**', (route) => route.abort());
    await page.reload();
    await alert.waitFor();
    await page.unroute('**/admin/**');
    await eventually(() => namesSeen(page), ['Oslo']);
  });
});

needs('chromium').describe('the desk with 10,000 entries', () => {
  const ENTRIES = 10_000;
  const service = useService({ ...MODERATED, GSLS_NO_LOAD_SHEDDING: 'true' });
  const browser = useBrowser();
  before(() =>
    inGroups(numbers(ENTRIES), (n) =>
      service.broadcast({ server_name: `Number ${n}`, server_port: 20_000 + n, players: n % 7 }),
    ),
  );

  it('draws few of them, each in the frame in which it is scrolled to, and finds by words and filters', async () => {
    const page = await browser.open(`${service.url}/desk`, { viewport: { width: 1280, height: 800 } });
    await signIn(page);
    const rows = page.locator('tbody tr');
    await eventually(() => rows.count(), 100);
    await page.getByText(DESK.counts('10,000', '10,000')).waitFor();
    await page.getByRole('button', { name: DESK.more }).click();
    await eventually(() => rows.count(), 1000);
    await page.getByText(DESK.narrow).waitFor();
    const missing = await page.evaluate(async () => {
      let found = 0;
      for (let y = 2000; y < document.body.scrollHeight - innerHeight; y += 5000) {
        scrollTo(0, y);
        await new Promise(requestAnimationFrame);
        for (let at = 20; at < innerHeight; at += 60)
          if (document.elementFromPoint(300, at)?.closest('tr') === null) found += 1;
      }
      scrollTo(0, 0);
      return found;
    });
    expect(missing).to.equal(0);
    await page.getByRole('searchbox').pressSequentially('number 4242 ');
    await eventually(() => namesSeen(page), ['Number 4242']);
    expect(await page.getByRole('searchbox').inputValue()).to.equal('number 4242 ');
    await page.getByRole('button', { name: DESK.filters.hidden }).click();
    await page.getByText(DESK.none).waitFor();
    await page.getByRole('button', { name: DESK.filters.all }).click();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: DESK.columns.players }).click();
    await eventually(() => rows.first().locator('.is-players').innerText(), '6 / 16');
  });
});
