import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { describeFilter, inWords } from '../../../src/page/filters/describe-filter.ts';

describe('a filter in words', () => {
  for (const [name, text, words] of [
    ['full', 'false', 'Not full'],
    ['full', 'true', 'Full: true'],
    ['empty', 'false', 'Not empty'],
    ['password!', 'true', 'No password'],
    ['password', 'false', 'Password: false'],
    ['map', 'de_*', 'Map: de_*'],
    ['map!', 'arena', 'Map is not arena'],
    ['meta.level', '5', 'Level: 5'],
    ['meta.friendlyFire!', 'true', 'Friendly fire is not on'],
    ['meta.toString', 'null', 'To string: none'],
    ['constructor', 'x', 'constructor: x'],
    ['', 'x', ': x'],
  ] as const)
    it(`of ${name}=${text} is ${JSON.stringify(words)}`, () => {
      expect(inWords(describeFilter(EN, name, text))).to.equal(words);
    });
});
