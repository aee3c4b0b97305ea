import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { describeFilter, inWords } from '../../../src/page/filters/describe-filter.ts';
import { createFormats } from '../../../src/page/texts/formats.ts';
import { regionName } from '../../../src/page/parts/regions.tsx';

const WORDS = {
  texts: EN,
  regionName: (region: string) => regionName(region, { home: 'At home' }, EN),
  formats: createFormats('en'),
};

describe('a filter in words', () => {
  for (const [name, text, words] of [
    ['full', 'false', 'Not full'],
    ['full', 'true', 'Full: true'],
    ['empty', 'false', 'Not empty'],
    ['password!', 'true', 'No password'],
    ['password', 'false', 'Password: false'],
    ['map', 'de_*', 'Map: de_*'],
    ['map!', 'arena', 'Map is not arena'],
    ['region', 'eu', 'Region: Europe'],
    ['region!', 'home', 'Region is not At home'],
    ['country', 'DE', 'Country: Germany'],
    ['country!', 'FR', 'Country is not France'],
    ['country', 'D*', 'Country: D*'],
    ['country', '<b>', 'Country: <b>'],
    ['meta.level', '5', 'Level: 5'],
    ['meta.friendlyFire!', 'true', 'Friendly fire is not on'],
    ['meta.toString', 'null', 'To string: none'],
    ['constructor', 'x', 'constructor: x'],
    ['', 'x', ': x'],
  ] as const)
    it(`of ${name}=${text} is ${JSON.stringify(words)}`, () => {
      expect(inWords(describeFilter(WORDS, name, text))).to.equal(words);
    });
});
