/** The list while it scrolls faster than its rows can be drawn whole. */

import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { areRowsWhole, eventually } from '../support/seen-list.ts';

const SERVERS = 200;
/** How many rows the page knows at first. */
const FIRST_ROWS = 50;
/** As far as the page knows its rows without asking for more. */
const FRAMES = 10;
const STEP_PX = 300;
/** By more than what can be seen. */
const JUMP_PX = 1700;

needs('chromium').describe('the list while it scrolls', () => {
  const service = useService({ GSLS_TTL: '3600' });
  const browser = useBrowser();

  before(async () => {
    await inGroups(numbers(SERVERS), (n) =>
      service.broadcast({ server_name: `Number ${n}`, server_port: 1000 + n, map: 'de_dust2' }),
    );
  });

  for (const width of [1280, 375])
    it(`shows in each frame who is there, also after a jump, and the rest in the end: ${width} px`, async () => {
      const page = await browser.open(`${service.url}/browse`, { viewport: { width, height: 800 } });
      const first = page.locator('table[aria-rowcount] .row').first();
      const indexOfFirst = async (): Promise<number> => Number(await first.getAttribute('data-index'));
      await first.waitFor();
      // The page begins with the first rows alone: it knows the others once it has shown one of them.
      await page.evaluate((far) => scrollTo(0, far), JUMP_PX + FRAMES * STEP_PX);
      await eventually(async () => (await indexOfFirst()) > FIRST_ROWS, true);
      await page.evaluate(() => scrollTo(0, 0));
      await eventually(indexOfFirst, 0);
      await areRowsWhole(page);
      const missing = await page.evaluate(
        async ([frames, step, jump]) => {
          const found: string[] = [];
          const cells = ['.name bdi', '.load'];
          const places = cells.map(
            (each) => document.querySelector(`.row ${each}`)!.getBoundingClientRect().x,
          );
          let light = 0;
          scrollTo(0, jump);
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          for (let frame = 1; frame <= frames; frame += 1) {
            scrollTo(0, jump + frame * step);
            // The rows are drawn in the first one.
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const top = document.querySelector('thead')!.getBoundingClientRect().bottom;
            const height = document.querySelector('.row')!.getBoundingClientRect().height;
            for (let y = top + height / 2; y < innerHeight; y += height) {
              const row = document.elementFromPoint(innerWidth / 2, y)?.closest('.row');
              const drawn = cells.map((each) => row?.querySelector(each));
              if (!drawn[0]?.textContent?.startsWith('Number')) found.push(`frame ${frame}, at ${y} px`);
              else if (drawn.some((each, n) => each?.getBoundingClientRect().x !== places[n]))
                found.push(`frame ${frame}, not in its column at ${y} px`);
            }
            light += document.querySelectorAll('.row:not(:has(.copy))').length;
          }
          if (light === 0) found.push('no row was drawn with its name and players alone');
          return found;
        },
        [FRAMES, STEP_PX, JUMP_PX] as const,
      );
      expect(missing).to.deep.equal([]);
      const whole = page.locator('.row').filter({ has: page.locator('.copy') });
      await eventually(async () => (await whole.count()) === (await page.locator('.row').count()), true);
      await eventually(() => page.locator('.row .map').last().innerText(), 'de_dust2');
    });
});
