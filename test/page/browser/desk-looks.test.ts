/** The desk as readers of all kinds see it, and with hostile texts in each of its places. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { violationsInAllLooks } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import {
  broadcastFrom,
  decide,
  DESK,
  KEY,
  MODERATED,
  report,
  showTab,
  signIn,
  watchWidth,
} from '../support/desk.ts';
import { eventually } from '../support/seen-list.ts';

/** Control characters and bidi overrides the service refuses by itself. */
const HOSTILE = [
  `<img src=x onerror=alert(1)>`,
  `</td></tr></table><h1>Taken over`,
  `javascript:alert(document.domain)`,
  `"><svg onload=alert(1)>`,
  `مرحبا بالعالم (שלום) 1/2 >>>`,
  'W'.repeat(256),
];
/** As long as a field takes it. */
const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('').trim();

const TABS = ['servers', 'reports', 'bans', 'labels', 'audit'] as const;

async function isHarmless(page: Page, at: string): Promise<void> {
  const made = await page.evaluate(
    () => document.querySelectorAll('main :is(img, script, h1, iframe, a), svg[onload], [onerror]').length,
  );
  expect(made, at).to.equal(0);
}

needs('chromium').describe('the desk of hostile texts', () => {
  const labels = HOSTILE.map((text) => cut(text.replaceAll(',', ''), 32));
  const service = useService({
    ...MODERATED,
    GSLS_LABELS: labels.join(','),
    GSLS_REPORT_REASONS: ['spam', ...labels].join(','),
  });
  const browser = useBrowser({ isHasty: true });
  const ids: string[] = [];

  before(async () => {
    for (const [n, text] of HOSTILE.entries()) {
      const fields = { server_name: cut(text, 128), server_port: 1000 + n };
      const id = await broadcastFrom(service, `203.0.113.${n}`, fields);
      ids.push(id);
      // The names that it had before are shown, too.
      const now = { ...fields, server_id: id, server_name: cut(`now ${text}`, 128) };
      await broadcastFrom(service, `203.0.113.${n}`, now);
      await report(service, id, 1, cut(text, 160));
      const author = cut(text, 64);
      await decide(service, 'labels', { id, label: labels[n], reason: cut(text, 256), author });
      await decide(service, 'bans', { id, reason: cut(text, 256), author, mode: 'silent' });
      await decide(service, 'bans', { name: `${cut(text, 120)}*`, reason: 'a name', author });
    }
  });

  for (const width of [1280, 375])
    it(`shows them as texts in each view, none wider than its place: ${width} px`, async () => {
      const page = await browser.open(`${service.url}/desk`, { viewport: { width, height: 800 } });
      await signIn(page);
      const widest = await watchWidth(page);
      for (const tab of TABS) {
        await showTab(page, tab);
        await eventually(
          () =>
            page
              .locator('tbody tr')
              .count()
              .then((rows) => rows >= HOSTILE.length),
          true,
        );
        await isHarmless(page, tab);
        expect(await widest(), tab).to.equal(0);
      }
      for (const [n, id] of ids.entries()) {
        await page.evaluate((hash) => void (location.hash = hash), `#servers/${encodeURIComponent(id)}`);
        const sheet = page.getByRole('dialog', { name: DESK.entry.title });
        await sheet.getByRole('heading', { name: cut(`now ${HOSTILE[n]!}`, 128), exact: true }).waitFor();
        expect(await sheet.textContent()).to.include(cut(HOSTILE[n]!, 128));
        // The first one is made of markup, and the last one is the longest.
        for (const action of n % 5 === 0 ? (['ban', 'label'] as const) : []) {
          await sheet.getByRole('button', { name: DESK.actions[action] }).click();
          await page.getByRole('radio', { name: DESK.rule.patterns.name }).check();
          await page.locator('.desk-preview b').waitFor();
          await isHarmless(page, `${action} ${n}`);
          expect(await widest(), `${action} ${n}`).to.equal(0);
          await page.getByRole('button', { name: DESK.actions.cancel }).click();
        }
      }
    });

  it('takes a hostile address of its own as text', async () => {
    browser.expectComplaints(/status of 4\d\d/);
    const page = await browser.open(`${service.url}/desk`);
    await signIn(page);
    for (const text of ['%', '%E0%A4%A', HOSTILE[0]!, ...HOSTILE.slice(0, 4).map(encodeURIComponent)])
      for (const hash of [
        `#${text}`,
        `#servers/${text}`,
        `#servers?${text}`,
        `#servers?name=${text}`,
        `#servers?q=${text}`,
      ]) {
        await page.evaluate((to) => void (location.hash = to), hash);
        await page.getByRole('searchbox').waitFor();
        await isHarmless(page, hash);
      }
    await page.getByRole('link', { name: DESK.tabs.servers }).click();
    await page.getByRole('row').nth(HOSTILE.length).waitFor();
  });
});

needs('chromium').describe('axe-core finds nothing wrong at the desk', function () {
  // Ten times in each part.
  this.timeout(240_000);
  const service = useService(MODERATED);
  const browser = useBrowser({ isHasty: true });
  let id: string;

  before(async () => {
    for (let n = 0; n < 5; n += 1)
      id = await broadcastFrom(service, `203.0.113.${n}`, {
        server_name: `Number ${n}`,
        server_port: 1000 + n,
      });
    await report(service, id, 3, 'It is a shop.');
    await decide(service, 'labels', { id, label: 'featured' });
    await decide(service, 'bans', { name: 'Number 1', reason: 'a name', mode: 'silent' });
  });

  async function open(hash = ''): Promise<Page> {
    const page = await browser.open(`${service.url}/desk${hash}`);
    await signIn(page, KEY);
    await page.locator('tbody tr').first().waitFor({ state: 'attached' });
    return page;
  }

  it('in the form to sign in, in any look and width', async () => {
    const page = await browser.open(`${service.url}/desk`);
    await page.getByLabel(DESK.signIn.key).waitFor();
    expect(await violationsInAllLooks(page)).to.deep.equal([]);
  });

  it('in the entries, one of them and the forms for it, in any look and width', async () => {
    const page = await open(`#servers/${id}`);
    await page.locator('.desk-facts').waitFor();
    expect(await violationsInAllLooks(page)).to.deep.equal([]);
    for (const action of ['ban', 'label'] as const) {
      await page.getByRole('button', { name: DESK.actions[action] }).click();
      await page.locator('.desk-preview b').waitFor();
      expect(await violationsInAllLooks(page, '.dialog', ['light', 'dark', 'forced colors'])).to.deep.equal(
        [],
      );
      await page.keyboard.press('Escape');
    }
  });

  it('in the lists of decisions, light and dark', async () => {
    const page = await open();
    for (const tab of ['reports', 'bans', 'labels', 'audit'] as const) {
      await showTab(page, tab);
      expect(await violationsInAllLooks(page, '.desk-table', ['light', 'dark']), tab).to.deep.equal([]);
    }
  });
});
