/** The form for a server that is missing: where it is found, what it says, and that what others wrote stays text. */

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { hearsKeys } from '../support/seen-list.ts';

const ADMIN_KEY = 'admin';
const NAME = `<img src=x onerror=alert(1)>`;
const REASON = `"><script>alert(1)</script> ${'W'.repeat(80)}`;
const { missing } = EN;

async function enter(dialog: Locator, address: string): Promise<void> {
  await dialog.getByRole('textbox', { name: missing.address }).fill(address);
  await dialog.page().keyboard.press('Enter');
}

interface View {
  readonly url?: string;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

needs('chromium').describe('the form for a missing server', () => {
  const service = useService({ GSLS_TTL: '3600', GSLS_ADMIN_KEY: ADMIN_KEY });
  const limited = useService({ GSLS_RATE_LIMIT: 'doctor=1/m' });
  const browser = useBrowser();

  before(async () => {
    const broadcasts = [
      { server_name: NAME, server_ip: '127.0.0.1', server_port: 7777 },
      { server_name: 'Casino', server_ip: '127.0.0.1', server_port: 7778 },
    ];
    for (const body of broadcasts) await ask(service, 'POST /broadcast', { body: aBroadcast(body) });
    const { status } = await ask(service, 'POST /admin/bans', {
      body: { reason: REASON, name: 'casino' },
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    expect(status).to.equal(201);
  });

  const open = async (
    query = '?missing',
    { url = service.url, width = 1280, colorScheme = 'light' }: View = {},
  ): Promise<{ readonly page: Page; readonly dialog: Locator }> => {
    const page = await browser.open(`${url}/browse${query}`, {
      colorScheme,
      viewport: { width, height: 600 },
    });
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    return { page, dialog: page.getByRole('dialog', { name: missing.open }) };
  };

  it('is found below the list by keyboard, and gives the focus back', async () => {
    const { page, dialog } = await open('?region=mars');
    const link = page.getByRole('link', { name: missing.open });
    await link.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    expect(new URL(page.url()).search).to.equal('?region=mars&missing');
    const field = dialog.getByRole('textbox', { name: missing.address });
    expect(await field.evaluate((element) => element === document.activeElement)).to.equal(true);
    expect(browser.requested.filter((url) => url.endsWith('/doctor'))).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.search === '?region=mars');
    expect(await link.evaluate((element) => element === document.activeElement)).to.equal(true);
  });

  it('asks nothing without a port, says what is not known, and keeps what was typed', async () => {
    const { dialog } = await open();
    for (const [typed, example] of [
      ['', 'play.example.com:7777'],
      ['2001:db8::7', '[2001:db8::7]:7777'],
      ['<img src=x>', 'play.example.com:7777'],
    ] as const) {
      await enter(dialog, typed);
      await dialog.getByRole('status').getByText(missing.example(example)).waitFor();
    }
    expect(browser.requested.filter((url) => url.endsWith('/doctor'))).to.deep.equal([]);
    await enter(dialog, 'connect 127.0.0.1:7999; password secret');
    const outcome = dialog.getByRole('status');
    await outcome.getByText(/^no game server at this address and port is known/i).waitFor();
    await outcome.getByText(missing.next).waitFor();
    expect(await outcome.locator('[lang=en]').count()).to.equal(2);
    await dialog.getByText('127.0.0.1', { exact: true }).waitFor();
    const wrong = dialog.getByRole('listitem').filter({ hasText: 'no entry' });
    expect(await wrong.textContent()).to.match(/^✗Wrong: no entry/);
    const field = dialog.getByRole('textbox', { name: missing.address });
    expect(await field.inputValue()).to.include('7999');
    await field.fill('[::1]:7999');
    await dialog.getByRole('button', { name: missing.ask }).click();
    await outcome.getByText('::1').waitFor();
  });

  it('says that it is offline, then shows a listed server by its name, as text, with its details', async () => {
    browser.expectComplaints(/ERR_INTERNET_DISCONNECTED/);
    const { page, dialog } = await open();
    await page.context().setOffline(true);
    await enter(dialog, '127.0.0.1 7777');
    await dialog.getByText(EN.feed.away.unreachable).waitFor();
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: missing.ask }).click();
    await dialog.getByText(/^the list shows this game server/i).waitFor();
    await dialog.getByRole('link', { name: NAME }).click();
    await page.getByRole('dialog', { name: NAME }).waitFor();
    expect([...new URL(page.url()).searchParams.keys()]).to.deep.equal(['list']);
    expect(await dialog.count()).to.equal(0);
  });

  it('shows the reason of a ban as text, in 320 px, in the dark and in German', async () => {
    const { page } = await open('?missing&lang=de', { width: 320, colorScheme: 'dark' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('127.0.0.1:7778');
    await page.keyboard.press('Enter');
    await dialog.getByRole('status').getByText(REASON).waitFor();
    // The name is that of an entry which no list shows: no details could be led to.
    await dialog.getByText('Casino', { exact: true }).waitFor();
    expect(await dialog.getByRole('link').count()).to.equal(0);
    expect(await dialog.locator('img, script').count()).to.equal(0);
    const isTooWide = await dialog.evaluate(
      (element) =>
        element.scrollWidth > element.clientWidth ||
        element.getBoundingClientRect().right > innerWidth ||
        document.documentElement.scrollWidth > innerWidth,
    );
    expect(isTooWide).to.equal(false);
  });

  it('waits as long as a limit says', async () => {
    browser.expectComplaints(/status of 429/);
    const { dialog } = await open('?missing', { url: limited.url });
    const button = dialog.getByRole('button', { name: missing.ask });
    await enter(dialog, '7777');
    await dialog.getByRole('listitem').first().waitFor();
    await button.click();
    await dialog.getByText(/^Too many questions from here. Ask again in \d+ seconds\.$/).waitFor();
    expect(await button.getAttribute('aria-disabled')).to.equal('true');
    await enter(dialog, '7778');
    await hearsKeys(dialog.page());
    expect(browser.requested.filter((url) => url.endsWith('/doctor'))).to.have.length(2);
  });

  it('is a sentence without JavaScript, and not there in a frame', async () => {
    const page = await browser.open(`${service.url}/browse`, { javaScriptEnabled: false });
    // Playwright looks for no texts within it.
    const line = page.locator('noscript > .missing-line');
    expect(await line.isVisible()).to.equal(true);
    expect(await line.innerText()).to.equal(
      `${missing.open} ${missing.withoutScript} gsls doctor URL HOST:PORT`,
    );
    await page.goto(`${service.url}/browse?embed&missing`);
    expect(await line.count()).to.equal(0);
  });
});
