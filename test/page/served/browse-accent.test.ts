/** The accent colour of the page: whichever is chosen, all that it colours can be read. */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { assert, integer, property } from 'fast-check';
import { accentStyle, contrastOf, readableOn, textOn } from '../../../src/page/served/accent.ts';

const BASE = readFileSync(new URL('../../../src/page/style/tokens.css', import.meta.url), 'utf8');
const [GENERAL = ''] = BASE.split('@media (prefers-contrast: more)');
const GROUNDS = { light: groundsOf(tokensIn(GENERAL, 'light')), dark: groundsOf(tokensIn(GENERAL, 'dark')) };

const anyColor = integer({ min: 0, max: 0xff_ff_ff }).map(
  (value) => `#${value.toString(16).padStart(6, '0')}`,
);

/** The colours that a style sets where it is light or dark, by the names of its tokens. */
function tokensIn(style: string, look: 'light' | 'dark'): Readonly<Record<string, string>> {
  const colors = style.matchAll(/--([\w-]+): var\(--light, (#[\da-f]{6})\) var\(--dark, (#[\da-f]{6})\);/g);
  return Object.fromEntries(
    [...colors].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }[look]]),
  );
}

function groundsOf({ bg, surface, raised }: Readonly<Record<string, string>>): readonly string[] {
  return [bg!, surface!, raised!];
}

describe('the accent colour of the page', () => {
  it('has the contrast of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).to.equal(21);
    expect(contrastOf('#777777', '#ffffff')).to.be.closeTo(4.48, 0.01);
    expect(contrastOf('#ffffff', '#1f5fbf')).to.equal(contrastOf('#1f5fbf', '#ffffff'));
  });

  it('can be read on every ground of the page, light or dark, and so can the text on it', () => {
    assert(
      property(anyColor, (color) => {
        const [general, more] = accentStyle(color).split('@media (prefers-contrast: more)');
        for (const [style, contrast] of [
          [general!, 4.5],
          [more!, 7],
        ] as const)
          for (const look of ['light', 'dark'] as const) {
            const { accent, 'on-accent': onAccent } = tokensIn(style, look);
            for (const ground of GROUNDS[look])
              expect(contrastOf(accent!, ground), `${color} on ${ground}`).to.be.at.least(contrast);
            expect(contrastOf(onAccent!, accent!), color).to.be.at.least(4.5);
          }
      }),
    );
  });

  it('stays as it is where it can be read already', () => {
    expect(readableOn('#ffffff', '#1f5fbf', 4.5)).to.equal('#1f5fbf');
    expect(readableOn('#101217', '#8ab4f8', 4.5)).to.equal('#8ab4f8');
    expect(readableOn('#ffffff', '#ffff00', 4.5)).to.match(/^#([0-9a-f]{2})\1[0-9a-f]{2}$/);
    expect([textOn('#ffff00'), textOn('#1f5fbf')]).to.deep.equal(['#000000', '#ffffff']);
  });
});
