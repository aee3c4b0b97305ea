/** gsls-client, bundled into a page of another origin than the service. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildPackage, bundleFor } from '../../clients/support/typescript.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useBrowser } from '../support/browser.ts';
import { useForeignPages } from '../support/use-foreign-pages.ts';

interface Played {
  readonly log: readonly string[];
  readonly seen: readonly unknown[];
}

const PROGRAM = `
import { announce, find, list, watch } from 'gsls-client';

const fields = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
};
globalThis.play = async (url) => {
  const log = [];
  const announcement = announce(url, fields, { tokenFile: 'a', log: (line) => log.push(line) });
  const seen = [];
  for await (const { servers, removed } of watch(url, 'region!=eu')) {
    seen.push(...servers.map(({ name }) => name), ...removed.map(() => 'gone'));
    if (seen.at(-1) === 'gone') break;
    if (servers.length === 0) continue;
    const first = await list(url);
    const second = await list(url, { previous: first });
    const { servers: found } = await find(url, 'players=3');
    seen.push(announcement.state, second.servers === first.servers, found[0]?.id === announcement.id);
    await announcement.stop();
  }
  return { log, seen };
};`;

needs('chromium').describe('gsls-client in a page', () => {
  const newPath = useDirectory();
  const browser = useBrowser();
  const serveHtml = useForeignPages();
  let script: string;

  before(async () => {
    const folder = join(newPath(), 'node_modules/gsls-client');
    mkdirSync(folder, { recursive: true });
    await buildPackage(folder);
    [script = ''] = await bundleFor(PROGRAM, folder);
  });

  it('announces a game server, and lists, finds and watches it', async () => {
    const html = `<script type="module">${script.replaceAll('</script', String.raw`<\/script`)}</script>`;
    const address = await serveHtml(html);
    const service = await startTestService({ GSLS_CORS_WRITE_ORIGIN: new URL(address).origin });
    try {
      const page = await browser.open(address);
      const { log, seen } = await page.evaluate(
        (url) => (globalThis as unknown as { play: (url: string) => Promise<Played> }).play(url),
        service.url,
      );
      expect(seen).to.deep.equal(['Frankfurt 1', 'listed', true, true, 'gone']);
      expect(log[0]).to.match(/^There are no files here, and the token is not kept\. /);
    } finally {
      await service.close();
    }
  });
});
