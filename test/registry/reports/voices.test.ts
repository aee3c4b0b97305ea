/** The rules for voices: which there are, which go, and their text. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  beyondAll,
  formatVoices,
  LONGEST_NOTE,
  MOST_IN_ALL,
  MOST_OF_ONE,
  parseVoices,
  VOICE_LIFE_MS,
  withVoice,
  type Voice,
} from '../../../src/registry/reports/voices.ts';

const aVoice = fc.record({
  network: fc.constantFrom('a', 'b', 'c', 'd'),
  reason: fc.string({ maxLength: 32 }),
  at: fc.nat(VOICE_LIFE_MS - 1),
  note: fc.option(fc.string({ minLength: 1, maxLength: LONGEST_NOTE, unit: 'grapheme' }), { nil: undefined }),
});

const plain = ({ note, ...others }: Omit<Voice, 'note'> & { readonly note: string | undefined }): Voice =>
  note === undefined ? others : { ...others, note };

/** Voices of `count` networks, the last at `at`. */
function voicesOf(count: number, at: number): readonly Voice[] {
  return Array.from({ length: count }, (_, n) => ({
    network: `${n}`,
    reason: 'spam',
    at: at - count + n + 1,
  }));
}

describe('voices', () => {
  it('are one of each network, the latest', () => {
    fc.assert(
      fc.property(fc.array(aVoice, { maxLength: 20 }), (given) => {
        let voices: readonly Voice[] = [];
        for (const each of given) voices = withVoice(voices, plain(each));
        const last = new Map(given.map((each) => [each.network, plain(each)]));
        expect(voices).to.have.deep.members([...last.values()]);
      }),
    );
  });

  it('are the same as a text, whatever a note has', () => {
    fc.assert(
      fc.property(fc.uniqueArray(aVoice, { selector: ({ network }) => network }), (given) => {
        const voices = given.map(plain);
        expect(parseVoices(formatVoices(voices))).to.deep.equal(voices);
      }),
    );
    expect(formatVoices([])).to.equal('');
  });

  it('are none in a text that another program has written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const { network, reason, at } of parseVoices(text))
          expect([typeof network, typeof reason, Number.isSafeInteger(at)]).to.deep.equal([
            'string',
            'string',
            true,
          ]);
      }),
    );
    const wrong = ['', 'no', '{}', '[[1,"spam",5]]', '[["a","spam","5"]]', '[null,["a"]]'];
    for (const text of wrong) expect(parseVoices(text), text).to.deep.equal([]);
  });

  it('go from the least reported entries, the oldest first, if there are too many in all', () => {
    const full = Array.from(
      { length: MOST_IN_ALL / MOST_OF_ONE },
      (_, n) => [`full ${n}`, voicesOf(MOST_OF_ONE, n + 1000)] as const,
    );
    const sum = full.length * MOST_OF_ONE;
    const room = MOST_IN_ALL - sum;
    const few = [
      ['newer', voicesOf(1, 900)],
      ['older', voicesOf(1, 100)],
      ['two', voicesOf(2, 5)],
    ] as const;
    expect(beyondAll(new Map(full))).to.deep.equal([]);
    const all = new Map([...full, ...few, ['rest', voicesOf(room + 1, 7)] as const]);
    expect(beyondAll(all).slice(0, 3)).to.deep.equal(['older', 'newer', 'two']);
    expect([...all.values()].reduce((count, { length }) => count + length, 0)).to.be.above(MOST_IN_ALL);
  });
});
