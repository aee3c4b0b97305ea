/** The page for people in a browser, in a few words: the rest is in test/page/browser. */

import { EN } from '../../src/page/texts/en.ts';
import { useBrowser } from '../page/support/browser.ts';
import { SeenList } from '../page/support/seen-list.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { useService } from '../support/use-service.ts';

const OSLO = { server_name: 'Oslo', server_port: 1001, region: 'eu', players: 9 };
const LIMA = { server_name: 'Lima', server_port: 1002, region: 'sa', players: 5 };

needs('chromium').describe('the page in a browser', () => {
  const service = useService({ GSLS_FEED_INTERVAL: '100', GSLS_TTL: '3600' });
  // It fails when the browser complains.
  const browser = useBrowser({ isHasty: true });

  it('shows the servers, narrows them by a filter, and follows their players', async () => {
    const id = await service.broadcast(OSLO);
    await service.broadcast(LIMA);
    const list = new SeenList(await browser.open(`${service.url}/browse`));
    await list.shows(['Oslo', 'Lima']);
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    await list.page
      .getByRole('group', { name: EN.columns.region })
      .getByRole('checkbox', { name: 'eu' })
      .check();
    await list.shows(['Oslo']);
    await list.page.getByRole('button', { name: new RegExp(`^${EN.feed.live}\\.`) }).waitFor();
    await ask(service, 'POST /ping', { body: { ...aBroadcast({ ...OSLO, players: 12 }), server_id: id } });
    await list.row('Oslo').getByText('12 / 16').waitFor();
  });
});
