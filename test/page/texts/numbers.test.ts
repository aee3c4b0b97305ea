/** Texts of the page that say a number: one of a thing is said otherwise than several. */

import { expect } from 'chai';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';

/** Some texts are lists, whose numbers stand for themselves. */
type Text = (...values: readonly unknown[]) => string | readonly string[];

/** The text of this name, wherever it stands, if it takes so many values. */
function find(texts: object, name: string, count: number): Text | undefined {
  for (const [key, text] of Object.entries(texts) as [string, unknown][]) {
    if (key === name && typeof text === 'function' && text.length === count) return text as Text;
    const inner = typeof text === 'object' && text !== null ? find(text, name, count) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What the text says, in one piece. */
function say(texts: object, name: string, values: readonly unknown[]): string {
  return [find(texts, name, values.length)?.(...values)].flat().join('');
}

const CASES: readonly (readonly [
  name: string,
  values: readonly unknown[],
  english: RegExp,
  german: RegExp,
])[] = [
  ['count', [1, 1, 1], /^1 player on 1 server$/, /^1 Spieler auf 1 Server$/],
  ['count', [2, 5, 7], /^7 players on 2 of 5 servers$/, /^7 Spieler auf 2 von 5 Servern$/],
  ['count', [5, 5, 7], /^7 players on 5 servers$/, /^7 Spieler auf 5 Servern$/],
  ['count', [3, 1], /3 servers, 1 player$/, /3 Server, 1 Spieler$/],
  ['count', [1, 4], /1 server, 4 players$/, /1 Server, 4 Spieler$/],
  ['changes', [1], /^1 change$/, /^1 Änderung$/],
  ['changes', [6], /^6 changes$/, /^6 Änderungen$/],
  ['playersAloud', [1, 1], /^1 of 1 player$/, /^1 von 1 Spieler$/],
  ['playersAloud', [3, 16], /^3 of 16 players$/, /^3 von 16 Spielern$/],
  ['nextTry', [0.4], /^Trying now …$/, /^Neuer Versuch läuft …$/],
  ['nextTry', [5], /^Next try in .*5.*\.$/, /^Nächster Versuch in .*5.*\.$/],
  ['atTime', ['14:03', 2, 1, 9], /^14:03: 2 servers, 1 player, at most 9$/, /^14:03: 2 Server, 1 Spieler/],
  ['atTime', ['14:03', 1, 8, 9], /^14:03: 1 server, 8 players, at most 9$/, /^14:03: 1 Server, 8 Spieler/],
];

describe('the texts of the page', () => {
  for (const [name, values, english, german] of CASES)
    it(`say one and several: ${name}(${values.join(', ')})`, () => {
      expect(say(EN, name, values)).to.match(english);
      expect(say(DE, name, values)).to.match(german);
    });
});
