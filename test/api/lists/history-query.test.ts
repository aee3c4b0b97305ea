/** What can be asked of the history, and what is refused. */

import { expect } from 'chai';
import type { ServiceError } from '../../../src/model/service-error.ts';
import { parseHistoryQuery } from '../../../src/api/lists/history-query.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

function complaintsAbout(query: string): readonly string[] {
  try {
    parseHistoryQuery(query);
  } catch (error) {
    const { code, details } = error as ServiceError;
    expect(code).to.equal('invalid_query');
    return details!.map(({ field, message }) => `${field} ${message}`);
  }
  return [];
}

describe('a query of the history', () => {
  it('asks for all minutes, if it says nothing', () => {
    expect(parseHistoryQuery('')).to.deep.equal({ step: 'minute', from: -Infinity, to: Infinity });
    expect(parseHistoryQuery('step=hour')).to.include({ step: 'hour' });
  });

  for (const [text, what] of [
    ['2026-11-22T12:00:00Z', 'a time in UTC'],
    ['2026-11-22T12:00Z', 'a time without seconds'],
    ['2026-11-22T12%3A00%3A00.000Z', 'a time as a browser writes it'],
    ['2026-11-22T13:00:00%2B01:00', 'a time with an offset'],
    ['2026-11-22T13:00:00+01:00', 'a time with an offset whose plus sign is not encoded'],
    ['2026-11-22T07:00-05:00', 'a time west of Greenwich'],
    [`${NOON / 1000}`, 'seconds since 1970'],
  ] as const) {
    it(`takes ${what}`, () => {
      expect(parseHistoryQuery(`from=${text}`).from).to.equal(NOON);
      expect(parseHistoryQuery(`to=${text}`).to).to.equal(NOON);
    });
  }

  it('takes a date for its beginning in UTC', () => {
    expect(parseHistoryQuery('from=2026-11-22').from).to.equal(NOON - 12 * 3_600_000);
  });

  for (const text of [
    '',
    'yesterday',
    String(NOON),
    '-1',
    '1.5',
    '2026-11-22T12:00:00',
    '2026-11-22 12:00:00Z',
    '2026-02-30',
    '2026-13-01',
    '2026-11-22T25:00Z',
    '2026-11-22T12:00:00+99:00',
  ]) {
    it(`refuses the time "${text}"`, () => {
      expect(complaintsAbout(`from=${encodeURIComponent(text)}`)).to.deep.equal([
        'from must be a time like 2026-11-22T10:00:00Z, a date, or whole seconds since 1970',
      ]);
    });
  }

  it('names everything that is wrong, with the nearest parameter that there is', () => {
    const complaints = complaintsAbout('step=day&form=1&to=x&to=y');
    expect(complaints).to.have.length(4);
    expect(complaints[0]).to.equal('step must be minute or hour');
    expect(complaints[1]).to.match(/^form is not a parameter here.*from/);
  });

  it('must not end before it begins', () => {
    expect(complaintsAbout('from=10&to=9')).to.deep.equal(['to must not be before from']);
    expect(complaintsAbout('from=10&to=10')).to.deep.equal([]);
  });
});
