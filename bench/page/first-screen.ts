/** What a visitor meets on the first screen of a usual list: names that are cut, targets, boxes, and what moves. */

import { inventServers } from '../../src/tools/demo/invent-servers.ts';
import { createRandom } from '../../src/tools/demo/random.ts';
import { startChromium } from '../../test/page/support/browser.ts';
import type { Service } from '../support/processes.ts';

export interface FirstScreen {
  /** How many of the names in view are cut, in %. */
  readonly cutNames: number;
  /** What can be clicked or has the focus, as far as it is seen. */
  readonly targets: number;
  /** Parts with a border all around. */
  readonly boxes: number;
  /** px from the top of the window to the first row. */
  readonly firstRow: number;
  /** The cumulative layout shift (https://web.dev/articles/cls) of the first two seconds. */
  readonly shift: number;
  /** px by which rows moved while the pointer held them and game servers came and went. */
  readonly heldMove: number;
}

const SIZE = { width: 1280, height: 800 };
const SERVERS = 500;
/** Another seed is another world. */
const SEED = 4;
const SETTLED_MS = 2000;
/** Game servers that come and go under the pointer. */
const CHANGES = 20;

/** Lists invented game servers at the service, and looks at its page. */
export async function lookAtFirstScreen({ url }: Service): Promise<FirstScreen> {
  const post = async (
    name: string,
    body: unknown,
  ): Promise<{ readonly id: string; readonly token: string }> => {
    const answer = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(body) });
    return (await answer.json()) as { readonly id: string; readonly token: string };
  };
  const invented = inventServers({ count: SERVERS, now: Date.now(), random: createRandom(SEED) });
  for (const { fields } of invented) await post('broadcast', fields);
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: SIZE });
    await page.addInitScript(() => {
      const seen = globalThis as { shift?: number };
      seen.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift! += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${url}/browse`);
    await page
      .locator(`table[aria-rowcount="${SERVERS + 1}"] .row`)
      .first()
      .waitFor();
    await page.waitForTimeout(SETTLED_MS);
    const seen = await page.evaluate(() => {
      const seenElements = [...document.querySelectorAll('body *')].filter((element) => {
        const { width, height, top, bottom } = element.getBoundingClientRect();
        const { visibility, opacity } = getComputedStyle(element);
        const isInView = width > 1 && height > 1 && bottom > 0 && top < innerHeight;
        return isInView && visibility === 'visible' && opacity !== '0';
      });
      const names = seenElements.filter((element) => element.matches('.row .name a'));
      const boxes = seenElements.filter((element) => {
        const { borderTopWidth, borderLeftWidth, borderTopColor, borderBottomWidth } =
          getComputedStyle(element);
        const isBox = [borderTopWidth, borderLeftWidth, borderBottomWidth].every((width) => width !== '0px');
        return isBox && borderTopColor !== 'rgba(0, 0, 0, 0)';
      });
      const targets = seenElements.filter((element) =>
        element.matches('a, button, input, select, summary, [tabindex="0"]'),
      );
      return {
        cutNames: (100 * names.filter((name) => name.scrollWidth > name.clientWidth).length) / names.length,
        targets: targets.length,
        boxes: boxes.length,
        firstRow: document.querySelector('.row')!.getBoundingClientRect().top,
        shift: (globalThis as { shift?: number }).shift!,
      };
    });
    const tops = (): Promise<number[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('.row')].slice(0, 8).map((row) => row.getBoundingClientRect().top),
      );
    await page.locator('.row').nth(3).hover();
    const before = await tops();
    for (let each = 0; each < CHANGES; each += 1)
      await post('broadcast', {
        name: `Newcomer ${each}`,
        host: 'new.example.net',
        port: 9000 + each,
        players: 63,
        max_players: 64,
      });
    await page.waitForTimeout(SETTLED_MS);
    const after = await tops();
    const heldMove = Math.max(...before.map((top, place) => Math.abs(top - after[place]!)));
    return { ...seen, heldMove };
  } finally {
    await browser.close();
  }
}
