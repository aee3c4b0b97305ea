import { expect } from 'chai';
import { chooseLanguage, LANGUAGES } from '../../../src/page/texts/languages.ts';

/** The paths of all texts, each with what has to be the same in every language. */
function shapeOf(texts: object, path = ''): readonly string[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) => {
    const here = `${path}${name}`;
    if (typeof text === 'function') return `${here} takes ${text.length}`;
    return typeof text === 'object' && text !== null
      ? shapeOf(text, `${here}.`)
      : `${here} is ${typeof text}`;
  });
}

/** In for a number, a time and a text alike. */
const ANYTHING = new Date(Date.UTC(2026, 10, 22));

/** All texts, those with parameters for some arguments. Some of these are lists of parts, or records of them. */
function stringsOf(texts: object): readonly string[] {
  return Object.values(texts).flatMap((text: unknown): readonly string[] => {
    if (typeof text === 'string') return [text];
    if (typeof text === 'function') {
      const said = (text as (...values: readonly unknown[]) => string | readonly string[] | object)(
        ...Array.from({ length: text.length }, () => ANYTHING),
      );
      return Array.isArray(said) ? [said.join('')] : typeof said === 'string' ? [said] : stringsOf(said);
    }
    return typeof text === 'object' && text !== null ? stringsOf(text) : [];
  });
}

/** Later releases of Node have a method in the place of the property. */
function directionOf(tag: string): string {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    readonly textInfo: { readonly direction: string };
    readonly getTextInfo?: () => { readonly direction: string };
  };
  return (locale.getTextInfo?.() ?? locale.textInfo).direction;
}

describe('the languages of the page', () => {
  const english = LANGUAGES.get('en')!;

  for (const [tag, texts] of LANGUAGES) {
    it(`${tag} has every text, with the parameters that it has in English`, () => {
      expect(shapeOf(texts).toSorted()).to.deep.equal(shapeOf(english).toSorted());
    });

    it(`${tag} has no empty text`, () => {
      for (const text of stringsOf(texts)) {
        expect(text.trim()).to.equal(text).and.not.equal('');
        expect(text).to.not.match(/undefined|NaN|Invalid|\[object/);
      }
    });

    it(`${tag} has no word that only operators know`, () => {
      const words = /service|registry|replica|redis|dienst(?!ag)|registrierung|instanz|datenbank/i;
      expect(stringsOf(texts).filter((text) => words.test(text))).to.deep.equal([]);
    });

    it(`${tag} is a language that Intl knows, with the direction of its script`, () => {
      expect(Intl.NumberFormat.supportedLocalesOf(tag)).to.deep.equal([tag]);
      expect(texts.direction).to.equal(directionOf(tag));
    });
  }

  it('are chosen by the wish of the reader, the region apart, and else the first', () => {
    expect(chooseLanguage(['de-AT', 'en'])).to.equal('de');
    expect(chooseLanguage(['fr', 'EN-gb'])).to.equal('en');
    expect(chooseLanguage(['fr'])).to.equal('en');
    expect(chooseLanguage([])).to.equal('en');
  });
});
