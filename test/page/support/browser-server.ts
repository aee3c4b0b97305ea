/** Mocha requires it for the lane of the page: one Chromium for all files, started before them and ended after them. */

import { chromium, type BrowserServer } from 'playwright-core';
import { has } from '../../support/needs.ts';
import { BROWSER_SERVER, chromiumOptions } from './browser.ts';

let server: BrowserServer | undefined;

/** Where Chromium is missing its tests are pending. */
export async function mochaGlobalSetup(): Promise<void> {
  if (!has('chromium')) return;
  server = await chromium.launchServer(chromiumOptions());
  process.env[BROWSER_SERVER] = server.wsEndpoint();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.close();
}
