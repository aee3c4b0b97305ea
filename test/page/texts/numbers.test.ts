/** Texts of the page that say a number: one of a thing is said otherwise than several. */

import { expect } from 'chai';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';

type Text = (...values: readonly unknown[]) => string;

/** The text of this name, wherever it stands, if it takes so many values. */
function find(texts: object, name: string, count: number): Text | undefined {
  for (const [key, text] of Object.entries(texts) as [string, unknown][]) {
    if (key === name && typeof text === 'function' && text.length === count) return text as Text;
    const inner = typeof text === 'object' && text !== null ? find(text, name, count) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const CASES: readonly (readonly [
  name: string,
  values: readonly unknown[],
  english: RegExp,
  german: RegExp,
])[] = [
  ['count', [1, 1, 1], /^1 server · 1 player$/, /^1 Server · 1 Spieler$/],
  ['count', [2, 5, 7], /^2 of 5 servers · 7 players$/, /^2 von 5 Servern · 7 Spieler$/],
  ['count', [3, 1], /3 servers, 1 player$/, /3 Server, 1 Spieler$/],
  ['count', [1, 4], /1 server, 4 players$/, /1 Server, 4 Spieler$/],
  ['moreTimes', [1], /^and 1 more$/, /^und eine weitere$/],
  ['moreTimes', [4], /^and 4 more$/, /^und 4 weitere$/],
  ['showWaiting', [1], /^Show 1 change$/, /^1 Änderung anzeigen$/],
  ['showWaiting', [6], /^Show 6 changes$/, /^6 Änderungen anzeigen$/],
  ['nextTry', [0.4], /^Trying now …$/, /^Neuer Versuch läuft …$/],
  ['nextTry', [5], /^Next try in .*5.*\.$/, /^Nächster Versuch in .*5.*\.$/],
  ['atTime', ['14:03', 2, 1, 9], /^14:03: 2 servers, 1 player, at most 9$/, /^14:03: 2 Server, 1 Spieler/],
  ['atTime', ['14:03', 1, 8, 9], /^14:03: 1 server, 8 players, at most 9$/, /^14:03: 1 Server, 8 Spieler/],
];

describe('the texts of the page', () => {
  for (const [name, values, english, german] of CASES)
    it(`say one and several: ${name}(${values.join(', ')})`, () => {
      expect(find(EN, name, values.length)?.(...values)).to.match(english);
      expect(find(DE, name, values.length)?.(...values)).to.match(german);
    });
});
