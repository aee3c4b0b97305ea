/** What a moderator comes to the desk for, counted in clicks, and the same by keyboard and on a phone. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { DESK_LANGUAGES, type DeskTexts } from '../../../src/page/texts/desk-texts.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { needs } from '../../support/needs.ts';
import { useServices } from '../../support/use-services.ts';
import { useBrowser } from '../support/browser.ts';
import { broadcastFrom, DESK, MODERATED, namesSeen, report, signIn, watchWidth } from '../support/desk.ts';
import { eventually } from '../support/seen-list.ts';

const SPAM = ['Best skins', 'Cheap skins', 'Free skins'];
const HONEST = ['Oslo', 'Rome', 'Paris'];
/** Another name in the network of the spammers. */
const TENANT = 'Lima';

/** A task takes so many clicks. The third number is the way back to an entry whose sheet is not beside the list. */
const CLICKS = [2, 1, 0, 3, 2, 7];

/** Counts the clicks on the page from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(globalThis, { clicks: 0 });
    addEventListener('pointerdown', () => ((globalThis as unknown as { clicks: number }).clicks += 1), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly clicks: number }).clicks);
}

needs('chromium').describe('a moderator', () => {
  const browser = useBrowser({ isHasty: true });
  const services = useServices(() => MODERATED);
  let service: Service;

  beforeEach(async () => {
    service = await services.start();
    for (const [n, name] of HONEST.entries())
      await broadcastFrom(service, `198.51.${n}.7`, { server_name: name, server_port: 1000 + n });
    const ids: string[] = [];
    for (const [n, name] of [...SPAM, TENANT].entries())
      ids.push(await broadcastFrom(service, `203.0.113.${n}`, { server_name: name, server_port: 2000 + n }));
    await report(service, ids[1]!, 3, 'It is a shop.');
  });

  async function open(width = 1280, locale = 'en-GB', texts: DeskTexts = DESK): Promise<Page> {
    const page = await browser.open(`${service.url}/desk`, { viewport: { width, height: 740 }, locale });
    await signIn(page, undefined, texts);
    await page.locator('.desk-table tbody tr').first().waitFor();
    return page;
  }

  async function shown(): Promise<string[]> {
    const { body } = await ask(service, 'GET /');
    return body.servers!.map(({ name }) => name).toSorted();
  }

  /** The five tasks one after the other: how many clicks each takes. */
  async function play(page: Page, texts: DeskTexts): Promise<readonly number[]> {
    const clicks = await countClicks(page);
    const counts: number[] = [];
    const counted = async (): Promise<void> => {
      counts.push((await clicks()) - counts.reduce((sum, each) => sum + each, 0));
    };
    // Find the spammer: the entry that most networks report.
    await page.getByRole('link', { name: texts.tabs.reports }).click();
    await page.getByRole('button', { name: 'Cheap skins' }).click();
    const sheet = page.getByRole('dialog', { name: texts.entry.title });
    await sheet.getByText('It is a shop.').waitFor();
    await counted();
    // See its network: its other entries are named already, and one click lists them.
    await sheet.getByRole('button', { name: 'Free skins' }).waitFor();
    await sheet.getByRole('button', { name: texts.entry.showAll }).first().click();
    await eventually(async () => (await namesSeen(page)).toSorted(), [...SPAM, TENANT].toSorted());
    await counted();
    if (await sheet.isHidden()) await page.getByRole('button', { name: 'Cheap skins' }).click();
    await counted();
    // Preview and ban.
    await sheet.getByRole('button', { name: texts.actions.ban }).click();
    await page.keyboard.type('A shop');
    const form = page.getByRole('dialog', { name: texts.rule.ban });
    await form.getByRole('radio', { name: texts.rule.patterns.network }).check();
    await form.getByText(texts.rule.preview('4', '0')).waitFor();
    const all = [...SPAM, ...HONEST, TENANT].toSorted();
    expect(await shown()).to.deep.equal(all);
    await form.getByRole('button', { name: texts.rule.doBan, exact: true }).click();
    await page.getByText(texts.done.banned('4')).waitFor();
    await counted();
    await eventually(shown, HONEST.toSorted());
    // Undo from the audit.
    await page.getByRole('link', { name: texts.tabs.audit }).click();
    await page.getByRole('row').nth(1).getByRole('button', { name: texts.actions.undo }).click();
    await page.getByText(texts.done.undone).waitFor();
    await counted();
    expect(await shown()).to.deep.equal(all);
    // Label and feature.
    await page.getByRole('link', { name: texts.tabs.servers }).click();
    await page.getByRole('button', { name: 'Oslo' }).click();
    for (const label of ['official', 'featured']) {
      await sheet.getByRole('button', { name: texts.actions.label }).click();
      const dialog = page.getByRole('dialog', { name: texts.rule.label });
      const choice = dialog.getByRole('radio', { name: label });
      if (!(await choice.isChecked())) await choice.check();
      await dialog.getByRole('button', { name: texts.rule.doLabel, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await eventually(() => sheet.locator('.desk-facts .label').allTextContents(), ['featured', 'official']);
    await counted();
    return counts;
  }

  it('finds the spammer, sees its network, bans, undoes, labels and features in few clicks', async () => {
    expect(await play(await open(), DESK)).to.deep.equal(CLICKS);
  });

  it('does so in German on a phone, where nothing is wider than the screen', async () => {
    const texts = DESK_LANGUAGES.get('de')!;
    const page = await open(375, 'de-AT', texts);
    expect(await page.evaluate(() => document.documentElement.lang)).to.equal('de');
    const widest = await watchWidth(page);
    // Its list is in the place of the sheet, which is opened again.
    expect(await play(page, texts)).to.deep.equal(CLICKS.with(2, 1));
    expect(await widest()).to.equal(0);
  });

  it('dismisses reports, and removes an entry once that is confirmed', async () => {
    const page = await open();
    await page.getByRole('link', { name: DESK.tabs.reports }).click();
    await page.getByRole('button', { name: 'Cheap skins' }).click();
    const sheet = page.getByRole('dialog', { name: DESK.entry.title });
    await sheet.getByRole('button', { name: DESK.actions.dismiss }).click();
    await page.getByText(DESK.done.dismissed).waitFor();
    await sheet.getByText('It is a shop.').waitFor({ state: 'detached' });
    const remove = sheet.getByRole('button', { name: DESK.actions.remove, exact: true });
    await remove.click();
    expect(await shown()).to.include('Cheap skins');
    await sheet.getByRole('button', { name: DESK.actions.removeSure }).click();
    await page.getByText(DESK.done.removed).waitFor();
    await eventually(shown, [...SPAM, ...HONEST, TENANT].filter((name) => name !== 'Cheap skins').toSorted());
    await page.getByRole('link', { name: DESK.tabs.audit }).click();
    const lines = page.getByRole('row').filter({ hasText: 'Cheap skins' });
    await eventually(async () => (await lines.allInnerTexts()).length, 2);
  });

  it('does its tasks by keyboard alone', async () => {
    const page = await open();
    const { keyboard } = page;
    const focused = (): Promise<string> =>
      page.evaluate(() => (document.activeElement as HTMLElement).innerText.trim());
    /** Presses a key until the focus is on this, and then Enter. */
    const go = async (name: string, key = 'Tab'): Promise<void> => {
      for (let pressed = 0; (await focused()) !== name; pressed += 1) {
        expect(pressed, name).to.be.below(40);
        await keyboard.press(key);
      }
      await keyboard.press('Enter');
    };
    await go(DESK.tabs.reports);
    await page.getByRole('button', { name: 'Cheap skins' }).waitFor();
    await go('Cheap skins');
    await page.getByText('It is a shop.').first().waitFor();
    const sheet = page.getByRole('dialog', { name: DESK.entry.title });
    await sheet.getByRole('button', { name: DESK.actions.ban }).waitFor();
    expect(await focused()).to.equal('Cheap skins');
    await go(DESK.entry.showAll);
    await eventually(async () => (await namesSeen(page)).length, 4);
    await go(DESK.actions.ban, 'Shift+Tab');
    await keyboard.type('A shop');
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await page.getByText(DESK.rule.preview('4', '0')).waitFor();
    await keyboard.press('Enter');
    await page.getByText(DESK.done.banned('4')).waitFor();
    await sheet.getByText(DESK.hiddenBy['ban']!, { exact: true }).waitFor();
    expect(await focused()).to.equal(DESK.actions.ban);
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await go(DESK.tabs.audit, 'Shift+Tab');
    await page.getByText('A shop').first().waitFor();
    await go(DESK.actions.undo);
    await page.getByText(DESK.done.undone).waitFor();
    await go(DESK.tabs.servers, 'Shift+Tab');
    await page.getByRole('button', { name: 'Rome' }).waitFor();
    await go('Rome');
    await sheet.getByRole('button', { name: DESK.actions.label }).waitFor();
    await go(DESK.actions.label);
    await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await eventually(() => sheet.locator('.desk-facts .label').allTextContents(), ['featured']);
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await focused()).to.equal('Rome');
  });
});
