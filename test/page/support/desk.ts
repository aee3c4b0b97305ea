/** The desk of moderators as a test meets it: a service with a key, game servers of some networks, and a person. */

import type { Page } from 'playwright-core';
import { DESK_LANGUAGES, type DeskTexts } from '../../../src/page/texts/desk-texts.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';

export const DESK = DESK_LANGUAGES.get('en')!;
export const KEY = 'boss';

/** Names of the environment: who may moderate, and that the tests say from where each request comes. */
export const MODERATED = {
  GSLS_TTL: '3600',
  GSLS_ADMIN_KEY: KEY,
  GSLS_TRUST_PROXY: 'loopback',
  GSLS_REPORT_REASONS: 'cheating,spam',
  GSLS_REPORT_NOTES: 'true',
};

interface Target {
  readonly url: string;
}

async function answered(target: Target, call: string, body: object, headers = {}): Promise<TestAnswer> {
  const answer = await ask(target, call, { body, headers });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
}

/** Broadcasts from this address, or pings with an id. Returns the id of a broadcast. */
export async function broadcastFrom(
  target: Target,
  address: string,
  fields: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = aBroadcast({
    server_ip: address,
    server_host: `${fields['server_port'] as number}.example.com`,
    ...fields,
  });
  const { body: answer } = await answered(
    target,
    fields['server_id'] ? 'POST /ping' : 'POST /broadcast',
    body,
    {
      ...headers,
      'X-Forwarded-For': address,
    },
  );
  return answer.server_id!;
}

/** Reports the entry from so many networks. */
export async function report(target: Target, id: string, networks: number, note?: string): Promise<void> {
  for (let network = 0; network < networks; network += 1)
    await answered(
      target,
      'POST /report',
      { id, reason: 'spam', ...(network === 0 && note !== undefined && { note }) },
      { 'X-Forwarded-For': `192.0.${network}.1` },
    );
}

/** Decides with the key of the tests. `path`: below /admin. */
export function decide(target: Target, path: string, fields: object): Promise<TestAnswer> {
  const headers = { Authorization: `Bearer ${KEY}` };
  return answered(target, `POST /admin/${path}`, { author: 'ada', ...fields }, headers);
}

/** Fills in the form of the desk, and sends it by the Enter key. */
export async function signIn(page: Page, key = KEY, texts: DeskTexts = DESK): Promise<void> {
  await page.getByLabel(texts.signIn.key).fill(key);
  await page.getByLabel(texts.signIn.author).fill('mona');
  await page.keyboard.press('Enter');
}

/** Goes to this list, and waits for its first row. */
export async function showTab(page: Page, tab: keyof DeskTexts['tabs']): Promise<void> {
  await page.getByRole('link', { name: DESK.tabs[tab] }).click();
  await page.locator(`nav a[href="#${tab}"][aria-current]`).waitFor();
  await page.locator('tbody tr').first().waitFor({ state: 'attached' });
}

/** The names of the rows, from the first to the last. */
export function namesSeen(page: Page): Promise<string[]> {
  return page.locator('.desk-table td:first-child > .link').allTextContents();
}

/** Watches from now on. Resolves with the most by which anything was wider than its place, in px. */
export async function watchWidth(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const most = { px: 0 };
    Object.assign(globalThis, { most });
    setInterval(() => {
      const all = [
        document.documentElement,
        ...document.querySelectorAll('dialog, main *:not(thead, thead *)'),
      ];
      for (const { scrollWidth, clientWidth } of all)
        if (clientWidth > 0) most.px = Math.max(most.px, scrollWidth - clientWidth);
    }, 20);
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly most: { px: number } }).most.px);
}
