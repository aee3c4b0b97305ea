/** The page while replicas are upgraded: some of them do not have its files. */

import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, SeenList } from '../support/seen-list.ts';

/** Files whose names tell their content: another release has others. */
const HASHED = /^\/browse\/\w+-[\w.-]+\.(?:js|css)/;
/** So often a replica of another release is asked first. */
const OTHERS = 2;

needs('chromium').describe('a page from another release than the replica that is asked for its files', () => {
  const service = useService();
  const browser = useBrowser({ isHasty: true });
  const missed: string[] = [];
  let front: Server;
  let url: string;

  before(async () => {
    front = createServer((incoming, outgoing) => {
      const { method, headers } = incoming;
      const [path = ''] = incoming.url!.split('?');
      if (HASHED.test(path) && missed.filter((each) => each === path).length < OTHERS) {
        missed.push(path);
        outgoing.writeHead(404, { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' });
        outgoing.end('{"status":"error"}');
        return;
      }
      const passed = ask(`${service.url}${incoming.url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      outgoing.on('close', () => passed.destroy());
      incoming.pipe(passed);
    });
    await listen(front, '127.0.0.1', 0);
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  after(() => {
    front.closeAllConnections();
    front.close();
  });

  it('shows the list at once, and comes to life when the files are found', async () => {
    browser.expectComplaints(/404|Failed to fetch dynamically imported module|MIME type/);
    // Of the worker.
    browser.expectComplaints(/^script: $|^request: .*: net::ERR_FAILED$/);
    await service.broadcast({ server_name: 'Oslo' });
    const list = new SeenList(await browser.open(`${url}/browse`));
    await list.shows(['Oslo']);
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor({ timeout: 30_000 });
    await list.shows(['Oslo']);
    await eventually(() => list.rows.first().evaluate((row) => getComputedStyle(row).position), 'absolute');
    expect(await list.page.evaluate(() => document.styleSheets.length)).to.equal(1);
    expect(new Set(missed)).to.have.property('size', 4);
    const documents = browser.requested.filter((each) => each === `${url}/browse`);
    expect(documents, 'without loading the page again').to.have.length(1);
  });
});
