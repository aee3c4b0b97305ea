/** What `gsls announce` says of a detail that no game server can have, before anything is sent. */

import { expect } from 'chai';
import { parseDetails } from '../../../../src/tools/announce/config/announce-parsers.ts';

describe('the details of an announced game server', () => {
  it('are taken as they are', () => {
    const details = {
      map: 'de_dust2',
      password: false,
      tags: ['friendly', 'new'],
      addresses: [{ ip: '2001:db8::7', port: 7777 }],
      meta: { language: ['en', 'de'], rounds: 3 },
    };
    expect(parseDetails(JSON.stringify(details))).to.deep.equal(details);
  });

  for (const text of ['', '{', 'null', '[]', '"map"', '7'])
    it(`are no ${text === '' ? 'empty text' : text}`, () => {
      expect(() => parseDetails(text)).to.throw(/^must be a JSON object in quotes of the shell/);
    });

  it('have names that are known', () => {
    expect(() => parseDetails('{"mapp":"x"}')).to.throw(/^has no detail "mapp"; did you mean map\?$/);
    expect(() => parseDetails('{"weather":"x"}')).to.throw(/^has no detail "weather"; the details are /);
  });

  for (const [name, values] of Object.entries({
    map: [7, 'x'.repeat(1000), 'a\u0007b'],
    password: ['yes', 0],
    meta: [
      null,
      'x',
      [],
      { text: 'x'.repeat(5000) },
      { a: { b: { c: { d: { e: { f: { g: { h: {} } } } } } } } },
    ],
    tags: ['friendly', [7], Array.from({ length: 40 }, () => 'x')],
    addresses: [
      [null],
      ['203.0.113.7'],
      [{ ip: 'nowhere', port: 1 }],
      [{ ip: '203.0.113.7' }],
      [{ ip: '203.0.113.7', port: 0 }],
      [{ ip: '203.0.113.7', port: 65_536 }],
    ],
  }))
    for (const value of values)
      it(`have no ${name} such as ${JSON.stringify(value).slice(0, 40)}`, () => {
        expect(() => parseDetails(JSON.stringify({ [name]: value }))).to.throw(
          new RegExp(`^must have as ${name} `),
        );
      });
});
