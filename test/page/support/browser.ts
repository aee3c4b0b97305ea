/**
 * A headless Chromium for the tests of a describe block. It finds no host but 127.0.0.1 and those of
 * localhost, and a test fails when the browser complains of a page in a way that the test has not announced.
 */

import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findProgram } from '../../support/needs.ts';

export interface UsedBrowser {
  /** A page at the address, in a context of its own. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Complaints that match are all right. */
  expectComplaints(pattern: RegExp): void;
  /** The addresses that the pages have requested so far. */
  readonly requested: readonly string[];
}

/** Pages of Chromium's own in the address bar: for each window they take a process, and more time than our page. */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright turns off. The last list that Chromium is given counts alone. */
const AS_PLAYWRIGHT = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];
const ARGS = [
  '--no-sandbox',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
  `--disable-features=${[...UNSEEN, ...AS_PLAYWRIGHT].join(',')}`,
];
/** Of a step in a page: a busy machine has to make it. */
const PATIENCE_MS = 30_000;

/** While other tests run beside it, a browser takes seconds to load a page. */
const SLOW_MS = 60_000;

/** Names the address of a Chromium that is there for every file of a run: browser-server.ts. */
export const BROWSER_SERVER = 'GSLS_TEST_BROWSER';

/** How to launch Debian's Chromium without a window. */
export function chromiumOptions(args: readonly string[] = []): LaunchOptions {
  return { executablePath: findProgram('chromium')!, args: [...ARGS, ...args], timeout: SLOW_MS };
}

/** One of its own, to be closed. */
export function startChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch(chromiumOptions(args));
}

let connection: Promise<Browser> | undefined;

/** The Chromium of the run, to which a process connects once, or where there is none one for the block. */
function openBrowser(): Promise<Browser> {
  const address = process.env[BROWSER_SERVER];
  if (address === undefined) return startChromium();
  return (connection ??= chromium.connect(address, { timeout: SLOW_MS }));
}

/** Runs in pages and in workers. What takes from 5 s on is no pause, but how long a silent service is waited for. */
function shortenPauses(): void {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, ms = 0, ...args: unknown[]) =>
    wait(run, ms < 5000 ? ms / 10 : ms, ...args)) as typeof setTimeout;
}

/** What its pages and their workers wait for comes in a tenth of the time. */
async function hasten(context: BrowserContext): Promise<void> {
  await context.addInitScript(shortenPauses);
  await context.route(/\/browse\/worker-\w+\.js/, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    await route.fulfill({
      response,
      body: response.ok() ? `(${shortenPauses.toString()})();${script}` : script,
    });
  });
}

export interface BrowserUse {
  /** How long its pages are there, and what announced complaints hold for. */
  readonly pagesLast?: 'test' | 'block';
  /** Its pages wait a tenth of the time before they try again or show the next change. */
  readonly isHasty?: boolean;
  /** Has a browser of its own, with scrollbars that take their place from a page, as on a desktop. */
  readonly hasScrollbars?: boolean;
}

/** Call it in a describe block, before what its pages ask: that ends after them. */
export function useBrowser({
  pagesLast = 'test',
  isHasty = false,
  hasScrollbars = false,
}: BrowserUse = {}): UsedBrowser {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  const requested: string[] = [];

  before('the browser', async function () {
    this.timeout(SLOW_MS);
    browser = hasScrollbars
      ? await chromium.launch({ ...chromiumOptions(), ignoreDefaultArgs: ['--hide-scrollbars'] })
      : await openBrowser();
  });
  beforeEach('the time that it may take', function () {
    const test = this.currentTest!;
    test.timeout(Math.max(test.timeout(), SLOW_MS));
  });
  (pagesLast === 'test' ? afterEach : after)('the pages', async function () {
    this.timeout(SLOW_MS);
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const patterns = expected.splice(0);
    const unexpected = complaints.splice(0).filter((text) => !patterns.some((each) => each.test(text)));
    requested.length = 0;
    if (unexpected.length > 0) throw new Error(`the browser complains:\n${unexpected.join('\n')}`);
  });
  after('the browser', async function () {
    this.timeout(SLOW_MS);
    if (connection === undefined || hasScrollbars) await browser?.close();
  });

  function watch(context: BrowserContext): void {
    // Errors of scripts, what a policy refuses, and answers with an error: of pages, frames and workers.
    context.on('console', (message) => {
      if (['error', 'warning', 'assert'].includes(message.type()))
        complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) =>
      complaints.push(`script: ${error.error().stack ?? error.error().message}`),
    );
    context.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('request', (request) => requested.push(request.url()));
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A page that ends, or changes its mind, gives up its requests. What a policy refuses is in the console, too,
      // unless it is that of a context without JavaScript.
      if (!['net::ERR_ABORTED', 'csp'].includes(reason))
        complaints.push(`request: ${request.url()}: ${reason}`);
    });
  }

  return {
    async open(url, options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      watch(context);
      if (isHasty) await hasten(context);
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    expectComplaints: (pattern) => void expected.push(pattern),
    requested,
  };
}
