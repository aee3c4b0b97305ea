/** The page looks as its pictures in the repository do: on phones, tablets and wide screens, in light and in dark. */

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needs } from '../../support/needs.ts';
import { drawScenes, PICTURES } from '../support/scenes.ts';

/** A colour of a pixel may differ by so much: another release of Chromium smooths letters otherwise. */
const LEAST_DIFFERENCE = 48;
/** A picture may have so many other pixels: fewer than a letter has. */
const MOST_PIXELS = 12;

needs('chromium').describe('the pictures of the page', function () {
  this.timeout(120_000);

  it('are as those in the repository', async () => {
    const drawn: string[] = [];
    const others: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'gsls-pictures-'));
    await drawScenes(async (name, png, page) => {
      drawn.push(`${name}.png`);
      const known = readFileSync(new URL(`${name}.png`, PICTURES));
      const pixels = await countOthers(page, known, png);
      if (pixels <= MOST_PIXELS) return;
      const file = join(folder, `${name}.png`);
      writeFileSync(file, png);
      others.push(`${file}: ${pixels} pixels differ`);
    });
    expect(others, 'renew them with "npm run generate -- page-pictures" if this is meant').to.deep.equal([]);
    expect(readdirSync(PICTURES).toSorted()).to.deep.equal(drawn.toSorted());
  });
});

/** How many pixels differ; all of them if the sizes do. */
function countOthers(page: Page, known: Buffer, png: Buffer): Promise<number> {
  return page.evaluate(
    async ([one, other, least]) => {
      const pixels: Uint8ClampedArray[] = [];
      for (const base64 of [one, other]) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!);
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
        canvas.drawImage(bitmap, 0, 0);
        pixels.push(canvas.getImageData(0, 0, bitmap.width, bitmap.height).data);
      }
      const [a, b] = pixels as [Uint8ClampedArray, Uint8ClampedArray];
      if (a.length !== b.length) return a.length / 4;
      let differing = 0;
      for (let at = 0; at < a.length; at += 4) {
        const difference = Math.max(
          Math.abs(a[at]! - b[at]!),
          Math.abs(a[at + 1]! - b[at + 1]!),
          Math.abs(a[at + 2]! - b[at + 2]!),
        );
        if (difference > least) differing += 1;
      }
      return differing;
    },
    [known.toString('base64'), png.toString('base64'), LEAST_DIFFERENCE] as const,
  );
}
