import { expect } from 'chai';
import { createFormats, localeOf } from '../../../src/page/texts/formats.ts';
import { timeLabels } from '../../../src/page/overview/chart-scales.ts';

const english = createFormats('en-GB');
const german = createFormats('de');
const AT = new Date(2026, 10, 22, 14, 3, 20).getTime();

/** In seconds since the epoch. */
function hour(count: number): number {
  return new Date(2026, 10, 22, count).getTime() / 1000;
}

describe('the formats of the page', () => {
  it('write numbers and times as the language does', () => {
    expect(english.number(12_345)).to.equal('12,345');
    expect(german.number(12_345)).to.equal('12.345');
    expect(english.dateTime(AT)).to.equal('22 Nov 2026, 14:03');
    expect(german.dateTime(AT)).to.equal('22. Nov. 2026, 14:03');
  });

  it('write a length in a unit of which there are not too many', () => {
    expect(english.duration(-5)).to.equal('0 seconds');
    expect(english.duration(99_000)).to.equal('99 seconds');
    expect(english.duration(100_000)).to.equal('2 minutes');
    expect(german.duration(6_000_000)).to.equal('2 Stunden');
  });

  it('name countries, and leave what is none as it is', () => {
    expect(english.country('DE')).to.equal('Germany');
    expect(german.country('DE')).to.equal('Deutschland');
    for (const text of ['', 'de', 'D*', 'DEU', '<b>', '276']) expect(english.country(text)).to.equal(text);
  });

  it('are those of the reader where a language has several', () => {
    expect(localeOf('en', ['de-DE', 'en-GB', 'en'])).to.equal('en-GB');
    expect(localeOf('de', ['fr', 'en-GB'])).to.equal('de');
  });
});

describe('the times below a chart', () => {
  it('are times of the day, and the day where it begins', () => {
    expect(timeLabels([hour(-6), hour(0), hour(6)], 21_600, english)).to.deep.equal([
      '18:00',
      '22 Nov',
      '06:00',
    ]);
  });

  it('are days and months where these are further apart', () => {
    expect(timeLabels([hour(0), hour(25)], 86_400, english)).to.deep.equal(['22 Nov', '23 Nov']);
    expect(timeLabels([hour(0)], 30 * 86_400, english)).to.deep.equal(['Nov 2026']);
  });
});
