import { expect } from 'chai';
import { Details, NO_DETAILS } from '../../../src/model/fields/details.ts';

describe('details', () => {
  it('have one text, in whatever order they and the keys of meta are said', () => {
    const one = Details.of({ map: 'a', tags: ['x'], meta: { a: 1, b: { c: [1], d: 2 } } });
    const other = Details.of({ meta: { b: { d: 2, c: [1] }, a: 1 }, tags: ['x'], map: 'a' });
    expect(one.text).to.equal(other.text);
    expect(Details.parse(one.text).fields).to.deep.equal(one.fields);
    expect(Details.parse(one.text).text).to.equal(one.text);
  });

  it('that say nothing have no text', () => {
    for (const fields of [{}, { tags: [] }, { meta: {}, addresses: [] }])
      expect(Details.of(fields)).to.equal(NO_DETAILS);
    expect(Details.parse('')).to.equal(NO_DETAILS);
    expect(NO_DETAILS.members).to.equal('');
  });

  it('are shown as members of an object, without meta', () => {
    const details = Details.of({ password: false, map: 'a"b', meta: { a: 1 } });
    expect(JSON.parse(`{"id":1${details.members}}`)).to.deep.equal({ id: 1, map: 'a"b', password: false });
    expect(Details.of({ meta: { a: 1 } }).members).to.equal('');
  });

  it('lack what another program has put in their place', () => {
    for (const text of ['{', 'null', '[]', '"x"', '7', '{"map":7,"tags":"x","meta":[],"password":"no"}'])
      expect(Details.parse(text).fields).to.deep.equal({});
    const text =
      '{"map":"a","addresses":[{"ip":"no address","port":1}],"unknown":1,"__proto__":{"mode":"x"}}';
    expect(Details.parse(text).fields).to.deep.equal({ map: 'a' });
    expect(Details.parse(text).text).to.equal(text);
  });
});
