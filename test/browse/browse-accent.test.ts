/** The accent colour of the page: whichever is chosen, all that it colours can be read. */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { assert, integer, property } from 'fast-check';
import { accentStyle, contrastOf, readableOn, textOn } from '../../src/browse/accent.ts';

const BASE = readFileSync(new URL('../../src/page/style/base.css', import.meta.url), 'utf8');
const LIGHT = tokensIn(BASE.slice(0, BASE.indexOf('@media')));
const DARK = tokensIn(/prefers-color-scheme: dark\) \{([^]*?)\n\}/.exec(BASE)![1]!);

const anyColor = integer({ min: 0, max: 0xff_ff_ff }).map(
  (value) => `#${value.toString(16).padStart(6, '0')}`,
);

/** The colours that a style sets, by the names of its tokens. */
function tokensIn(style: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...style.matchAll(/--([\w-]+): (#[\da-f]{6})/g)].map(([, name, color]) => [name!, color!]),
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
        const [light, dark, moreLight, moreDark] = accentStyle(color)
          .match(/:root \{.*?\}/g)!
          .map(tokensIn);
        for (const [tokens, grounds, contrast] of [
          [light, groundsOf(LIGHT), 4.5],
          [dark, groundsOf(DARK), 4.5],
          [moreLight, groundsOf(LIGHT), 7],
          [moreDark, groundsOf(DARK), 7],
        ] as const) {
          for (const ground of grounds)
            expect(contrastOf(tokens!['accent']!, ground), `${color} on ${ground}`).to.be.at.least(contrast);
          expect(contrastOf(tokens!['on-accent']!, tokens!['accent']!), color).to.be.at.least(4.5);
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
